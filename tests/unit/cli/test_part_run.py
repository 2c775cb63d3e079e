from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from agent_claimcheck.cli.app import main
from agent_claimcheck.cli.console import ByteProgress
from agent_claimcheck.core.resources import resolve_alias

QUICK = ("--detector", "rules")


@pytest.fixture
def command(capfdbinary, tmp_path, monkeypatch):
    """Return a function that runs a command and gives its exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, bytes, str]:
        with pytest.raises(SystemExit) as left:
            main(list(args))
        out, err = capfdbinary.readouterr()
        return int(left.value.code or 0), out, err.decode()

    return run


@pytest.fixture
def traces(tmp_path) -> Path:
    """The example traces many times over, with a faulty line and an id that comes again."""
    source = resolve_alias("example:mixed")
    assert source is not None
    lines = []
    for copy in range(60):
        for line in source.read_text().splitlines():
            record = json.loads(line)
            record["trace_id"] = f"{copy}-{record['trace_id']}"
            lines.append(json.dumps(record))
    lines[300] = lines[5]
    lines.insert(400, "{")
    path = tmp_path / "traces.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def outputs(folder: str) -> list[str]:
    return [word for name in ("jsonl", "jsonl-v1", "junit", "markdown") for word in ("-o", f"{name}={folder}.{name}")]


def test_outputs_told_problems_and_exit_code_do_not_depend_on_the_workers(command, traces, tmp_path):
    alone = command("check", traces.name, *QUICK, *outputs("alone"))
    shared = command("check", traces.name, *QUICK, "--jobs", "2", *outputs("shared"))
    job = command("check", traces.name, *QUICK, "--job", "job", "--jobs", "2", *outputs("job"))
    assert alone[0] == shared[0] == job[0] == 2
    assert alone[1] == shared[1] == job[1]
    assert sorted(alone[2].splitlines()) == sorted(shared[2].splitlines())
    for name in ("jsonl", "jsonl-v1", "junit", "markdown"):
        data = (tmp_path / f"alone.{name}").read_bytes()
        assert data
        assert (tmp_path / f"shared.{name}").read_bytes() == data
        assert (tmp_path / f"job.{name}").read_bytes() == data


def test_a_job_can_be_asked_resumed_and_merged(command, traces):
    first = command("check", traces.name, *QUICK, "--job", "job", "--jobs", "1", "--format", "jsonl")
    code, said, _ = command("job", "status", "job")
    assert code == 0
    assert b"complete" in said
    code, said, _ = command("job", "status", "job", "--format", "json")
    assert json.loads(said)["counts"]["total"] == 720
    again = command("check", traces.name, *QUICK, "--job", "job", "--jobs", "1", "--format", "jsonl")
    assert again[:2] == first[:2]
    assert "parts are done" in again[2]
    merged = command("job", "merge", "job", "--format", "jsonl")
    assert merged[1] == first[1]
    for report in Path("job/parts").glob("part-00000001.report.json"):
        report.unlink()
    assert command("job", "status", "job")[0] == 1
    assert command("job", "merge", "job")[0] == 2
    code, part, _ = command("job", "merge", "job", "--partial", "--format", "jsonl")
    assert 0 < part.count(b"\n") < first[1].count(b"\n")


def test_a_changed_configuration_stops_the_job(command, traces):
    command("check", traces.name, *QUICK, "--job", "job", "--jobs", "1")
    code, _, said = command("check", traces.name, "--detector", "trust-agent", "--job", "job", "--jobs", "1")
    assert code == 2
    assert "the configuration differs" in said


def test_strict_stops_at_the_first_problem(command, traces):
    alone = command("check", traces.name, *QUICK, "--strict", "--format", "jsonl")
    shared = command("check", traces.name, *QUICK, "--strict", "--format", "jsonl", "--jobs", "auto")
    assert alone[0] == shared[0] == 2
    assert alone[2] == shared[2]
    assert "was used before" in shared[2]


def test_probes_are_merged_and_unknown_ones_told(command):
    alone = command("check", "example:mixed", *QUICK, "--probes", "example:probes", "--format", "jsonl")
    shared = command(
        "check", "example:mixed", *QUICK, "--probes", "example:probes", "--format", "jsonl", "--jobs", "auto"
    )
    assert alone == shared


def test_probes_on_standard_input_reach_every_worker(command, monkeypatch):
    source = resolve_alias("example:probes")
    assert source is not None

    def checked(*flags: str) -> tuple[int, bytes, str]:
        with source.open("rb") as probes, io.TextIOWrapper(probes) as text:
            monkeypatch.setattr("sys.stdin", text)
            return command("check", "example:mixed", *QUICK, "--probes", "-", "--format", "jsonl", *flags)

    alone = checked()
    assert alone == checked("--jobs", "2")
    assert alone[1] == command("check", "example:mixed", *QUICK, "--probes", "example:probes", "--format", "jsonl")[1]


@pytest.mark.parametrize("name", ["check", "explain", "doctor", "serve", "validate"])
def test_standard_input_is_not_read_as_two_things(command, name):
    code, _, said = command(name, "-", "--probes", "-")
    assert code == 2
    assert "cannot be both INPUT and --probes" in said


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--jobs", "0"), "neither auto nor a number"),
        (("--jobs", "many"), "neither auto nor a number"),
        (("--jobs", "2", "--group", "task"), "--group works in one process"),
        (("--jobs", "2", "--probes-from", "p.toml"), "probes run PROBES.toml INPUT --out probes.jsonl"),
        (("--job", "j", "--probes", "-"), "a job cannot read them again"),
        (("--engine", "ray", "--probes", "-"), "a cluster cannot read them"),
        (("--address", "auto"), "needs --engine ray"),
        (("--job", "j", "--record", "r"), "--record works in one process"),
    ],
)
def test_what_cannot_be_done_in_parts_is_refused(command, flags, message):
    code, _, said = command("check", "example:mixed", *flags)
    assert code == 2
    assert message in said


def test_a_fault_of_the_settings_is_named_before_workers_start(command, traces):
    code, _, said = command("check", traces.name, "--detector", "nosuch", "--jobs", "2")
    assert code == 2
    assert "unknown detector 'nosuch'" in said


def test_a_baseline_silences_what_was_known(command):
    assert command("check", "example:mixed", *QUICK, "-o", "jsonl=known.jsonl")[0] == 1
    assert command("check", "example:mixed", *QUICK, "--baseline", "known.jsonl")[0] == 0
    assert command("check", "example:mixed", *QUICK, "--baseline", "known.jsonl", "--jobs", "auto")[0] == 0
    known = Path("known.jsonl").read_text().splitlines()
    Path("fewer.jsonl").write_text("\n".join(line for line in known if '"false_success"' not in line) + "\n")
    code, _, said = command("check", "example:mixed", *QUICK, "--baseline", "fewer.jsonl", "--format", "jsonl")
    assert code == 1
    assert "3 new false_success" in said


def test_report_and_compare_read_what_check_wrote(command, traces):
    command("check", "example:mixed", *QUICK, "-o", "jsonl=a.jsonl", "--out", "b.jsonl")
    code, said, _ = command("report", "a.jsonl", "b.jsonl", "--html", "r.html", "--markdown", "r.md")
    assert code == 0
    assert said.startswith(b"24 traces from 2 files: 6 of 18 claimed successes are shown to be false")
    assert Path("r.html").read_text().startswith("<!doctype html>")
    assert Path("r.md").read_text().startswith("# Claim check report")
    code, said, _ = command("compare", "a.jsonl", "b.jsonl", "--fail-on", "worse")
    assert code == 0
    assert b"0 of 12 traces in both changed their verdict" in said
    command("check", traces.name, *QUICK, "--job", "job", "--jobs", "1")
    code, said, _ = command("report", "job")
    assert said.startswith(b"719 traces from ")


def test_a_job_is_counted_as_it_is_merged(command, traces):
    half = traces.read_text().splitlines(keepends=True)
    Path("one.jsonl").write_text("".join(half[:200]))
    Path("two.jsonl").write_text("".join(half[100:300]))
    command("check", "one.jsonl", "two.jsonl", *QUICK, "--job", "job", "--jobs", "2")
    command("job", "merge", "job", "-o", "jsonl=merged.jsonl")
    merged, of_job = (command("report", name)[1].splitlines() for name in ("merged.jsonl", "job"))
    assert of_job[0].startswith(b"300 traces from ")
    assert of_job[1:] == merged[1:]
    assert command("compare", "job", "merged.jsonl")[1] == command("compare", "merged.jsonl", "merged.jsonl")[1]
    twice = command("report", "merged.jsonl", "merged.jsonl")[1]
    assert twice.startswith(b"600 traces")


def test_compare_fails_on_worse(command):
    command("check", "example:mixed", *QUICK, "-o", "jsonl=a.jsonl")
    line = next(line for line in Path("a.jsonl").read_text().splitlines() if '"verdict":"verified"' in line)
    record = json.loads(line)
    for name, verdict in (("good", "verified"), ("bad", "false_success")):
        rows = (json.dumps({**record, "trace_id": f"r{n}", "verdict": verdict}) for n in range(40))
        Path(f"{name}.jsonl").write_text("\n".join(rows) + "\n")
    assert command("compare", "good.jsonl", "bad.jsonl")[0] == 0
    code, said, _ = command("compare", "good.jsonl", "bad.jsonl", "--fail-on", "worse", "--format", "json")
    assert code == 1
    assert json.loads(said)["judgement"] == "worse"
    assert command("compare", "bad.jsonl", "good.jsonl", "--fail-on", "worse")[0] == 0


def test_a_file_of_runs_or_of_nothing_is_no_file_of_results(command):
    Path("runs.jsonl").write_text('{"messages": []}\n' * 30)
    Path("empty.jsonl").write_text("")
    for arguments in (("report", "runs.jsonl"), ("compare", "runs.jsonl", "runs.jsonl")):
        code, _, said = command(*arguments)
        assert code == 2
        assert said.count("a missing schema is no result format") == 10
        assert "`check RUNS -o jsonl=PATH` makes results of runs" in said
        assert "more that are no results" in said
    assert command("report", "empty.jsonl")[::2] == (2, "error: no results in empty.jsonl\n")
    code, said, wrong = command("compare", "empty.jsonl", "empty.jsonl", "--fail-on", "worse")
    assert (code, wrong) == (2, "error: no results in empty.jsonl and empty.jsonl\n")
    assert b"nothing to compare" in said


def test_results_that_cannot_be_read_are_counted(command):
    Path("bad.jsonl").write_text('{"schema": "x"}\n')
    code, _, said = command("report", "bad.jsonl")
    assert code == 2
    assert "is no result format" in said


def test_progress_says_share_rate_and_time_left():
    progress = ByteProgress(1000, is_shown=False)
    progress.step(250, 50)
    assert progress.line(10.0) == "50 traces, 5/s, 25%, 30 s left"
    assert ByteProgress(0, is_shown=False).line(0.0) == "0 traces, 0/s, 0%"
    assert progress.line(4000.0).endswith("3 h 20 min left")


def test_a_large_file_that_cannot_be_cut_is_named(command, tmp_path):
    messages = [{"role": "user", "content": "Water the ferns. " * 20}, {"role": "assistant", "content": "All done."}]
    runs = (json.dumps({"id": str(number), "messages": messages}) for number in range(3000))
    (tmp_path / "chat.jsonl").write_text("\n".join(runs) + "\n")
    shared = command("check", "chat.jsonl", *QUICK, "--jobs", "2", "--format", "jsonl")
    job = command("check", "chat.jsonl", *QUICK, "--job", "job", "--jobs", "1", "--format", "jsonl")
    for _, _, said in (shared, job):
        assert "note: chat.jsonl is one part" in said
        assert "agent-claimcheck import chat.jsonl --out traces.jsonl" in said
    command("import", "chat.jsonl", "--out", "traces.jsonl")
    assert "is one part" not in command("check", "traces.jsonl", *QUICK, "--jobs", "2", "--format", "jsonl")[2]
