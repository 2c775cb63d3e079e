from __future__ import annotations

import gzip
import json

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.probes import Probe, load_probes, merge_probes

PROBE = {"trace_id": "t-1", "name": "plants.get", "ok": True, "ts": "2026-01-02"}


def write(path, *probes):
    path.write_text("".join(json.dumps(probe) + "\n" for probe in probes))
    return path


def test_probes_are_grouped_by_trace_in_file_order(tmp_path):
    path = write(
        tmp_path / "p.jsonl",
        PROBE,
        {**PROBE, "trace_id": "u", "ok": None},
        {**PROBE, "ok": False, "args": {"id": 1}, "output": [1], "error": {"code": 5}},
    )
    assert load_probes(path) == {
        "t-1": [
            Probe(name="plants.get", ok=True, ts="2026-01-02"),
            Probe(name="plants.get", ok=False, ts="2026-01-02", args={"id": 1}, output=[1], error={"code": 5}),
        ],
        "u": [Probe(name="plants.get", ok=None, ts="2026-01-02")],
    }


def test_compressed_probes_and_blank_lines_are_read(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(gzip.compress(b"\n" + json.dumps(PROBE).encode() + b"\r\n\r\n"))
    assert list(load_probes(path)) == ["t-1"]


def test_an_empty_file_has_no_probes(tmp_path):
    assert load_probes(write(tmp_path / "p.jsonl")) == {}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"ok": "yes"}, "$.ok"),
        ({"ts": "soon"}, "$.ts"),
        ({"args": []}, "$.args"),
        ({"name": None}, "$.name"),
        ({"error": 1}, "$.error"),
        ({"kind": "state_probe"}, "$"),
        ({"i": 3}, "$"),
    ],
)
def test_probes_are_strict(tmp_path, change, path):
    file = write(tmp_path / "p.jsonl", PROBE, {**PROBE, **change})
    with pytest.raises(InputError) as caught:
        load_probes(file)
    assert str(caught.value).startswith(f"{file}:2: {path}: ")


def test_all_faults_of_all_lines_are_named(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"trace_id":\n' + json.dumps(PROBE).encode() + b'\n{"trace_id": "x", "ok": NaN, "ok": 1}\n[]\n')
    with pytest.raises(InputError) as caught:
        load_probes(path)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{path}:1: $: is not JSON: it ends too early")
    assert lines[1:] == [
        f'{path}:3: $: key "ok" comes more than once',
        f'{path}:3: $: required field "name" is missing',
        f'{path}:3: $: required field "ts" is missing',
        f"{path}:3: $.ok: expected true or false or null, got 1",
        f"{path}:4: $: expected an object, got a list of 0 items",
    ]


def test_the_message_about_a_bad_file_stays_short(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"x\n" * 500)
    with pytest.raises(InputError) as caught:
        load_probes(path)
    assert str(caught.value).splitlines()[-1] == "... and 450 more"


def test_a_damaged_or_missing_file_is_named(tmp_path):
    path = tmp_path / "p.gz"
    path.write_bytes(gzip.compress(json.dumps(PROBE).encode())[:-4])
    with pytest.raises(InputError, match=r"p\.gz: compressed data is damaged"):
        load_probes(path)
    with pytest.raises(InputError, match="no such file"):
        load_probes(tmp_path / "none.jsonl")


def test_probes_are_appended_behind_the_last_step(trace, call):
    probes = {"t-1": [Probe(name="a", ok=True, ts="2026-01-02", output=1), Probe(name="b", ok=None, ts="2026-01-03")]}
    merged = merge_probes(trace(call(0), call(7)), probes)
    assert merged.steps[2:] == [
        Step(i=8, ts="2026-01-02", kind="state_probe", role="environment", name="a", ok=True, output=1),
        Step(i=9, ts="2026-01-03", kind="state_probe", role="environment", name="b"),
    ]
    assert [step.i for step in merge_probes(trace(), probes).steps] == [0, 1]


def test_a_trace_without_probes_is_left_alone(trace, call):
    plain = trace(call(0))
    assert merge_probes(plain, {"other": [Probe(name="a", ok=True, ts="2026-01-02")]}) is plain


def test_a_trace_in_the_place_of_probes_is_told_in_one_line(tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text('{"schema": "agent-trace/v1", "trace_id": "t", "steps": []}\n' * 3, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_probes(path)
    assert "traces.jsonl:1: is a trace, not a state probe" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
