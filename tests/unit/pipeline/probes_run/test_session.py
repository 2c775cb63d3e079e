"""Readings run side by side, are shared only while fresh, and never stop or leak."""

from __future__ import annotations

import base64
import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.probes_run import ProbeFile, ProbeSession
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.probes import Probe, load_probes, merge_probes, probe_line

Load = Callable[[str], ProbeFile]
MakeTrace = Callable[..., Trace]
CANARY = "hunter2/c+n&ry=7Q"

PARCELS = r"""
[[probe]]
name = "parcels.get"
for_tools = ["parcels.create"]
params.parcel_id = { from = "call.output.parcel_id", type = "string", pattern = 'P-[0-9]+' }
sql = { url = "sqlite:///parcels.db", query = "SELECT parcel_id, status FROM parcels WHERE parcel_id = :parcel_id" }
"""


def http(api: Any, more: str = "") -> str:
    return (
        '[[probe]]\nname = "parcels.get"\nfor_tools = ["parcels.create"]\n'
        'params.parcel_id = { from = "call.output.parcel_id", type = "string", pattern = \'.*\' }\n'
        f'http.base_url = "{api.url}"\nhttp.path = "parcels/{{parcel_id}}"\n{more}\n'
    )


def readings(file: ProbeFile, case: CaseSettings, *traces: Trace, **options: Any) -> list[list[Probe]]:
    with ProbeSession(file, {"PATH": os.environ["PATH"], "TOKEN": CANARY}, case, **options) as session:
        return [probes for _, probes in session.probe_all(traces)]


def test_a_reading_becomes_a_probe_of_the_record(
    load: Load, trace: MakeTrace, case: CaseSettings, database: Path
) -> None:
    now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    [[probe]] = readings(load(PARCELS), case, trace({"parcel_id": "P-1"}), clock=lambda: now)
    assert probe == Probe(
        name="parcels.get",
        ok=True,
        ts="2026-05-01T12:00:00+00:00",
        args={"parcel_id": "P-1"},
        output={"parcel_id": "P-1", "status": "in_transit"},
    )


def test_probes_come_in_the_order_of_the_traces_and_problems_pass(
    load: Load, trace: MakeTrace, case: CaseSettings, database: Path
) -> None:
    problem = TraceProblem(file="f", line=1, path="$", message="broken")
    items = [trace({"parcel_id": f"P-{n}"}, trace_id=f"t{n}") for n in range(30)]
    with ProbeSession(load(PARCELS), os.environ, case, concurrency=8) as session:
        pairs = list(session.probe_all([*items, problem]))
    assert [item for item, _ in pairs] == [*items, problem]
    assert [probes[0].args for _, probes in pairs[:-1]] == [{"parcel_id": f"P-{n}"} for n in range(30)]
    assert pairs[-1][1] == []


def test_readings_run_side_by_side(load: Load, trace: MakeTrace, case: CaseSettings, api: Any) -> None:
    both_are_here = threading.Barrier(2, timeout=10)
    api.answers = _Waiting(both_are_here)
    [first, second] = readings(load(http(api)), case, trace({"parcel_id": "a"}), trace({"parcel_id": "b"}))
    assert (first[0].ok, second[0].ok) == (True, True)


class _Waiting(dict[str, Any]):
    """Answers only when two requests are being answered at once."""

    def __init__(self, barrier: threading.Barrier) -> None:
        super().__init__()
        self._barrier = barrier

    def get(self, key: str, default: Any = None) -> Any:
        self._barrier.wait()
        return 200, {}, b'{"id": 1}'


def test_traces_stream(load: Load, trace: MakeTrace, case: CaseSettings, database: Path) -> None:
    taken: list[int] = []

    def source() -> Iterator[Trace]:
        for n in range(100):
            taken.append(n)
            yield trace({"parcel_id": "P-1"}, trace_id=f"t{n}")

    with ProbeSession(load(PARCELS), os.environ, case, concurrency=2) as session:
        first = next(iter(session.probe_all(source())))
    assert first[0].trace_id == "t0"
    assert len(taken) <= 4


