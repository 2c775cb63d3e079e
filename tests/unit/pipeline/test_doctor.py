"""The doctor: what it finds in an installation and in trace files, and what it advises."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from agent_claimcheck.core.resources import data_path
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportReport
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.doctor.examine import MAX_RUNS, Examination, examine_traces
from agent_claimcheck.pipeline.doctor.installation import examine_installation
from agent_claimcheck.pipeline.doctor.model import Line
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace, TraceProblem


def run(
    number: int = 0, tool: str = "create_lease", said: str = "I have created the lease.", result: bool = True
) -> Trace:
    args = {"plot_id": f"P{number}"}
    steps = [Step(i=0, ts="2026-03-02T16:50:00Z", kind="tool_call", role="agent", name=tool, args=args)]
    if result:
        output = {"lease_id": f"L{number}"}
        steps.append(
            Step(i=1, ts="2026-03-02T16:50:01Z", kind="tool_result", role="tool", name=tool, ok=True, output=output)
        )
    return Trace(
        trace_id=f"t{number}",
        source="s",
        task=Task(id=f"task-{number}", domain="other", instruction="Lease a plot."),
        steps=steps,
        final_claim=FinalClaim(text=said),
    )


def examine(items: Iterable[Imported]) -> Examination:
    return examine_traces(items, spec_from_settings())


def lines(found: Examination, title: str) -> tuple[Line, ...]:
    return next(section.lines for section in found.sections if section.title == title)


def texts(found: Examination, title: str) -> str:
    return "\n".join(f"{line.weight} {line.text} -> {line.advice}" for line in lines(found, title))


def test_a_claim_with_a_named_record_could_be_verified_by_a_probe_on_its_id() -> None:
    found = examine([run(n) for n in range(3)] + [run(3, said="Shall I go on?")])
    assert "missing 100 % could be by a probe on `lease_id`" in texts(found, "What could be verified")
    assert "good 3 claims in 3 runs" in texts(found, "What could be verified")


def test_the_probe_a_pack_asks_for_is_named_with_the_record() -> None:
    traces = [
        replace(trace, steps=[s for s in trace.steps if s.kind != "state_probe"])
        for trace in load_traces("example:mixed")
    ]
    said = texts(examine(traces), "What could be verified")
    assert "by the probe `calendar.get_event` on `event_id` that the pack booking asks for" in said


def test_claims_already_settled_are_counted_as_such() -> None:
    said = texts(examine(load_traces("example:mixed")), "What could be verified")
    assert "are verified by a state probe" in said
    assert "are contradicted by the record" in said


def test_missing_results_and_probes_are_named() -> None:
    said = texts(examine([run(0), run(1, result=False)]), "What is captured")
    assert "missing 50 % of 2 tool calls have a result" in said
    assert "missing no state probes" in said


def test_a_result_says_whether_its_call_worked_by_what_can_be_read_of_it() -> None:
    def without_flag(number: int, **said: object) -> Trace:
        trace = run(number)
        steps = [replace(s, ok=None, status="unknown", output={"lease_id": "L1", **said}) for s in trace.steps[1:]]
        return replace(trace, steps=[trace.steps[0], *steps])

    said = texts(examine([without_flag(0), without_flag(1, status="created")]), "What is captured")
    assert "missing 50 % of 2 results say whether the call worked" in said


def test_a_run_without_calls_cannot_be_checked() -> None:
    trace = replace(run(), steps=[])
    found = examine([trace])
    assert "missing no tool call in 1 run" in texts(found, "What is captured")


def test_unmapped_tools_and_tools_of_unknown_effect_are_listed() -> None:
    said = texts(examine([run(0), run(1, tool="frobnicate")]), "Tools")
    assert "1 writing tool mapped by no pack: create_lease (1)" in said
    assert "1 tool of unknown effect: frobnicate (1)" in said


def test_what_an_importer_lost_comes_with_what_to_switch_on() -> None:
    report = ImportReport(file="x.json", format="otel-genai", runs=1)
    report.miss("content was not recorded: switch it on")
    found = examine([run(), ImportNote(file="x.json", report=report)])
    assert "missing not captured by otel-genai -> content was not recorded: switch it on" in texts(found, "Import")


def test_faults_of_files_are_shown_and_counted() -> None:
    found = examine([TraceProblem(file="x", line=n, path="$", message="bad") for n in range(9)])
    assert (found.runs, found.problems) == (0, 9)
    assert len(lines(found, "Faults of the files")) == 6


def test_only_so_many_runs_are_looked_at() -> None:
    found = examine(run(n) for n in range(MAX_RUNS + 5))
    assert found.runs == MAX_RUNS
    assert "only the first" in texts(found, "Note")


def test_runs_of_one_task_are_offered_for_comparison() -> None:
    traces = [replace(run(n), task=run().task) for n in range(4)]
    assert "4 runs have 3 or more others of their task: check --group task" in texts(
        examine(traces), "What is captured"
    )


def test_a_sound_installation_has_nothing_to_repair(tmp_path: Path) -> None:
    found = examine_installation(None, {"XDG_CACHE_HOME": str(tmp_path)}, tmp_path)
    assert not found.is_wrong
    said = "\n".join(line.text for line in found.lines)
    assert all(pack.name in said for pack in load_builtin_packs())
    assert f"cache directory: {tmp_path / 'agent-claimcheck'}" in said


def test_faulty_settings_are_to_be_repaired(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").write_text("[gate]\nverifed = 0.9\n", encoding="utf-8")
    found = examine_installation(None, {}, tmp_path)
    assert found.is_wrong
    assert any("verifed" in line.text for line in found.lines)


def test_a_pack_named_in_the_settings_that_does_not_load_is_to_be_repaired(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("pack: x\n", encoding="utf-8")
    (tmp_path / "claimcheck.toml").write_text(f'[rules]\npacks = ["{tmp_path / "bad.yaml"}"]\n', encoding="utf-8")
    assert examine_installation(None, {}, tmp_path).is_wrong


def test_the_packaged_files_are_told_by_what_they_are(tmp_path: Path) -> None:
    [line] = [line for line in examine_installation(None, {}, tmp_path).lines if "packaged data" in line.text]
    traces = line.text.partition("traces ")[2].partition(";")[0]
    assert "example:mixed" in traces and "example:probes" not in traces
    assert "state probes example:probes" in line.text


def own(folder: Path, model: str, calibration: str) -> Path:
    config = folder / "claimcheck.toml"
    config.write_text(f'[classifier]\nmodel = "{model}"\ncalibration = "{calibration}"\n', encoding="utf-8")
    return config


def test_the_classifier_of_ones_own_is_named_with_what_it_is_made_of(tmp_path: Path) -> None:
    models = data_path("models")
    config = own(tmp_path, f"{models}/classifier-v1.json", f"{models}/calibration.json")
    said = "\n".join(f"{line.weight} {line.text}" for line in examine_installation(config, {}, tmp_path).lines)
    assert f"good classifier ({models}/classifier-v1.json): logistic regression, fitted on " in said
    assert f"good calibrators ({models}/calibration.json): classifier, classifier-lr, rules" in said
    assert "another classifier file" not in said


def test_a_calibrator_of_another_classifier_and_a_broken_file_are_said(tmp_path: Path) -> None:
    models = data_path("models")
    text = (models / "classifier-v1.json").read_text(encoding="utf-8")
    (tmp_path / "mine.json").write_text(f"{text}\n", encoding="utf-8")
    config = own(tmp_path, f"{tmp_path}/mine.json", f"{models}/calibration.json")
    lines = examine_installation(config, {}, tmp_path).lines
    assert any("classifier was fitted for another classifier file" in line.text for line in lines)
    (tmp_path / "mine.json").write_text(text.replace('"intercept":', '"was":'), encoding="utf-8")
    section = examine_installation(config, {}, tmp_path)
    assert section.is_wrong
    assert any(f"{tmp_path}/mine.json" in line.text and "$.model" in line.text for line in section.lines)
