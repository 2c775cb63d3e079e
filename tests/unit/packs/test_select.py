"""Which packs apply to a trace, and whose rule decides."""

from __future__ import annotations

from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.packs.load import BUILTIN_NAMES, load_builtin_packs, parse_pack
from agent_claimcheck.packs.select import applicable_packs, ordered, rule_for, shadowed


def pack(name: str, tools: str, *types: str, is_user: bool = True) -> RulePack:
    claims = "".join(f"\n  {t}: {{ action: '*', receipt: {{}} }}" for t in types) or " {}"
    return parse_pack(f"pack: {name}\nversion: 1\ntools: {tools}\nclaims:{claims}\n", f"{name}.yaml", is_user=is_user)


def names(packs: list[RulePack]) -> list[str]:
    return [p.name for p in packs]


def test_pack_applies_when_a_named_call_fits_a_glob() -> None:
    packs = load_builtin_packs()
    assert names(applicable_packs(packs, {"calendar.create_event"}, "crm")) == ["booking"]
    assert names(applicable_packs(packs, ["crm.add_note", "git.commit"], "other")) == ["crm", "coding"]
    assert names(applicable_packs(packs, ["Calendar.create_event"], "booking")) == []


def test_without_named_calls_the_domain_decides() -> None:
    packs = load_builtin_packs()
    assert names(applicable_packs(packs, [], "crm")) == ["crm"]
    assert names(applicable_packs(packs, [], "other")) == []
    assert names(applicable_packs(packs, ["x"], "crm")) == []


def test_user_packs_win_over_builtin_and_later_over_earlier() -> None:
    first, second = pack("first", "['calendar.*']", "booked"), pack("second", "['calendar.*']", "booked", "moved")
    elsewhere = pack("elsewhere", "['acme.*']", "booked")
    packs = (*load_builtin_packs(), first, second, elsewhere)
    assert names(ordered(packs)) == ["elsewhere", "second", "first", *BUILTIN_NAMES]
    applicable = applicable_packs(packs, {"calendar.create_event"}, "booking")
    assert names(applicable) == ["second", "first", "booking"]
    chosen = {t: rule_for(applicable, t) for t in ("booked", "moved", "invite_sent", "fixed")}
    assert {t: found and found[0].name for t, found in chosen.items()} == {
        "booked": "second",
        "moved": "second",
        "invite_sent": "booking",
        "fixed": None,
    }


def test_builtin_rule_stays_where_the_user_pack_does_not_apply() -> None:
    packs = (*load_builtin_packs(), pack("elsewhere", "['acme.*']", "booked"))
    found = rule_for(applicable_packs(packs, {"calendar.get_event"}, "booking"), "booked")
    assert found is not None
    assert found[0].name == "booking"
    assert found[1].action == "calendar.create_event"


def test_overrides_are_listed_for_people() -> None:
    packs = (*load_builtin_packs(), pack("mine", "['calendar.*']", "booked", "new"), pack("later", "['x.*']", "new"))
    assert [o.describe() for o in shadowed(packs)] == [
        "pack later (later.yaml) overrides the rule for 'new' of pack mine (mine.yaml)",
        "pack mine (mine.yaml) overrides the rule for 'booked' of the built-in pack booking",
    ]
    assert shadowed(load_builtin_packs()) == []


def test_choices_are_remembered_apart_for_other_packs_and_not_shared_by_callers() -> None:
    mine = pack("mine", "['calendar.*']", "booked")
    both = (*load_builtin_packs(), mine)
    given = applicable_packs(both, {"calendar.x"}, "other")
    given.clear()
    assert names(applicable_packs(both, {"calendar.x"}, "other")) == ["mine", "booking"]
    assert names(applicable_packs(load_builtin_packs(), {"calendar.x"}, "other")) == ["booking"]


def test_thousands_of_different_tool_sets_are_answered_rightly() -> None:
    packs = load_builtin_packs()
    for number in range(10_000):
        assert names(applicable_packs(packs, {f"tool{number}", "git.push"}, "x")) == ["coding"]
    assert names(applicable_packs(packs, {f"t{n}" for n in range(500)} | {"crm.x"}, "x")) == ["crm"]
