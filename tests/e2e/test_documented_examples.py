"""What the documentation promises, run as a user runs it: the installed command, real files, real exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "agent_claimcheck"]
EXAMPLES = Path(__file__).parents[2] / "examples"

TRACE = {
    "schema": "agent-trace/v1",
    "trace_id": "run-17",
    "source": "my-agent/2.3.0",
    "task": {
        "id": "t-17",
        "domain": "booking",
        "instruction": "Book 30 minutes with tavin.orrel@example.test on 2026-04-06 at 15:00 Europe/Berlin.",
    },
    "steps": [
        {
            "i": 0,
            "ts": "2026-04-01T09:00:00Z",
            "kind": "tool_call",
            "role": "agent",
            "name": "calendar.create_event",
            "args": {
                "start": "2026-04-06T15:00:00+02:00",
                "duration_min": 30,
                "attendees": ["tavin.orrel@example.test"],
            },
        },
        {
            "i": 1,
            "ts": "2026-04-01T09:00:01Z",
            "kind": "tool_result",
            "role": "tool",
            "name": "calendar.create_event",
            "ok": False,
            "output": {"status_code": 409},
            "error": "slot_taken: the slot is no longer free",
        },
    ],
    "final_claim": {"text": "Done, you're booked for Monday at 15:00.", "claims": []},
    "ground_truth": {"outcome": "unknown", "checked_by": "none"},
}

ACME = {
    "schema": "agent-trace/v1",
    "trace_id": "acme-1",
    "source": "acme/1",
    "task": {"id": "a-1", "domain": "other", "instruction": "Schedule a meeting."},
    "steps": [
        {
            "i": 0,
            "ts": "2026-04-01T09:00:00Z",
            "kind": "tool_call",
            "role": "agent",
            "name": "acme.schedule_meeting",
            "args": {"starts_at": "2026-04-06T15:00:00Z"},
        },
        {
            "i": 1,
            "ts": "2026-04-01T09:00:01Z",
            "kind": "tool_result",
            "role": "tool",
            "name": "acme.schedule_meeting",
            "ok": True,
            "output": {"meeting_id": "m-1", "starts_at": "2026-04-06T15:00:00Z"},
        },
    ],
    "final_claim": {
        "text": "The meeting is scheduled.",
        "claims": [{"type": "meeting_booked", "subject": {"start": "2026-04-06T15:00:00Z"}}],
    },
}


def run(*args: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *args], cwd=cwd, capture_output=True, text=True, input=stdin, timeout=120)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "traces.jsonl").write_text(json.dumps(TRACE) + "\n", encoding="utf-8")
    (tmp_path / "acme.jsonl").write_text(json.dumps(ACME) + "\n", encoding="utf-8")
    return tmp_path


def test_documented_trace_is_false_success_citing_step_1(work: Path) -> None:
    done = run("check", "traces.jsonl", "--format", "json", cwd=work)
    assert done.returncode == 1
    (result,) = json.loads(done.stdout)
    assert result["schema"] == "claimcheck-result/v1"
    assert result["verdict"] == "false_success"
    assert result["reasons"][0]["step"] == 1


def test_example_gives_three_of_each_verdict_and_exit_1(work: Path) -> None:
    done = run("check", "example:mixed", cwd=work)
    assert done.returncode == 1
    assert "12 traces: 3 verified, 3 false_success, 3 unverifiable, 3 skipped" in done.stdout
    assert done.stdout.rstrip().splitlines()[-1].startswith("FAIL - 3 accused, 6 decided")


def test_validate_is_silent_on_a_good_file(work: Path) -> None:
    done = run("validate", "traces.jsonl", cwd=work)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_probes_settle_a_receipt_and_results_are_written(work: Path) -> None:
    done = run("check", "acme.jsonl", "--rules", str(EXAMPLES / "rules" / "custom.yaml"), cwd=work)
    assert done.returncode == 0
    assert "1 unverifiable" in done.stdout
    probe = {
        "trace_id": "acme-1",
        "name": "acme.get_meeting",
        "ok": True,
        "ts": "2026-04-01T10:00:00Z",
        "output": {"meeting_id": "m-1", "state": "confirmed", "starts_at": "2026-04-06T17:00:00+02:00"},
    }
    stray = {**probe, "trace_id": "elsewhere"}
    (work / "probes.jsonl").write_text(f"{json.dumps(probe)}\n{json.dumps(stray)}\n", encoding="utf-8")
    rules = str(EXAMPLES / "rules" / "custom.yaml")
    done = run("check", "acme.jsonl", "--rules", rules, "--probes", "probes.jsonl", "--out", "results.jsonl", cwd=work)
    assert done.returncode == 0
    (line,) = (work / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["verdict"] == "verified"
    assert "elsewhere" in done.stderr
    assert "elsewhere" in run("validate", "acme.jsonl", "--probes", "probes.jsonl", cwd=work).stdout


def test_python_example_of_the_readme(work: Path) -> None:
    (work / "probes.jsonl").write_text("", encoding="utf-8")
    code = (
        "from agent_claimcheck import load_traces, Checker\n"
        "for r in Checker().check(load_traces('traces.jsonl'), probes='probes.jsonl'):\n"
        "    print(r.trace_id, r.verdict, r.p_success, r.confidence, r.reasons[0].detail)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=work, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("run-17 false_success 0.03 0.97 ")


def test_standard_input_is_read(work: Path) -> None:
    done = run("check", "-", cwd=work, stdin=json.dumps(TRACE))
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("check", "nosuch.jsonl"), "nosuch.jsonl"),
        (("check", "traces.jsonl", "--config", "nosuch.toml"), "nosuch.toml"),
        (("check", "traces.jsonl", "--fail-on", "flase_success"), "false_success"),
        (("check", "traces.jsonl", "--detector", "rulez"), "rules"),
        (("check", "example:nothing"), "example:mixed"),
        (("chek", "traces.jsonl"), "check"),
        (("check",), "INPUT"),
        (("explain", "traces.jsonl", "no-such-id"), "no-such-id"),
    ],
)
def test_usage_errors_exit_2_and_name_the_next_step(work: Path, args: tuple[str, ...], told: str) -> None:
    done = run(*args, cwd=work)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_one_bad_line_never_costs_the_others_and_exit_2_wins(work: Path) -> None:
    lines = ["not json", json.dumps(TRACE), json.dumps({**TRACE, "trace_id": "run-18", "steps": "no"})]
    (work / "mixed.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = run("check", "mixed.jsonl", "--format", "jsonl", cwd=work)
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 1
    assert "mixed.jsonl:1:" in done.stderr
    assert "mixed.jsonl:3: $.steps:" in done.stderr
    told = run("validate", "mixed.jsonl", "--format", "json", cwd=work)
    assert told.returncode == 2
    assert [json.loads(line)["line"] for line in told.stdout.splitlines()] == [1, 3]
    assert run("check", "mixed.jsonl", "--strict", cwd=work).returncode == 2


@pytest.mark.parametrize("content", ["", "\n\n  \n"])
def test_no_trace_at_all_is_exit_2_in_both_commands(work: Path, content: str) -> None:
    (work / "empty.jsonl").write_text(content, encoding="utf-8")
    assert run("check", "empty.jsonl", cwd=work).returncode == 2
    assert run("validate", "empty.jsonl", cwd=work).returncode == 2


def test_gates_on_coverage_fail_a_run_that_checked_nothing(work: Path) -> None:
    assert run("check", "acme.jsonl", cwd=work).returncode == 0
    assert run("check", "acme.jsonl", "--min-checked", "0.5", cwd=work).returncode == 1
    silent = {**TRACE, "final_claim": {"text": "I could not book it.", "claims": []}}
    (work / "silent.jsonl").write_text(json.dumps(silent), encoding="utf-8")
    assert run("check", "silent.jsonl", cwd=work).returncode == 0
    assert run("check", "silent.jsonl", "--require-claims", cwd=work).returncode == 1


def test_further_outputs_appear_whole(work: Path) -> None:
    done = run("check", "traces.jsonl", "-o", "junit=j.xml", "-o", "markdown=m.md", "-o", "jsonl=r.jsonl", cwd=work)
    assert done.returncode == 1
    assert "<failure" in (work / "j.xml").read_text(encoding="utf-8")
    assert "run-17" in (work / "m.md").read_text(encoding="utf-8")
    result = json.loads((work / "r.jsonl").read_text(encoding="utf-8"))
    assert result["schema"] == "claimcheck-result/v2"
    assert (result["record"], result["line"]) == ("contradicted", 1)


def test_a_user_pack_wins_and_says_so(work: Path) -> None:
    (work / "mine.yaml").write_text(
        "pack: mine\nversion: 1\ntools: ['calendar.*']\n"
        "claims:\n  booked:\n    action: 'calendar.create_event'\n    receipt: {}\n",
        "utf-8",
    )
    done = run("check", "traces.jsonl", "--rules", "mine.yaml", cwd=work)
    assert "mine" in done.stderr
    assert "overrides" in done.stderr


def test_both_names_know_the_same_commands(work: Path) -> None:
    listed = run("--help", cwd=work).stdout
    assert run("--version", cwd=work).stdout.startswith("agent-claimcheck, version ")
    for command in ("check", "validate", "explain", "tools", "packs", "config"):
        assert command in listed


def test_completion_scripts_are_printed(work: Path) -> None:
    assert "complete" in run("completion", "bash", cwd=work).stdout
