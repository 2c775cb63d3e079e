"""Archives of strangers are opened within limits."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from agent_claimcheck.importers.archive import ArchiveLimits, SafeZip
from agent_claimcheck.importers.catalog import load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.trace.model import Trace

HEADER = json.dumps({"version": 2, "status": "success", "eval": {"run_id": "r", "task": "t"}, "plan": {}})


def zipped(members: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as target:
        for name, text in members.items():
            target.writestr(name, text)
    return sink.getvalue()


def imported(data: bytes) -> tuple[list[Trace], list[str]]:
    items = list(load("inspect").read(io.BytesIO(data), file="f.eval", options=ImportOptions()))
    traces = [item for item in items if isinstance(item, Trace)]
    return traces, [str(item) for item in items if not isinstance(item, Trace | ImportNote)]


def test_members_with_paths_outside_are_never_listed() -> None:
    data = zipped({"../samples/x.json": "{}", "/etc/x": "{}", "samples/../../x.json": "{}", "samples/a.json": "{}"})
    with SafeZip(io.BytesIO(data)) as opened:
        assert opened.names() == ["samples/a.json"]
        assert opened.read("../samples/x.json") == "no such member"


def test_a_member_that_grows_too_large_is_refused() -> None:
    data = zipped({"samples/bomb.json": "0" * 100_000})
    with SafeZip(io.BytesIO(data), ArchiveLimits(member_bytes=1000)) as opened:
        assert "larger than" in str(opened.read("samples/bomb.json"))


def test_a_size_that_the_directory_understates_is_refused() -> None:
    data = bytearray(zipped({"samples/bomb.json": "0" * 100_000}))
    place = data.rindex(b"PK\x01\x02") + 24
    data[place : place + 4] = (10).to_bytes(4, "little")
    with SafeZip(io.BytesIO(bytes(data)), ArchiveLimits(member_bytes=1000)) as opened:
        read = opened.read("samples/bomb.json")
        assert isinstance(read, str) or len(read) <= 1000


def test_too_many_members_are_named() -> None:
    data = zipped({str(number): "" for number in range(3)})
    with SafeZip(io.BytesIO(data), ArchiveLimits(members=2)) as opened:
        assert opened.fault == "the archive has more than 2 members"


def test_a_broken_archive_is_a_problem_not_a_crash() -> None:
    data = zipped({"header.json": HEADER, "samples/a_epoch_1.json": "{}"})
    assert imported(data[: len(data) // 2])[1][0].startswith("f.eval: not a readable zip archive")


def test_a_broken_sample_does_not_cost_the_others() -> None:
    good = json.dumps({"id": "1", "epoch": 1, "input": "Hi", "messages": [{"role": "user", "content": "Hi"}]})
    traces, problems = imported(
        zipped({"header.json": HEADER, "samples/a_epoch_1.json": "{", "samples/b_epoch_1.json": good})
    )
    assert [trace.trace_id for trace in traces] == ["r:1:1"]
    assert len(problems) == 1
    assert "samples/a_epoch_1.json" in problems[0]


def test_an_unfinished_log_says_that_it_holds_no_samples() -> None:
    _, problems = imported(zipped({"_journal/start.json": HEADER}))
    assert "holds no samples" in problems[0]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_within_a_member_is_said_of_it_however_it_was_packed(method: int) -> None:
    text = "".join(str(number) for number in range(2000))
    whole = zipped({"samples/a.json": text}, method)
    told = set()
    for place in range(45, 300, 5):
        data = bytearray(whole)
        data[place] ^= 0xFF
        with SafeZip(io.BytesIO(bytes(data))) as opened:
            said = opened.fault or opened.read("samples/a.json")
        # Some bytes, such as the version of the packer, mean nothing.
        assert said == text.encode() or (isinstance(said, str) and "read" in said), place
        told.add(isinstance(said, str))
    assert True in told