def test_a_reading_is_shared_only_when_it_is_newer_than_the_trace(
    load: Load, trace: MakeTrace, case: CaseSettings, api: Any
) -> None:
    api.answer("/parcels/P-1", {"parcel_id": "P-1"})
    start = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    ticks = iter(start + timedelta(seconds=n) for n in range(1000))
    lock = threading.Lock()

    def clock() -> datetime:
        with lock:
            return next(ticks)

    past = trace({"parcel_id": "P-1"}, ts="2026-05-01T11:00:00Z")
    live = trace({"parcel_id": "P-1"}, ts="2026-05-01T13:00:00+00:00")
    unzoned = trace({"parcel_id": "P-1"}, ts="2026-05-01T11:00:00")
    readings(load(http(api)), case, past, past, clock=clock)
    assert len(api.seen) == 1
    readings(load(http(api)), case, past, live, clock=clock)
    assert len(api.seen) == 3
    readings(load(http(api)), case, past, unzoned, clock=clock)
    assert len(api.seen) == 5


def test_one_failing_probe_stops_no_other(load: Load, trace: MakeTrace, case: CaseSettings, database: Path) -> None:
    failing = """
[[probe]]
name = "broken.db"
for_tools = ["*"]
sql = { url = "sqlite:///gone.db", query = "SELECT 1" }
[[probe]]
name = "broken.query"
for_tools = ["*"]
sql = { url = "sqlite:///parcels.db", query = "SELECT a FROM nowhere" }
[[probe]]
name = "broken.command"
for_tools = ["*"]
command = { root = "repo", argv = ["git", "no-such-subcommand"] }
"""
    file = load('limits.timeout_s = 5\n[roots]\nrepo = "repo"\n' + failing + PARCELS)
    with ProbeSession(file, os.environ, case) as session:
        [(_, probes)] = session.probe_all([trace({"parcel_id": "P-1"})])
        assert [probe.ok for probe in probes] == [None, None, None, True]
        assert session.summary() == "4 readings: 1 found, 0 not found, 3 unavailable; 0 not made"
        assert any("no such table" in note for note in session.notes())


def test_a_probe_that_never_finds_anything_is_doubted(
    load: Load, trace: MakeTrace, case: CaseSettings, database: Path
) -> None:
    with ProbeSession(load(PARCELS), os.environ, case) as session:
        list(session.probe_all([trace({"parcel_id": f"P-9{n}"}) for n in range(3)]))
        assert any("found nothing in 3 readings" in note for note in session.notes())


def test_absence_can_be_an_answer(load: Load, trace: MakeTrace, case: CaseSettings, database: Path) -> None:
    file = load(PARCELS.replace("for_tools", 'when_missing = "report"\nfor_tools'))
    [[gone]] = readings(file, case, trace({"parcel_id": "P-9"}))
    [[there]] = readings(file, case, trace({"parcel_id": "P-1"}))
    assert (gone.ok, gone.output, gone.error) == (True, {"found": False}, None)
    assert there.output == {"parcel_id": "P-1", "status": "in_transit", "found": True}


# --- what a verdict makes of it --------------------------------------------------------------------------------------


@pytest.fixture
def verdict(case: CaseSettings) -> Callable[[Trace, list[Probe]], str]:
    spec = spec_from_settings()
    checker = Checker(spec=type(spec)(**{f: getattr(spec, f) for f in spec.__struct_fields__} | {"packs": case.packs}))

    def verdict_of(trace: Trace, probes: list[Probe]) -> str:
        return checker.check_one(merge_probes(trace, {trace.trace_id: probes})).verdict

    return verdict_of


