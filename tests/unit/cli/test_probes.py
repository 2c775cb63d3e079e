"""``probes run`` and ``check --probes-from``: the manual's example, exit codes, dry run, secrets, hostile traces."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agent_claimcheck.cli.app import app
from agent_claimcheck.core.errors import ConfigError, TraceError
from agent_claimcheck.pipeline.probes_run import load_probe_file
from agent_claimcheck.trace.probes import load_probes

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "probes.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^`([\w.]+)`:\n\n```\w+\n(.*?)^```", PAGE))
SESSIONS = re.findall(r"(?ms)^```console\n\$ agent-claimcheck ([^\n]+)\n(.*?)^```", PAGE)
CANARY = "hunter2-canary-7Q"

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The files of the manual lie in the working directory."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "make_shop.py"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)

    def run_command(*args: str) -> Result:
        return CliRunner().invoke(app, list(args))

    return run_command


def test_the_manual_has_its_files_and_sessions() -> None:
    assert set(FILES) == {"make_shop.py", "traces.jsonl", "parcels.yaml", "probes.toml"}
    assert len(SESSIONS) == 2


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=["dry run", "check"])
def test_the_sessions_of_the_manual_print_what_they_show(run: Run, command: str, shown: str) -> None:
    result = run(*shlex.split(command))
    assert result.stdout == shown


@pytest.mark.parametrize("place", ["traces.jsonl", "probes.toml", "parcels.yaml"])
def test_nothing_that_is_read_is_overwritten(run: Run, place: str) -> None:
    result = run("probes", "run", "probes.toml", "traces.jsonl", "--rules", "parcels.yaml", "--out", place)
    assert result.exit_code != 0
    assert Path(place).read_text(encoding="utf-8") == FILES[place]


def test_readings_that_no_rule_asks_for_are_told(run: Run) -> None:
    told = "no rule asks for the state probe 'parcels.get_shipment'"
    assert told in run("check", "traces.jsonl", "--probes-from", "probes.toml").stderr
    assert told not in run("check", "traces.jsonl", "--probes-from", "probes.toml", "--rules", "parcels.yaml").stderr
    run("probes", "run", "probes.toml", "traces.jsonl", "--out", "probes.jsonl")
    assert told in run("check", "traces.jsonl", "--probes", "probes.jsonl").stderr


def test_the_other_snippet_of_the_manual_loads(tmp_path: Path) -> None:
    [snippet] = [text for text in re.findall(r"(?ms)^```toml\n(.*?)^```", PAGE) if text != FILES["probes.toml"]]
    (tmp_path / "git.toml").write_text('version = 1\nroots = { checkout = "." }\n' + snippet, encoding="utf-8")
    assert [probe.name for probe in load_probe_file(tmp_path / "git.toml").probes] == ["git.commit"]


def test_every_key_of_a_probes_file_is_in_the_manual() -> None:
    schema = json.loads((ROOT / "schemas" / "probes-file.json").read_text(encoding="utf-8"))
    keys = {key for part in (schema, *schema["$defs"].values()) for key in part["properties"]}
    assert len(keys) > 30
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", PAGE)] == []


def test_the_probes_are_written_in_the_documented_format(run: Run, tmp_path: Path) -> None:
    result = run("probes", "run", "probes.toml", "traces.jsonl", "--rules", "parcels.yaml", "--out", "probes.jsonl")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "2 readings: 1 found, 1 not found, 0 unavailable; 1 not made" in result.stderr
    probes = load_probes(tmp_path / "probes.jsonl")
    assert {trace_id: [probe.ok for probe in found] for trace_id, found in probes.items()} == {
        "run-1": [True], "run-2": [False],
    }  # fmt: skip


def test_side_file_and_probes_from_give_the_same_verdicts(run: Run) -> None:
    run("probes", "run", "probes.toml", "traces.jsonl", "--rules", "parcels.yaml", "--out", "probes.jsonl")
    how = ("--rules", "parcels.yaml", "--format", "jsonl")
    apart = run("check", "traces.jsonl", *how, "--probes", "probes.jsonl")
    at_once = run("check", "traces.jsonl", *how, "--probes-from", "probes.toml")
    assert (apart.exit_code, at_once.exit_code) == (1, 1)
    verdicts = [[json.loads(line)["verdict"] for line in result.stdout.splitlines()] for result in (apart, at_once)]
    assert verdicts == [["verified", "false_success", "unverifiable"]] * 2


def test_explain_reads_for_the_traces_it_shows_and_no_others(run: Run) -> None:
    how = ("--rules", "parcels.yaml", "--probes-from", "probes.toml")
    one = run("explain", "traces.jsonl", "run-1", *how)
    assert "verified" in one.stdout
    assert "1 reading: 1 found" in one.stderr
    every = run("explain", "traces.jsonl", *how)
    assert "not found: no row" in every.stdout
    assert "2 readings: 1 found, 1 not found, 0 unavailable; 1 not made" in every.stderr


def test_doctor_counts_the_probes_that_were_read_now(run: Run) -> None:
    bare = run("doctor", "traces.jsonl", "--rules", "parcels.yaml")
    read = run("doctor", "traces.jsonl", "--rules", "parcels.yaml", "--probes-from", "probes.toml")
    assert read.exit_code == 0
    assert "2 readings" in read.stderr
    told = "2 state probes, readings of the state after the run"
    assert told in read.stdout and told not in bare.stdout


@pytest.mark.parametrize("command", ["explain", "doctor", "serve"])
def test_a_faulty_probes_file_stops_every_command_that_reads(run: Run, command: str) -> None:
    path = Path("probes.toml")
    path.write_text(path.read_text(encoding="utf-8").replace("SELECT", "DELETE"), encoding="utf-8")
    assert isinstance(run(command, "traces.jsonl", "--probes-from", "probes.toml").exception, ConfigError)


def test_standard_output_is_the_default(run: Run) -> None:
    result = run("probes", "run", "probes.toml", "traces.jsonl", "--concurrency", "2")
    assert [json.loads(line)["trace_id"] for line in result.stdout.splitlines()] == ["run-1", "run-2"]


def test_a_dry_run_reads_nothing_and_needs_no_secret(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.db").unlink()
    result = run(
        "probes", "run", str(ROOT / "examples" / "probes.toml"), "example:mixed", "--dry-run", "--out", "p.jsonl"
    )
    assert result.exit_code == 0
    assert "GET https://calendar.example/v1/events/evt_7Q2M -H 'Authorization: Bearer ***'" in result.stdout
    assert "nothing was read" in result.stderr
    assert not (tmp_path / "p.jsonl").exists()
    assert run("probes", "run", "probes.toml", "traces.jsonl", "--dry-run").exit_code == 0


def test_a_bad_line_is_told_and_the_rest_is_read(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text("{broken\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    result = run("probes", "run", "probes.toml", "traces.jsonl")
    assert result.exit_code == 2
    assert "traces.jsonl:1:" in result.stderr
    assert len(result.stdout.splitlines()) == 2
    assert isinstance(run("probes", "run", "probes.toml", "traces.jsonl", "--strict").exception, TraceError)


def test_a_faulty_probes_file_stops_before_any_output(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "probes.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("SELECT", "DELETE"), encoding="utf-8")
    (tmp_path / "old.jsonl").write_text("old", encoding="utf-8")
    for args in (
        ("probes", "run", "probes.toml", "traces.jsonl", "--out", "old.jsonl"),
        ("check", "traces.jsonl", "--probes-from", "probes.toml", "--out", "old.jsonl"),
    ):
        error = run(*args).exception
        assert isinstance(error, ConfigError)
        assert "probes.toml: probe[0].sql.query: must be one SELECT" in str(error)
    assert (tmp_path / "old.jsonl").read_text(encoding="utf-8") == "old"


# --- secrets and hostile traces against a server of this machine -----------------------------------------------------


@pytest.fixture
def echo() -> Iterator[tuple[str, list[str]]]:
    """A server that repeats the headers it got, and keeps the request lines."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            body = json.dumps({"tracking_id": "TRK-1001", "status": "in_transit", "you": dict(self.headers)}).encode()
            self.send_response(200 if "TRK-1001" in self.path else 401)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()
    thread.join(5)


