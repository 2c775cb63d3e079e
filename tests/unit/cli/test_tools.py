"""The tools command: output, exit codes, and that input trouble never hides the readable runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.commands.tools import tools


def run_record(output: str = "done", answer: str = "All done.", **fields: Any) -> dict[str, Any]:
    call = {"name": "ship", "arguments": {"parcel": 7}, "output": output}
    return {"task": "Ship parcel 7", "steps": [{"tool_call": call}], "final_answer": answer, **fields}


FINE, FAILING = run_record(), run_record("error: no van")


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write_file(name: str, *records: Any) -> str:
        path = tmp_path / name
        path.write_text("\n".join(record if isinstance(record, str) else json.dumps(record) for record in records))
        return str(path)

    return write_file


@pytest.fixture
def model_server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server on this machine that says every answer owns up to the failure, and keeps the requests."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.append({"path": self.path, "key": self.headers["authorization"], "body": body})
            is_choice = "tool_choice" in body["messages"][0]["content"]
            answer = (
                {"appropriate": False, "reason": "No."} if is_choice else {"answer": "failed", "reason": "It says so."}
            )
            payload = json.dumps({"choices": [{"message": {"content": json.dumps(answer)}}]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", seen
    server.shutdown()
    server.server_close()
    thread.join(5)


def invoke(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(tools, list(args), input=stdin)


@pytest.mark.parametrize(
    ("record", "options", "code"),
    [
        (FINE, [], 0),
        (FAILING, [], 1),
        (FAILING, ["--fail-on", "never"], 0),
        (FINE, ["--appropriate"], 0),
        (FINE, ["--appropriate", "--fail-on", "review"], 1),
        (FAILING, ["--fail-on", "review"], 1),
        (FINE, ["--fail-on", "sometimes"], 2),
        (FINE, ["--errors", "loose"], 2),
    ],
)
def test_exit_code(write: Any, record: dict[str, Any], options: list[str], code: int) -> None:
    assert invoke(write("run.json", record), *options).exit_code == code


def test_no_input_is_a_usage_error() -> None:
    assert invoke().exit_code == 2


def test_json_of_one_run_is_the_documented_check_result(write: Any) -> None:
    path = write("run.json", FAILING)

    report = json.loads(invoke(path, "--json").stdout)

    assert list(report) == [
        "check", "passed", "verdict", "score", "summary", "findings", "metadata", "prompt_version",
    ]  # fmt: skip
    assert list(report["findings"][0]) == ["severity", "verdict", "subject", "reason", "evidence", "step", "metadata"]
    assert list(report["findings"][0]["metadata"]) == ["allowed", "recovery", "recovered_at", "appropriate"]
    assert report["metadata"]["run"] == {"file": path, "line": 1, "trace_id": None}
    assert report["metadata"]["calls"] == [{"step": 0, "error_rule": "prefix"}]


def test_json_of_several_runs_is_one_line_each(write: Any) -> None:
    many, one = write("runs.jsonl", FINE, FAILING), write("run.json", FINE)

    lines = invoke(many, one, "--json").stdout.splitlines()

    assert [json.loads(line)["verdict"] for line in lines] == ["pass", "fail", "pass"]


def test_text_shows_every_call_with_step_tool_verdict_recovery_and_reason(write: Any) -> None:
    result = invoke(write("run.json", FAILING))

    call = next(line for line in result.stdout.splitlines() if line.strip().startswith("FAIL"))
    assert call.split()[:6] == ["FAIL", "step", "0", "ship", "error_silent", "unchecked"]
    assert "nothing recovered it" in call
    assert "0/1 tool calls correct. Sequence: ship." in result.stdout


def test_bad_record_costs_only_itself_and_wins_over_a_failed_check(write: Any) -> None:
    bad = run_record()
    bad["steps"][0]["tool_call"]["output"] = None
    path = write("runs.jsonl", FAILING, bad, FINE)

    result = invoke(path)

    assert result.exit_code == 2
    assert result.stdout.count("tool_use") == 2
    assert f"{path}:2: $.steps[0].tool_call.output: expected a string, got null" in result.stderr


def test_missing_file_does_not_hide_the_others(write: Any, tmp_path: Path) -> None:
    result = invoke(str(tmp_path / "gone.json"), write("run.json", FINE))

    assert result.exit_code == 2
    assert "gone.json: no such file" in result.stderr
    assert "PASS" in result.stdout


def test_standard_input() -> None:
    assert invoke("-", stdin=json.dumps(FAILING)).exit_code == 1


def test_directory_of_runs(write: Any, tmp_path: Path) -> None:
    write("a.json", FINE)
    write("b.jsonl", FINE, FINE)

    assert len(invoke(str(tmp_path), "--json").stdout.splitlines()) == 3


def test_packaged_traces_are_read() -> None:
    lines = invoke("example:mixed", "--json", "--fail-on", "never").stdout.splitlines()

    reports = [json.loads(line) for line in lines]
    assert len(reports) == 12
    assert all(report["metadata"]["run"]["trace_id"] for report in reports)


def test_terminal_escapes_in_a_run_do_nothing(write: Any) -> None:
    record = run_record("error: \x1b[2J", task="\x1b]0;owned\x07")
    record["steps"][0]["tool_call"]["name"] = "ship\x1b[31m"

    result = invoke(write("run.json", record))

    assert "\x1b" not in result.stdout
    assert "ship\\x1b[31m" in result.stdout


def test_check_answer_without_a_key_is_unchecked_and_names_the_variable(write: Any) -> None:
    result = invoke(write("run.json", FAILING), "--check-answer", "--json")

    assert result.exit_code == 1
    assert "OPENAI_API_KEY is not set" in result.stderr
    finding = json.loads(result.stdout)["findings"][0]
    assert (finding["verdict"], finding["metadata"]["recovery"]) == ("error_silent", "unchecked")


def test_check_answer_asks_a_server_on_this_machine_without_a_key(write: Any, model_server: Any) -> None:
    base_url, seen = model_server

    result = invoke(write("run.json", FAILING), "--check-answer", "--base-url", base_url, "-m", "tiny", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["findings"][0]["metadata"]["recovery"] == "acknowledged"
    [request] = seen
    assert (request["path"], request["key"], request["body"]["model"]) == ("/v1/chat/completions", None, "tiny")


def test_appropriate_asks_of_every_call_and_reads_the_answer(
    write: Any, model_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    base_url, seen = model_server
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")

    result = invoke(write("run.json", FAILING), "--appropriate", "--json")

    finding = json.loads(result.stdout)["findings"][0]
    assert (finding["verdict"], finding["metadata"]["appropriate"]) == ("incorrect", False)
    assert [request["key"] for request in seen] == ["Bearer sk-test"] * 2
    assert "sk-test" not in json.dumps([request["body"] for request in seen]) + result.output


def test_readings_are_passed_on(write: Any) -> None:
    record = run_record('{"error": "no van"}')
    record["steps"].append({"tool_call": {"name": "ship", "arguments": {"parcel": 8}, "output": "shipped"}})
    path = write("run.json", record)

    def recovery(*options: str) -> Any:
        return json.loads(invoke(path, "--json", *options).stdout)["findings"][0]["metadata"]["recovery"]

    assert recovery() is None
    assert recovery("--errors", "structured") == "retried"
    assert recovery("--errors", "structured", "--recovery", "strict") == "unchecked"
