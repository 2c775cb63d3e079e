from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.settings import Settings, describe, load_settings
from agent_claimcheck.core.settings.keys import SETTINGS


def load(
    cwd: Path,
    toml: str | None = None,
    *,
    name: str = "claimcheck.toml",
    config: str | None = None,
    flags: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
) -> Settings:
    if toml is not None:
        (cwd / name).write_text(toml, encoding="utf-8")
    return load_settings(Path(config) if config else None, flags or {}, {"HOME": str(cwd), **(env or {})}, cwd)


def faults(cwd: Path, toml: str | None = None, **how: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(cwd, toml, **how)
    return str(caught.value).splitlines()


def test_without_any_source_every_value_is_the_default(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert (settings.gate.verified, settings.gate.false_success) == (0.80, 0.20)
    assert settings.judge.base_url == "https://openrouter.ai/api/v1"
    assert (settings.judge.max_tokens, settings.judge.concurrency, settings.judge.timeout_s) == (400, 8, 60)
    assert settings.rules.non_success_types == ("failed", "blocked", "gave_up", "needs_input", "partial")
    assert settings.check.fail_on == ("false_success",)
    assert settings.config_file is None
    assert settings.sources == dict.fromkeys([*SETTINGS, "api_key"], "default")


def test_flag_wins_over_environment_over_file_over_default(tmp_path: Path) -> None:
    toml = '[judge]\nmodel = "of/file"\nmax_tokens = 100\n[budget]\nmax_usd = 2'
    env = {"CLAIMCHECK_MODEL": "of/env", "CLAIMCHECK_MAX_USD": "3.5"}
    settings = load(tmp_path, toml, env=env, flags={"budget.max_usd": 4.0, "judge.prompt": None})
    assert settings.budget.max_usd == 4.0
    assert settings.judge.model == "of/env"
    assert settings.judge.max_tokens == 100
    assert settings.judge.prompt == "claim-audit"
    assert settings.sources["budget.max_usd"] == "flag"
    assert settings.sources["judge.model"] == "env CLAIMCHECK_MODEL"
    assert settings.sources["judge.max_tokens"] == "claimcheck.toml"
    assert settings.sources["judge.prompt"] == "default"


def test_pyproject_table_is_read_when_there_is_no_claimcheck_toml(tmp_path: Path) -> None:
    toml = "[tool.agent-claimcheck.gate]\nverified = 0.9\n[tool.other]\nx = 1"
    settings = load(tmp_path, toml, name="pyproject.toml")
    assert settings.gate.verified == 0.9
    assert settings.sources["gate.verified"] == "pyproject.toml"
    assert settings.config_file == "pyproject.toml"
    settings = load(tmp_path, "[gate]\nverified = 0.7")
    assert settings.gate.verified == 0.7


@pytest.mark.parametrize("toml", ["not toml [", 'dependencies = ["agent-claimcheck", broken ['])
def test_a_broken_pyproject_of_somebody_else_is_ignored(tmp_path: Path, toml: str) -> None:
    assert load(tmp_path, toml, name="pyproject.toml").gate.verified == 0.80


def test_a_broken_pyproject_with_our_table_is_an_error(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "[tool.agent-claimcheck.gate]\nverified = ", name="pyproject.toml")
    assert fault.startswith("pyproject.toml: is not valid TOML")


def test_a_link_to_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").symlink_to(tmp_path / "gone.toml")
    assert faults(tmp_path) == ["claimcheck.toml: file not found"]


def test_a_pyproject_named_by_flag_must_have_the_table(tmp_path: Path) -> None:
    toml = "[tool.other]\nx = 1"
    assert faults(tmp_path, toml, name="pyproject.toml", config="pyproject.toml") == [
        "pyproject.toml: has no table [tool.agent-claimcheck]"
    ]


def test_a_named_file_is_read_instead_of_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").write_text("[gate]\nverified = 0.7")
    settings = load(tmp_path, "[gate]\nverified = 0.6", name="other.toml", config="other.toml")
    assert settings.gate.verified == 0.6
    assert settings.sources["gate.verified"] == "other.toml"


def test_a_named_file_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    assert faults(tmp_path, config="nosuch.toml") == ["nosuch.toml: file not found"]


def test_a_directory_is_not_a_settings_file(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").mkdir()
    assert "cannot be read" in faults(tmp_path)[0]


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ('[gate]\nverified = "0.9"', '2: gate.verified must be a number, got "0.9"'),
        ("[gate]\nverified = true", "2: gate.verified must be a number, got true"),
        ("[gate]\nverified = nan", "2: gate.verified must be a finite number, got NaN"),
        ("[gate]\nverified = 1.5", "2: gate.verified must be a number from 0 to 1, got 1.5"),
        ("[gate]\nverified = 0.2", "1: gate.false_success must be below gate.verified, got 0.2 and 0.2"),
        ("[gate]\nverifed = 0.9", '2: gate.verifed is not a setting, did you mean "gate.verified"?'),
        ("[gates]\nverified = 0.9", '1: [gates] is not a section, did you mean "[gate]"?'),
        ("verified = 0.9", "1: verified must stand in its section: gate.verified"),
        ("gate = 3", "1: gate must be a table, got 3"),
        ("[check]\nverified = 0.9", '2: check.verified is not a setting, did you mean "gate.verified"?'),
        ("[judge]\nconcurrency = -3", "2: judge.concurrency must be a whole number from 1 to 256, got -3"),
        ("[judge]\nmax_tokens = 4e2", "2: judge.max_tokens must be a whole number, got 400.0"),
        ("[judge]\ntimeout_s = 0", "2: judge.timeout_s must be a number above 0 up to 3600, got 0.0"),
        ("[judge]\njson_mode = 1", "2: judge.json_mode must be true or false, got 1"),
        ('[judge]\nmodel = ""', "2: judge.model must not be empty"),
        ('[judge]\nmodel = "a\\u0000b"', "2: judge.model must not hold a NUL character"),
        ('[judge]\nbase_url = "openrouter.ai"', '2: judge.base_url must be an http or https URL, got "openrouter.ai"'),
        ('[judge]\nbase_url = "https://h/v1?x=1"', "2: judge.base_url must be a URL without ? and #"),
        ("[judge]\nprice_in_per_m = 1", "1: judge.price_out_per_m must be set too when judge.price_in_per_m is"),
        ('[rules]\nnon_success_types = "failed"', '2: rules.non_success_types must be a list of texts, got "failed"'),
        ("[rules]\npacks = [1]", "2: rules.packs must be a list of texts, got [1]"),
        ('[claims]\nscope = "last"', '2: claims.scope must be one of "all", "final", got "last"'),
        ("[gate]\nverified = 1979-05-27", "2: gate.verified must be a number, got a date"),
    ],
)
def test_a_fault_names_file_line_key_expectation_and_value(tmp_path: Path, toml: str, fault: str) -> None:
    assert faults(tmp_path, toml) == [f"claimcheck.toml:{fault}"]


def test_a_fault_in_a_pyproject_names_its_line_there(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n\n[tool.agent-claimcheck.gate]\n# ours\n"verified" = 2\n'
    (tmp_path / "pyproject.toml").write_text(text)
    assert faults(tmp_path) == ["pyproject.toml:6: gate.verified must be a number from 0 to 1, got 2.0"]


def test_all_faults_of_all_sources_are_reported_at_once(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        "[gate]\nverified = 2\nfalse_sucess = 0\n[judge]\nmodel = 7",
        env={"CLAIMCHECK_MAX_USD": "lots"},
        flags={"check.min_checked": 1.2, "check.detectr": "rules"},
    )
    assert found == [
        "claimcheck.toml:2: gate.verified must be a number from 0 to 1, got 2.0",
        'claimcheck.toml:3: gate.false_sucess is not a setting, did you mean "gate.false_success"?',
        "claimcheck.toml:5: judge.model must be text, got 7",
        'env CLAIMCHECK_MAX_USD: budget.max_usd must be a number, got "lots"',
        "flag: check.min_checked must be a number from 0 to 1, got 1.2",
        'flag: check.detectr is not a setting, did you mean "check.detector"?',
    ]


@pytest.mark.parametrize("text", ["inf", "nan", "1_000", "0x10", "1,5", "1" * 5000])
def test_numbers_in_the_environment_are_plain_decimals(tmp_path: Path, text: str) -> None:
    (fault,) = faults(tmp_path, env={"CLAIMCHECK_MAX_USD": text})
    assert fault.startswith("env CLAIMCHECK_MAX_USD: budget.max_usd must")


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    assert load(tmp_path, env={"CLAIMCHECK_MODEL": "", "CLAIMCHECK_MAX_USD": " "}).sources["judge.model"] == "default"


def test_every_variable_of_the_table_sets_its_key(tmp_path: Path) -> None:
    env = {
        "CLAIMCHECK_BASE_URL": "http://localhost:11434/v1",
        "CLAIMCHECK_MODEL": "m",
        "CLAIMCHECK_MAX_USD": "0.5",
        "CLAIMCHECK_LEDGER": "l.jsonl",
        "CLAIMCHECK_LEDGER_CAP_USD": "10",
    }
    settings = load(tmp_path, env=env)
    assert settings.judge.base_url == "http://localhost:11434/v1"
    assert (settings.judge.model, settings.budget.max_usd, settings.budget.ledger_cap_usd) == ("m", 0.5, 10.0)
    assert settings.ledger_file == Path("l.jsonl")
    assert {row.key.env for row in SETTINGS.values() if row.key.env} == set(env)


def test_dotenv_files_are_never_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CLAIMCHECK_MODEL=from-dotenv\nCLAIMCHECK_API_KEY=sk-dotenv\n")
    settings = load(tmp_path)
    assert settings.judge.model is None
    assert settings.api_key is None


@pytest.mark.parametrize(
    "content",
    [b"[gate\nverified = 1", b"a = " + b"[" * 60_000, b"\xff\xfe[gate]", b"# " + b"x" * 2_000_000],
    ids=["syntax", "nesting", "encoding", "size"],
)
def test_a_file_that_is_not_toml_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "claimcheck.toml").write_bytes(content)
    (fault,) = faults(tmp_path)
    assert fault.startswith("claimcheck.toml: is")


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").write_bytes(b"\xef\xbb\xbf[gate]\nverified = 0.9")
    assert load(tmp_path).gate.verified == 0.9


def test_names_and_values_of_a_file_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, '[gate]\n"veri\\u001b[31m" = 1')
    assert "\x1b" not in fault and "veri\\x1b[31m" in fault