def http_probes(url: str, pattern: str) -> str:
    return f"""version = 1
[[probe]]
name = "parcels.get_shipment"
for_tools = ["parcels.create_shipment"]
[probe.params.tracking_id]
from = "call.output.tracking_id"
type = "string"
pattern = '{pattern}'
[probe.http]
base_url = "{url}"
path = "parcels/{{tracking_id}}"
headers = {{ Authorization = {{ env = "SHOP_TOKEN", prefix = "Bearer " }} }}
"""


def test_a_secret_stays_out_of_every_output(
    run: Run, tmp_path: Path, echo: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", CANARY)
    (tmp_path / "http.toml").write_text(http_probes(echo[0], "TRK-[0-9]+"), encoding="utf-8")
    outputs = ("jsonl=all.jsonl", "junit=all.xml", "markdown=all.md")
    results = [
        run("probes", "run", "http.toml", "traces.jsonl", "--dry-run"),
        run("probes", "run", "http.toml", "traces.jsonl", "--out", "probes.jsonl"),
        run("check", "traces.jsonl", "--rules", "parcels.yaml", "--probes-from", "http.toml", "--out", "v1.jsonl",
            *(part for output in outputs for part in ("-o", output))),
    ]  # fmt: skip
    assert len(echo[1]) == 4
    assert "1 found, 0 not found, 1 unavailable" in results[1].stderr
    texts = [text for result in results for text in (result.stdout, result.stderr)]
    texts += [
        path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.suffix in (".jsonl", ".xml", ".md")
    ]
    assert len(texts) == 6 + 6
    assert [text for text in texts if CANARY in text] == []
    assert "Bearer ***" in (tmp_path / "probes.jsonl").read_text(encoding="utf-8")


HOSTILE = [
    "; touch owned", "$(touch owned)", "`touch owned`", "--upload-pack=touch owned", "-rf", "../../etc/passwd", "..", "a\nb",
    "a\x00b", "a\x1b]0;x\x07", "' OR 1=1 --", "ТRK-1001", "TRK‐1001", "TRK-1001\u202e", "x" * 1_000_000, "@evil.example/",
    "%2e%2e%2f", "http://evil.example/", "\ud800", 10**400, -1, True, None, [], {}, ["TRK-1001"] * 3, {"a": "TRK-1001"},
]  # fmt: skip


def test_hostile_values_reach_nothing(
    run: Run, tmp_path: Path, echo: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", CANARY)
    template = json.loads(FILES["traces.jsonl"].splitlines()[0])
    lines = []
    for number, value in enumerate(HOSTILE):
        template["trace_id"] = f"h-{number}"
        template["steps"][1]["output"]["tracking_id"] = value
        lines.append(json.dumps(template))
    (tmp_path / "hostile.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "http.toml").write_text(http_probes(echo[0], ".*"), encoding="utf-8")
    (tmp_path / "command.toml").write_text(
        """version = 1
roots = { here = "." }
[[probe]]
name = "parcels.get_shipment"
for_tools = ["parcels.create_shipment"]
params.tracking_id = { from = "call.output.tracking_id", type = "string", pattern = '.*' }
command = { root = "here", argv = ["git", "ls-remote", "{tracking_id}"] }
[[probe]]
name = "parcels.file"
for_tools = ["parcels.create_shipment"]
params.tracking_id = { from = "call.output.tracking_id", type = "string", pattern = '.*' }
file = { root = "here", path = "{tracking_id}", read = "sha256" }
""".replace('"git", "ls-remote"', f'"{sys.executable}", "say.py"'),
        encoding="utf-8",
    )
    (tmp_path / "say.py").write_text("import json, sys; print(json.dumps(sys.argv[1:]))", encoding="utf-8")

    over_http = run("probes", "run", "http.toml", "hostile.jsonl")
    assert [path for path in echo[1] if not re.fullmatch(r"/parcels/[A-Za-z0-9%._~-]+", path)] == []
    assert [path for path in echo[1] if ".." in path] == []
    assert over_http.stderr.replace("\n", "").isprintable()

    by_command = run("probes", "run", "command.toml", "hostile.jsonl")
    assert not (tmp_path / "owned").exists()
    probes = [json.loads(line) for line in by_command.stdout.splitlines()]
    arguments = [probe["output"] for probe in probes if probe["name"] == "parcels.get_shipment"]
    assert all(len(argv) == 1 for argv in arguments)
    assert arguments[:2] + arguments[3:4] == [["; touch owned"], ["$(touch owned)"], ["../../etc/passwd"]]
    assert [argv for argv in arguments if argv[0].startswith("-")] == []
    assert all(probe["ok"] is not True for probe in probes if probe["name"] == "parcels.file")
    assert by_command.stderr.replace("\n", "").isprintable()
