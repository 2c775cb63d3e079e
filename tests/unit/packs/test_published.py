"""What users are given: the schema for editors, the example pack and the language reference agree with the loader."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from agent_claimcheck.core.errors import PackError
from agent_claimcheck.packs.lint import lint_pack
from agent_claimcheck.packs.load import BUILTIN_NAMES, load_rule_pack, parse_pack

ROOT = Path(__file__).resolve().parents[3]
SCHEMA_FILE = ROOT / "schemas" / "rule-pack.json"
PACKAGED_SCHEMA = ROOT / "src" / "agent_claimcheck" / "_data" / "schemas" / "rule-pack.json"
BUILTIN = ROOT / "src" / "agent_claimcheck" / "packs" / "builtin"
EXAMPLE = ROOT / "examples" / "rules" / "custom.yaml"
REFERENCE = ROOT / "docs" / "rules.md"

SNIPPETS = re.findall(r"^```yaml\n(.*?)^```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    document = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def test_packaged_schema_is_the_published_one() -> None:
    assert PACKAGED_SCHEMA.read_bytes() == SCHEMA_FILE.read_bytes()


@pytest.mark.parametrize("path", [*(BUILTIN / f"{name}.yaml" for name in BUILTIN_NAMES), EXAMPLE], ids=lambda p: p.name)
def test_shipped_packs_fit_the_schema(schema: Draft202012Validator, path: Path) -> None:
    assert list(schema.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8")))) == []
    assert load_rule_pack(path).version >= 1


def test_reference_has_snippets() -> None:
    assert len(SNIPPETS) >= 5


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[s.splitlines()[0] for s in SNIPPETS])
def test_snippets_of_the_reference_load_and_fit_the_schema(schema: Draft202012Validator, snippet: str) -> None:
    assert parse_pack(snippet, "rules.md").name
    assert list(schema.iter_errors(yaml.safe_load(snippet))) == []


def test_reference_names_every_lint_code() -> None:
    source = (ROOT / "src" / "agent_claimcheck" / "packs" / "lint.py").read_text(encoding="utf-8")
    codes = set(re.findall(r'"([a-z]+(?:_[a-z]+)+)", "(?:warn|info)"', source))
    assert len(codes) >= 15
    assert [code for code in sorted(codes) if f"`{code}`" not in REFERENCE.read_text(encoding="utf-8")] == []


def test_example_pack_says_what_the_page_says() -> None:
    pack = load_rule_pack(EXAMPLE)
    rule = pack.claims["meeting_booked"]
    assert pack.tools == ("acme.schedule_meeting", "acme.notify_attendee")
    assert (rule.action, rule.probe) == ("acme.schedule_meeting", "acme.get_meeting")
    assert [(c.path, c.op, c.expected, c.normaliser) for c in (*rule.receipt, *rule.probe_checks)] == [
        ("meeting_id", "exists", True, None),
        ("starts_at", "equals", "{subject.start}", "datetime"),
        ("state", "in", ["confirmed"], None),
        ("starts_at", "equals", "{subject.start}", "datetime"),
    ]
    assert [note.code for note in lint_pack(EXAMPLE) if note.severity == "warn"] == []


BASE: dict[str, Any] = {"pack": "p", "version": 1, "claims": {}}


def with_check(check: Any) -> dict[str, Any]:
    return {**BASE, "claims": {"t": {"action": "a", "receipt": {"f": check}}}}


@pytest.mark.parametrize(
    "document",
    [
        BASE,
        {**BASE, "tools": ["a.*"], "claim_patterns": {"t": ["x"]}},
        {**BASE, "version": 0},
        {**BASE, "version": -1},
        {**BASE, "version": "1"},
        {**BASE, "pack": ""},
        {**BASE, "pack": 1},
        {**BASE, "extra": 1},
        {**BASE, "tools": "a"},
        {**BASE, "tools": [""]},
        {**BASE, "claim_patterns": {"t": "x"}},
        {**BASE, "claim_patterns": {"t": []}},
        {**BASE, "claim_patterns": {"": ["x"]}},
        {**BASE, "claims": None},
        {**BASE, "claims": {"t": {"action": "a"}}},
        {**BASE, "claims": {"t": {"receipt": {}}}},
        {**BASE, "claims": {"t": {"action": "a", "receipt": {}, "probe": "p", "probe_checks": {"x": {"equals": 1}}}}},
        {**BASE, "claims": {"t": {"action": "a", "receipt": {}, "probe": None}}},
        {**BASE, "claims": {"t": {"action": "a", "receipt": {}, "more": 1}}},
        {"pack": "p", "version": 1},
        [],
        with_check({"exists": True}),
        with_check({"exists": "true"}),
        with_check({"equals": None}),
        with_check({"equals": {"a": [1]}, "as": "string"}),
        with_check({"equals": 1, "as": "integer"}),
        with_check({"in": [1]}),
        with_check({"in": []}),
        with_check({"contains": "x"}),
        with_check({"matches": "^a$"}),
        with_check({"matches": ""}),
        with_check({"subset": {}}),
        with_check({"subset": 1}),
        with_check({"equals": 1, "exists": True}),
        with_check({"as": "number"}),
        with_check({}),
        with_check(1),
    ],
    ids=lambda document: json.dumps(document)[-60:],
)
def test_schema_and_loader_agree(schema: Draft202012Validator, document: Any) -> None:
    try:
        parse_pack(yaml.safe_dump(document), "x")
        loads = True
    except PackError:
        loads = False
    assert schema.is_valid(document) is loads
