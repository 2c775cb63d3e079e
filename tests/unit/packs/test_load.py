"""Loading packs: everything documented is read, every fault is reported at once with its line and path."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.errors import PackError
from agent_claimcheck.packs.load import load_builtin_packs, load_rule_pack, parse_pack

GOOD = r"""
pack: shop
version: 2
tools: ["shop.*", "mail.send"]
claim_patterns:
  ordered: ['\border(?:ed)? (?P<item>\w+)', '\bbestellt\b']
claims:
  ordered:
    action: "shop.create_order"
    receipt:
      order.id: { exists: true }
      order.lines.-1.sku: { equals: "{subject.item}", as: string }
      '"total.gross".amount': { in: [10, 12.5, "x"], as: number }
      args.to.0: { contains: "{args.email}", as: email }
      state: { matches: '^(?:open|paid)$' }
      meta: { subset: { a: 1, b: [true, null] } }
      placed: { equals: 2026-04-06 }
    probe: "shop.read*"
    probe_checks:
      gone: { exists: false }
"""


def test_every_part_of_the_language_is_read() -> None:
    pack = parse_pack(GOOD, "shop.yaml")
    assert (pack.name, pack.version, pack.tools, pack.is_user) == ("shop", 2, ("shop.*", "mail.send"), True)
    assert [p.claim_type for p in pack.claim_patterns] == ["ordered", "ordered"]
    match = pack.claim_patterns[0].pattern.search("I ORDERED Tee")
    assert match is not None
    assert match.groupdict() == {"item": "Tee"}
    rule = pack.claims["ordered"]
    assert (rule.action, rule.probe) == ("shop.create_order", "shop.read*")
    checks = {check.path: check for check in rule.receipt}
    assert checks["order.lines.-1.sku"].segments == ("order", "lines", "-1", "sku")
    assert checks['"total.gross".amount'].segments == ("total.gross", "amount")
    assert (checks["args.to.0"].from_args, checks["args.to.0"].segments) == (True, ("to", "0"))
    assert checks["order.id"].expected is True
    assert checks['"total.gross".amount'].expected == [10, 12.5, "x"]
    assert checks["args.to.0"].normaliser == "email"
    assert checks["state"].pattern.search("paid") is not None
    assert checks["state"].pattern.search("PAID") is None
    assert checks["meta"].expected == {"a": 1, "b": [True, None]}
    assert checks["placed"].expected == "2026-04-06"
    assert rule.probe_checks[0].expected is False


def test_pack_without_rules_or_tools_loads() -> None:
    pack = parse_pack("pack: s\nversion: 1\nclaims: {}\n", "s.yaml")
    assert (pack.tools, pack.claim_patterns, pack.claims) == ((), (), {})


def test_all_faults_come_at_once_with_line_path_and_hint() -> None:
    text = r"""pack: 3
verson: 1
tools: calendar.*
claim_patterns:
  booked: ['(?<=x)a', '(']
claims:
  booked:
    action: [a]
    recipt: {}
    receipt:
      a..b: { exists: true }
      c: { equals: 1, in: [2] }
      d: { equals: "{subjct.x}", as: date }
      e: { exist: true }
