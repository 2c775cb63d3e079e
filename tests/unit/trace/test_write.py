from __future__ import annotations

import json

import msgspec
import pytest

from agent_claimcheck.core.errors import InputError, TraceError
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Task, Trace, Where
from agent_claimcheck.trace.versions import SIDECAR
from agent_claimcheck.trace.write import to_builtins, to_json


def read(data: bytes, **options: bool) -> Trace:
    found = decode_trace(data, file="f", line=1, **options)
    assert isinstance(found, Trace), found
    return msgspec.structs.replace(found, where=None)


def test_v1_is_canonical(trace, call):
    written = to_json(
        trace(call(0, args={"z": 1, "a": "é"}), final_claim=FinalClaim(text=None, claims=[Claim(type="c")]))
    )
    assert written.decode() == (
        '{"final_claim":{"claims":[{"subject":{},"type":"c"}],"text":null},"schema":"agent-trace/v1","source":"test",'
        '"steps":[{"args":{"a":"é","z":1},"content":null,"error":null,"i":0,"kind":"tool_call","name":"water","ok":null,'
        '"output":null,"role":"agent","ts":"2026-01-01T10:00:00Z"}],'
        '"task":{"domain":"other","id":"task-1","instruction":"Water the plants."},"trace_id":"t-1"}'
    )


def test_labels_and_meta_are_written_where_there_are_any(trace):
    assert not {"ground_truth", "meta"} & to_builtins(trace()).keys()
    full = trace(ground_truth=GroundTruth(outcome="success", checked_by="none"), meta={})
    assert to_builtins(full)["ground_truth"] == {"outcome": "success", "checked_by": "none"}
    assert to_builtins(full)["meta"] == {}


def test_where_and_notes_are_not_written(trace):
    noted = trace(where=Where(file="f", line=2), notes=("n",))
    for version in ("v1", "v2"):
        assert to_json(noted, version) == to_json(trace(), version)


def test_v2_fields_go_to_the_sidecar_in_v1_and_stay_inline_in_v2(trace, call):
    rich = trace(call(0, call_id="x"), model="m")
    v1 = json.loads(to_json(rich))
    assert v1["meta"][SIDECAR] == {"top": {"model": "m"}, "steps": {"0": {"call_id": "x"}}, "no_meta": True}
    assert "model" not in v1
    v2 = json.loads(to_json(rich, "v2"))
    assert (v2["model"], v2["steps"][0]["call_id"]) == ("m", "x")
    assert "meta" not in v2
    assert read(to_json(rich)) == read(to_json(rich, "v2")) == rich


def test_v2_writes_only_extras_that_are_set(trace, call):
    plain = trace(call(0))
    assert {**to_builtins(plain, "v2"), "schema": None} == {**to_builtins(plain), "schema": None}


def test_blocks_are_written_as_content_when_they_say_it_all(trace, message):
    same = trace(message(0, "a", blocks=["a"]))
    assert to_builtins(same, "v2")["steps"][0]["content"] == ["a"]
    other = trace(message(0, "b", blocks=["a"]))
    assert to_builtins(other, "v2")["steps"][0]["content"] == "b"
    empty = trace(message(0, None, blocks=[]))
    for odd in (same, other, empty):
        assert read(to_json(odd, "v2")) == odd
        assert read(to_json(odd)) == odd


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_trace_that_breaks_the_format_is_not_written(trace, call, version):
    broken = trace(call(1), call(1, ts="soon"), trace_id="", task=Task(id="t", domain="other", instruction="x"))
    with pytest.raises(TraceError) as caught:
        to_json(broken, version)
    assert "$.trace_id: must not be empty" in str(caught.value)
    assert "$.steps[1].ts: is not a date-time" in str(caught.value)


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_what_is_no_json_is_not_written(trace, call, value):
    with pytest.raises(InputError):
        to_json(trace(call(0, output=value)))


def test_lone_surrogates_are_written_so_that_every_reader_can_read(trace):
    assert b"\\ud800" in to_json(trace(trace_id="s\ud800"))
