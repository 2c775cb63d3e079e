"""Whatever stands in a pack file, loading gives a pack or one error that names the file and a line for every fault."""

from __future__ import annotations

import re
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.errors import PackError
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.packs.paths import SyntaxFault, find_templates, split_path

DOCUMENTED = "pack version tools claim_patterns claims action receipt probe probe_checks as"
OPERATORS = "exists equals in contains matches subset"
KEYS = st.sampled_from([*DOCUMENTED.split(), *OPERATORS.split(), "t", "a.b", 'a."b', "args.x", "", "{subject.x}", "é"])
LEAVES = st.sampled_from(
    [None, True, False, 0, -1, 1.5, "", "x", "*", "(", r"\bé\b", "{subject.x}", "{nope.x}", "number"]
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)
YAML_TEXT = st.lists(
    st.sampled_from(
        [*"ab:-[]{},&*!|>'\"#%@`?\n \t<\\", "pack", "claims", "version", "1", ": ", "\n  ", "- ", "&a", "*a", "é"]
    ),
    max_size=40,
).map("".join)


def load(text: str) -> None:
    try:
        pack = parse_pack(text, "p.yaml")
    except PackError as exc:
        assert all(re.match(r"p\.yaml:\d+: \$", line) for line in exc.message.splitlines())
        return
    assert pack.name.strip()
    assert all(check.segments for rule in pack.claims.values() for check in rule.receipt)


@settings(max_examples=300)
@given(YAML_TEXT | st.text(max_size=60))
def test_any_text_loads_or_is_refused(text: str) -> None:
    load(text)


@settings(max_examples=300)
@given(VALUES, VALUES)
def test_any_values_load_or_are_refused(claims: Any, patterns: Any) -> None:
    load(yaml.safe_dump({"pack": "p", "version": 1, "claims": claims, "claim_patterns": patterns}))


@given(
    st.text(max_size=60) | st.lists(st.sampled_from([*'{}."ab0-', "subject", "args", "."]), max_size=20).map("".join)
)
def test_paths_and_templates_answer_or_are_refused(text: str) -> None:
    try:
        segments, _ = split_path(text)
        assert all(segments)
    except SyntaxFault as exc:
        assert str(exc)
    try:
        assert all(text[t.start] == "{" and text[t.end - 1] == "}" for t in find_templates(text))
    except SyntaxFault as exc:
        assert str(exc)