def test_found_verifies_and_not_found_accuses(
    load: Load, trace: MakeTrace, case: CaseSettings, database: Path, verdict: Callable[..., str]
) -> None:
    for parcel, expected in (("P-1", "verified"), ("P-2", "false_success"), ("P-9", "false_success")):
        run = trace({"parcel_id": parcel})
        assert verdict(run, readings(load(PARCELS), case, run)[0]) == expected


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"no such record, it is gone: 404 not found"), (403, b"does not exist"), (200, b"x" * 5000), (302, b"gone")],
)
def test_trouble_of_the_environment_never_accuses(
    load: Load, trace: MakeTrace, case: CaseSettings, api: Any, verdict: Callable[..., str], status: int, body: bytes
) -> None:
    api.answer("/parcels/P-1", body, status, Location="http://localhost:1/not-found")
    run = trace({"parcel_id": "P-1"})
    [probes] = readings(load("limits.max_output_bytes = 1000\n" + http(api)), case, run)
    assert probes[0].ok is None
    assert verdict(run, probes) == "unverifiable"


def test_every_fixed_reason_of_an_unavailable_reading_reads_as_such() -> None:
    """The words of this package itself must never read like "not found"."""
    folder = Path(__file__).resolve().parents[4] / "src" / "agent_claimcheck" / "pipeline" / "probes_run"
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    reasons = re.findall(r'(?:Unavailable|unavailable|ValueRefused)\(\s*f?"([^"]+)"', source)
    assert len(reasons) >= 30
    bad = re.compile(r"not[ _-]?found|no such|does not exist|\b404\b|\bgone\b", re.IGNORECASE)
    assert [reason for reason in reasons if bad.search(reason)] == []


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_no_secret_leaves_in_any_form(
    load: Load, trace: MakeTrace, case: CaseSettings, api: Any, tmp_path: Path
) -> None:
    encoded = base64.b64encode(CANARY.encode()).decode()
    api.answer("/parcels/a", {"you sent": f"Bearer {CANARY}", CANARY: [encoded, "hunter2%2Fc%2Bn%26ry%3D7Q"]})
    api.answer("/parcels/b", f"denied: {CANARY}".encode(), 401)
    api.answer("/parcels/c", f"<p>{CANARY}</p>".encode())
    file = load(http(api, 'http.headers = { Authorization = { env = "TOKEN", prefix = "Bearer " } }'))
    with ProbeSession(file, {"TOKEN": CANARY}, case) as session:
        items = [trace({"parcel_id": name}, trace_id=name) for name in "abc"]
        lines = b"".join(probe_line(item.trace_id, p) for item, found in session.probe_all(items) for p in found)
        told = [*session.notes(), session.summary()]
    assert {headers["authorization"] for _, headers in api.seen} == {f"Bearer {CANARY}"}
    for text in (lines.decode(), *told):
        assert "hunter2" not in text
        assert encoded.rstrip("=") not in text
    assert "***" in lines.decode()
    (tmp_path / "probes.jsonl").write_bytes(lines)
    assert set(load_probes(tmp_path / "probes.jsonl")) == set("abc")


def test_a_command_cannot_print_its_secret(load: Load, trace: MakeTrace, case: CaseSettings, tmp_path: Path) -> None:
    (tmp_path / "say.py").write_text("import os, sys; print(os.environ['TOKEN'], file=sys.stderr); sys.exit(2)\n")
    file = load(
        '[roots]\nhere = "."\n[[probe]]\nname = "p"\nfor_tools = ["*"]\n'
        'command = { root = "here", argv = ["python3", "say.py"], env = ["TOKEN"] }\n'
    )
    with ProbeSession(file, {"PATH": os.environ["PATH"], "TOKEN": CANARY}, case) as session:
        [(_, [probe])] = session.probe_all([trace({})])
        notes = session.notes()
    assert probe.ok is None
    assert "***" in notes[0]
    assert "hunter2" not in json.dumps([notes, probe.error])


@pytest.mark.parametrize("environ", [{}, {"TOKEN": " "}, {"TOKEN": "a\nb"}])
def test_a_missing_or_broken_secret_stops_before_the_first_reading(
    load: Load, case: CaseSettings, api: Any, environ: dict[str, str]
) -> None:
    file = load(http(api, 'http.headers = { Authorization = { env = "TOKEN" } }'))
    with pytest.raises(ConfigError, match="environment variable TOKEN"):
        ProbeSession(file, environ, case)
    assert api.seen == []
