"""Whatever a settings file says, loading ends in valid settings or in one error that names the faults."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.settings.keys import SECTIONS, SETTINGS
from agent_claimcheck.core.text import printable

TEXT = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=20)
VALUE = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXT | st.sampled_from(["all", "final"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FIELD = st.sampled_from([setting.field for setting in SETTINGS.values()]) | TEXT
DOCUMENT = st.dictionaries(
    st.sampled_from(list(SECTIONS)) | TEXT, VALUE | st.dictionaries(FIELD, VALUE, max_size=5), max_size=5
)


@settings(max_examples=150)
@given(DOCUMENT, st.dictionaries(st.sampled_from([r.key.env for r in SETTINGS.values() if r.key.env]), TEXT))
def test_any_document_gives_settings_or_a_config_error(document: dict[str, Any], environ: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "claimcheck.toml").write_bytes(tomli_w.dumps(document).encode())
        try:
            loaded = load_settings(None, {}, environ, Path(folder))
        except ConfigError as error:
            lines = str(error).splitlines()
            assert lines and all(line.startswith(("claimcheck.toml:", "env ")) for line in lines)
            assert lines == [printable(line) for line in lines]
            return
    assert 0 <= loaded.gate.false_success < loaded.gate.verified <= 1
    assert 1 <= loaded.judge.concurrency <= 256
    assert loaded.budget.max_usd >= 0
    assert loaded.claims.scope in ("all", "final")
    assert set(loaded.sources) == {*SETTINGS, "api_key"}