def test_a_list_may_be_given_as_a_tuple_and_a_path_as_a_path(tmp_path: Path) -> None:
    flags = {"rules.packs": ("a.yaml",), "classifier.model": Path("m.json"), "check.fail_on": ()}
    settings = load(tmp_path, flags=flags)
    assert settings.rules.packs == ("a.yaml",)
    assert settings.classifier.model == "m.json"
    assert settings.check.fail_on == ()


def test_describe_lists_every_key_with_its_source_and_hides_the_key(tmp_path: Path) -> None:
    settings = load(tmp_path, "[gate]\nverified = 0.9", env={"CLAIMCHECK_API_KEY": "sk-very-secret"})
    rows = {key: (value, source) for key, value, source in describe(settings)}
    assert list(rows) == [*SETTINGS, "api_key"]
    assert rows["gate.verified"] == ("0.9", "claimcheck.toml")
    assert rows["judge.model"] == ("not set", "default")
    assert rows["api_key"] == ("set (hidden)", "env CLAIMCHECK_API_KEY")
    assert "sk-very-secret" not in repr(rows) + repr(settings) + str(settings)


def test_settings_travel_to_worker_processes(tmp_path: Path) -> None:
    settings = load(tmp_path, env={"CLAIMCHECK_API_KEY": "sk-1"})
    assert pickle.loads(pickle.dumps(settings)) == settings