"""
    with pytest.raises(PackError) as caught:
        parse_pack(text, "p.yaml")
    message = caught.value.message
    for expected in (
        "p.yaml:1: $.pack: the pack's name must be text, not a whole number",
        "p.yaml:1: $.version: version is required (version: 1)",
        "p.yaml:2: $.verson: unknown key 'verson' (did you mean version?)",
        "p.yaml:3: $.tools: tools must be a list, not text",
        "p.yaml:5: $.claim_patterns.booked[0]: bad pattern: a lookbehind",
        "p.yaml:5: $.claim_patterns.booked[1]: bad pattern: missing )",
        "p.yaml:8: $.claims.booked.action: action must be text, not a list",
        "p.yaml:9: $.claims.booked.recipt: unknown key 'recipt' (did you mean receipt?)",
        'p.yaml:11: $.claims.booked.receipt["a..b"]: the path',
        "p.yaml:12: $.claims.booked.receipt.c: a check has exactly one operator",
        "p.yaml:13: $.claims.booked.receipt.d.equals: the template {subjct.x} has an unknown root 'subjct' "
        "(did you mean {subject.x}?)",
        "p.yaml:13: $.claims.booked.receipt.d.as: as names an unknown normaliser 'date' (did you mean datetime?)",
        "p.yaml:14: $.claims.booked.receipt.e.exist: unknown key 'exist' (did you mean exists?)",
    ):
        assert expected in message
    lines = [int(line.split(":")[1]) for line in message.splitlines()]
    assert lines == sorted(lines)


def rule(check: str) -> str:
    return f"pack: p\nversion: 1\nclaims:\n  t:\n    action: a\n    receipt:\n      f: {check}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the file is empty"),
        ("[1]", "a pack is a mapping, not a list"),
        ("pack: p\nversion: 1\n", "$.claims: claims is required"),
        ("pack: p\nversion: true\nclaims: {}", "version must be a whole number, not true or false"),
        ("pack: p\nversion: -1\nclaims: {}", "version must be a whole number"),
        ("pack: ' '\nversion: 1\nclaims: {}", "the pack's name is empty"),
        ("pack: p\nversion: 1\nclaims:\n", "claims must be a mapping, not nothing"),
        ("pack: p\nversion: 1\nclaims: {}\nclaims: {}", "x:4: $.claims: the key 'claims' is already set in line 3"),
        ("pack: p\nversion: 1\nclaims: {}\ntools: [1]", "$.tools[0]: a tool glob must be text"),
        ("pack: p\nversion: 1\nclaims: {}\nclaim_patterns: {t: x}", "the patterns of a claim type are a list"),
        ("pack: p\nversion: 1\nclaims: {}\nclaim_patterns: {t: []}", "the list of patterns is empty"),
        ("pack: p\nversion: 1\nclaims: {t: {action: a}}", "$.claims.t.receipt: receipt is required"),
        ("pack: p\nversion: 1\nclaims: {t: 1}", "a rule is a mapping, not a whole number"),
        ("pack: p\nversion: 1\nclaims: {'': {action: a, receipt: {}}}", "a key is empty"),
        ("pack: p\nversion: 1\nclaims: {[a]: 1}", "a key must be text"),
        ("pack: p\nversion: 1\n<<: {claims: {}}", "merge keys are not known"),
        ("pack: !!python/object:os.system x\nversion: 1\nclaims: {}", "the tag python/object:os.system is not allowed"),
        ("pack: p\n\tversion: 1", "indent with spaces"),
        ('pack: "\\q"', "put patterns in single quotes"),
        ("pack: *.create", "needs quotes"),
        ("pack: p\x00", "not valid YAML"),
        (rule("{ exists: 1 }"), "exists takes true or false, not a whole number"),
        (rule("{ exists: yes }"), "yes may mean a word or true/false"),
        (rule("{ in: x }"), "in takes a list, not text"),
        (rule("{ in: [] }"), "in has nothing to compare with"),
        (rule("{ matches: 3 }"), "matches takes text"),
        (rule("{ matches: '' }"), "matches has an empty pattern"),
        (rule("{ matches: '(?!x)' }"), "a negative lookahead"),
        (rule("{ subset: [1] }"), "subset takes a mapping"),
        (rule("{}"), "here is no operator"),
        (rule("true"), "a check is a mapping, not true or false"),
        (rule("{ equals: '{args}' }"), "names no field"),
        (rule("{ equals: { a: ['{task.id}'] } }"), "unknown root 'task'"),
        (rule("{ equals: '{subject.a..b}' }"), "has an empty part"),
        (rule("{ equals: 0123 }"), "quote it"),
        (rule("{ equals: .nan }"), "is not a plain number"),
        (rule("{ equals: 1, as: [number] }"), "unknown normaliser"),
    ],
)
def test_fault_is_named(text: str, fault: str) -> None:
    with pytest.raises(PackError) as caught:
        parse_pack(text, "x")
    assert fault in caught.value.message


@pytest.mark.parametrize("value", ["12:30", "2026-04-06T10:00:00Z", "'{x}'", "'{}'", "'{\"a\": 1}'"])
def test_times_and_plain_braces_stay_text(value: str) -> None:
    check = parse_pack(rule(f"{{ equals: {value} }}"), "x").claims["t"].receipt[0]
    assert check.expected == value.strip("'")


def test_alias_bombs_and_deep_nesting_are_refused_quickly() -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    for text, fault in (
        (bomb + "pack: b\nversion: 1\nclaims: {}\n", "aliases unfold to too many values"),
        ("a: &a [*a]\n", "aliases unfold"),
        ("x: &x 1\ny: [" + "*x," * 200 + "]\n", "more than 100 aliases"),
        ("[" * 100_000, "nest"),
        ("{a: " * 5_000, "nest"),
        ("[" * 60 + "]" * 60, "nested more than 30 deep"),
        ("- 1\n" * 150_000, "more than 50,000 values"),
        ("x" * 1_000_001, "larger than"),
    ):
        with pytest.raises(PackError) as caught:
            parse_pack(text, "bomb.yaml")
        assert fault in caught.value.message


def test_harmless_alias_is_followed() -> None:
    text = "pack: p\nversion: 1\nclaims:\n  a: &r\n    action: x\n    receipt: {}\n  b: *r\n"
    pack = parse_pack(text, "x")
    assert pack.claims["a"].action == pack.claims["b"].action == "x"
    assert pack.claims["b"].claim_type == "b"


def test_hundreds_of_faults_are_cut_short() -> None:
    text = "pack: p\nversion: 1\nclaims: {}\n" + "".join(f"k{n}: 1\n" for n in range(500))
    with pytest.raises(PackError) as caught:
        parse_pack(text, "x")
    assert caught.value.message.endswith("and 300 more faults")


def test_unreadable_files_say_why(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no such rule pack file"):
        load_rule_pack(tmp_path / "none.yaml")
    with pytest.raises(PackError, match="cannot be read"):
        load_rule_pack(tmp_path)
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("pack: p\nversion: 1\n# für\nclaims: {}\n".encode("latin-1"))
    with pytest.raises(PackError, match=r"latin\.yaml:3: \$: the file is not UTF-8"):
        load_rule_pack(str(latin))
    with pytest.raises(PackError, match="cannot be read"):
        load_rule_pack("a\x00b")


def test_byte_order_mark_and_crlf_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"\xef\xbb\xbfpack: p\r\nversion: 1\r\nclaims: {}\r\n")
    pack = load_rule_pack(str(path))
    assert (pack.name, pack.origin, pack.is_user) == ("p", str(path), True)


def test_builtin_packs_are_the_documented_ones() -> None:
    packs = load_builtin_packs()
    assert load_builtin_packs() is packs
    assert [(p.name, p.tools, sorted(p.claims)) for p in packs] == [
        ("booking", ("calendar.*", "email.*"), ["booked", "invite_sent"]),
        ("crm", ("crm.*",), ["note_added", "stage_changed", "updated"]),
        ("coding", ("fs.*", "shell.*", "git.*"), ["committed", "fixed", "tests_passed"]),
        ("generic", (), []),
    ]
    assert all(p.origin == "builtin" and not p.is_user for p in packs)
    assert all(rule.probe and rule.receipt for p in packs for rule in p.claims.values())


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("The call is scheduled for Tuesday, and the invite went out.", {"booked", "invite_sent"}),
        ("A note was added and the deal moved to Negotiation.", {"note_added", "stage_changed"}),
        ("Added the note. The phone number has been updated.", {"note_added", "updated"}),
        ("I advanced the stage to Closed.", {"stage_changed"}),
        ("All 12 tests pass now.", {"tests_passed"}),
        ("Fixed and committed as abc1234.", {"fixed", "committed"}),
        ("You're all set!", {"done"}),
        ("Prefixed, uncommitted, unbooked: undone.", set()),
        ("The weather is nice.", set()),
    ],
)
def test_builtin_patterns_find_their_claims(text: str, types: set[str]) -> None:
    found = {p.claim_type for pack in load_builtin_packs() for p in pack.claim_patterns if p.pattern.search(text)}
    assert found == types


def test_commit_hash_may_be_short_or_full() -> None:
    sha = load_builtin_packs()[2].claims["committed"].receipt[0].pattern
    assert sha.search("abc1234")
    assert sha.search("a" * 40)
    assert not sha.search("abc12")
    assert not sha.search("not-a-hash")
