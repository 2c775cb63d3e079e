"""The example files hold every key and variable, neither more nor less, and say the true defaults."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.settings.keys import SECTIONS, SETTINGS
from agent_claimcheck.core.settings.reference import example_env, example_toml, reference_page, variables

ROOT = Path(__file__).resolve().parents[4]


def keys_of(toml: str) -> set[str]:
    return {f"{section}.{field}" for section, table in tomllib.loads(toml).items() for field in table}


def uncommented(toml: str) -> str:
    return re.sub(r"(?m)^# (\w+ = )", r"\1", toml)


def test_the_example_file_lists_exactly_the_keys_of_the_table() -> None:
    example = (ROOT / "claimcheck.toml.example").read_text(encoding="utf-8")
    assert keys_of(uncommented(example)) == set(SETTINGS)
    assert keys_of(example) == {name for name, row in SETTINGS.items() if row.default is not None}


def test_the_example_file_changes_no_default(tmp_path: Path) -> None:
    plain = load_settings(None, {}, {}, tmp_path)
    (tmp_path / "claimcheck.toml").write_bytes((ROOT / "claimcheck.toml.example").read_bytes())
    copied = load_settings(None, {}, {}, tmp_path)
    assert all(getattr(copied, section) == getattr(plain, section) for section in SECTIONS)


def test_every_example_value_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").write_text(uncommented(example_toml()), encoding="utf-8")
    settings = load_settings(None, {}, {}, tmp_path)
    assert set(settings.sources.values()) == {"claimcheck.toml", "default"}
    assert [key for key, source in settings.sources.items() if source == "default"] == ["api_key"]


def test_the_environment_example_lists_exactly_the_variables_that_are_read() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert sorted(re.findall(r"(?m)^# (\w+)=$", example)) == sorted(variables())


def test_the_written_files_are_what_the_code_makes() -> None:
    assert (ROOT / "claimcheck.toml.example").read_text(encoding="utf-8") == example_toml()
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == example_env()
    assert (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8") == reference_page()


def test_every_key_is_explained() -> None:
    for name, row in SETTINGS.items():
        assert row.key.doc.endswith("."), name
        assert row.default is not None or row.key.example, name
