"""A pack drafted from runs: what it asks for, what it accuses, and that it loads and lints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.packs.lint import lint_pack
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.draft.definitions import read_definitions
from agent_claimcheck.pipeline.draft.drafting import draft_pack
from agent_claimcheck.pipeline.draft.guard import spec_with
from agent_claimcheck.pipeline.probes_run.load import load_probe_file
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace

Build = Callable[..., Trace]


def checker_of(pack: str) -> Checker:
    return Checker(spec=spec_with(parse_pack(pack, "draft")))


def test_the_rule_of_a_declared_claim_names_tool_record_and_reading(lease: Build) -> None:
    made = draft_pack([], [lease(n) for n in range(6)])
    (rule,) = made.draft.rules
    assert (rule.claim_type, rule.action, rule.probe) == ("lease_created", "plots.create_lease", "plots.get_lease")
    assert (rule.receipt[0].path, rule.receipt[0].op) == ("lease_id", "exists")
    shown = {check.path: check.expected for check in rule.probe_checks}
    assert shown["months"] == "{subject.months}"
    assert shown["tenant_email"] == "{args.tenant_email}"
    assert rule.record_from == "call.output.lease_id"


def test_names_that_say_nothing_are_linked_by_their_values(lease: Build) -> None:
    hidden = {"plots.search_plots": "s.a1", "plots.create_lease": "s.b2", "plots.get_lease": "s.c3"}
    from msgspec.structs import replace

    traces = [lease(n) for n in range(6)]
    traces = [replace(t, steps=[replace(s, name=hidden[s.name or ""]) for s in t.steps]) for t in traces]
    (rule,) = draft_pack([], traces).draft.rules
    assert (rule.action, rule.probe) == ("s.b2", "s.c3")


def test_the_draft_verifies_what_was_done_and_accuses_what_was_not(lease: Build) -> None:
    made = draft_pack([], [lease(n) for n in range(6)])
    checker = checker_of(made.pack)
    assert checker.check_one(lease(7)).verdict == "verified"
    assert checker.check_one(lease(8, shown_months=1)).verdict == "false_success"
    assert checker.check_one(lease(9, leased=False, probed=False)).verdict == "false_success"


def test_a_claim_in_plain_words_gets_the_rule(lease: Build) -> None:
    made = draft_pack([], [lease(n) for n in range(6)])
    told = lease(7, declared=False, text="I have created the lease for plot P07.")
    assert checker_of(made.pack).check_one(told).verdict == "verified"
    planned = lease(7, declared=False, leased=False, probed=False, text="Once I have created the lease, I will write.")
    assert checker_of(made.pack).check_one(planned).verdict != "false_success"


def test_no_labelled_success_of_its_own_traces_is_accused(lease: Build) -> None:
    traces = [*(lease(n) for n in range(6)), lease(7, shown_months=1)]
    made = draft_pack([], traces)
    checker = checker_of(made.pack)
    assert [checker.check_one(trace).verdict for trace in traces].count("false_success") == 0
    assert "months" not in {check.path for rule in made.draft.rules for check in rule.probe_checks}


def test_failures_do_not_teach(lease: Build) -> None:
    good = [lease(n) for n in range(6)]
    bad = [lease(n, outcome="failure", shown_months=1) for n in range(6, 20)]
    assert "months: { equals: '{subject.months}'" in draft_pack([], good + bad).pack


def test_the_draft_lints_without_warnings_and_its_probes_load_when_uncommented(lease: Build, tmp_path: Path) -> None:
    made = draft_pack([], [lease(n) for n in range(6)])
    path = tmp_path / "pack.yaml"
    path.write_text(made.pack, encoding="utf-8")
    assert [item for item in lint_pack(path) if item.severity == "warn"] == []
    lines = [line.removeprefix("# ") for line in made.probes.partition("version = 1")[2].splitlines()]
    probes = tmp_path / "probes.toml"
    probes.write_text("version = 1\n" + "\n".join(lines), encoding="utf-8")
    (probe,) = load_probe_file(probes).probes
    assert probe.name == "plots.get_lease"
    assert probe.for_tools == ("plots.create_lease",)


def test_a_read_the_agent_made_itself_becomes_the_probe(lease: Build) -> None:
    from msgspec.structs import replace

    def read_back(trace: Trace) -> Trace:
        probe = trace.steps[-1]
        call = replace(probe, kind="tool_call", role="agent", output=None, ok=None)
        result = replace(probe, i=5, kind="tool_result", role="tool", args=None)
        return replace(trace, steps=[*trace.steps[:-1], call, result])

    (rule,) = draft_pack([], [read_back(lease(n)) for n in range(6)]).draft.rules
    assert rule.probe == "plots.get_lease"
    assert "months" in {check.path for check in rule.probe_checks}


def test_undeclared_claims_are_drafted_from_the_tools_in_use(lease: Build) -> None:
    made = draft_pack([], [lease(n, declared=False) for n in range(6)])
    (rule,) = made.draft.rules
    assert (rule.claim_type, rule.action, rule.probe) == ("lease_created", "plots.create_lease", "plots.get_lease")
    assert rule.receipt[0].path == "lease_id"


def test_nothing_to_draft_from_is_an_error() -> None:
    with pytest.raises(InputError, match="no tool"):
        draft_pack([], [])


def test_a_lookup_without_a_telling_name_is_taken_for_a_read(lease: Build) -> None:
    from msgspec.structs import replace

    def renamed(trace: Trace) -> Trace:
        names = {"plots.search_plots": "plots.q1"}
        return replace(trace, steps=[replace(s, name=names.get(s.name or "", s.name)) for s in trace.steps])

    made = draft_pack([], [renamed(lease(n)) for n in range(6)])
    assert [tool for tool, _ in made.draft.reads] == ["plots.q1"]
    phantom = renamed(lease(9, leased=False, probed=False))
    assert checker_of(made.pack).check_one(phantom).verdict == "false_success"


def test_a_tool_that_makes_an_id_or_comes_after_the_writes_is_not_taken_for_a_read(lease: Build) -> None:
    from msgspec.structs import replace

    def with_call(trace: Trace, at: int, output: dict[str, str]) -> Trace:
        call = replace(trace.steps[0], i=at, name="plots.q2", args={"a": "b"})
        result = replace(trace.steps[1], i=at + 1, name="plots.q2", output=output)
        return replace(trace, steps=sorted([*trace.steps, call, result], key=lambda one: one.i))

    def reads(at: int, output: dict[str, str]) -> list[str]:
        traces = [
            with_call(replace(trace, steps=[replace(s, i=s.i * 10) for s in trace.steps]), at, output)
            for trace in (lease(n) for n in range(6))
        ]
        return [tool for tool, _ in draft_pack([], traces).draft.reads]

    assert reads(12, {"area": "north"}) == ["plots.q2"]
    assert reads(12, {"ticket_id": "T-1"}) == []
    assert reads(12, {"status": "sent"}) == []
    assert reads(35, {"area": "north"}) == []


@pytest.mark.parametrize(("disagreeing", "is_kept"), [(1, True), (4, False)])
def test_without_labels_a_check_survives_a_few_runs_that_disagree(
    lease: Build, disagreeing: int, is_kept: bool
) -> None:
    traces = [lease(n, outcome="unknown", shown_months=99 if n < disagreeing else None) for n in range(14)]
    (rule,) = draft_pack([], traces).draft.rules
    assert ("months" in {check.path for check in rule.probe_checks}) is is_kept


def test_a_record_is_looked_up_by_what_its_reader_asks_for() -> None:
    def run(number: int) -> Trace:
        call: dict[str, Any] = {"i": 0, "kind": "tool_call", "role": "agent", "name": "refund_bill"}
        args = {"bill_id": f"B-{number}", "amount": 5 + number}
        came = {"i": 1, "kind": "tool_result", "role": "tool", "name": "refund_bill", "ok": True}
        steps = [
            Step(ts="2026-03-02T09:00:00Z", args=args, **call),
            Step(ts="2026-03-02T09:00:01Z", output={"refund_id": f"R-{number}", "state": "done"}, **came),
        ]
        task = Task(id=f"t{number}", domain="other", instruction=f"Refund bill B-{number}.")
        return Trace(
            trace_id=f"r{number}", source="s", task=task, steps=steps, final_claim=FinalClaim(text="Refunded.")
        )

    def tool(name: str, *params: str) -> dict[str, Any]:
        properties = {param: {"type": "string"} for param in params}
        return {"name": name, "description": "", "input_schema": {"type": "object", "properties": properties}}

    tools = [
        tool("refund_bill", "bill_id", "amount"),
        tool("get_bill", "bill_id"),
        tool("rename_boat", "boat_id", "to"),
    ]
    made = draft_pack(read_definitions(tools), [run(n) for n in range(3)])
    taken = {rule.action: rule.record_from for rule in made.draft.rules}
    assert taken == {"refund_bill": "call.args.bill_id", "rename_boat": "call.args.boat_id"}
    assert 'from = "call.args.bill_id"' in made.probes
    assert "WHERE bill_id = :bill_id" in made.probes
