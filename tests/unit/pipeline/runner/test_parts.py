from __future__ import annotations

import gzip
from pathlib import Path

from agent_claimcheck.pipeline.runner.parts import (
    LARGEST_PART_BYTES,
    LARGEST_SENT_PART_BYTES,
    SMALLEST_PART_BYTES,
    part_bytes_for,
    plan_parts,
)
from agent_claimcheck.pipeline.sources import SourceOptions

OPTIONS = SourceOptions()


def plan(*paths: Path, part_bytes: int = 10_000):
    return list(plan_parts([(str(path), path.name) for path in paths], OPTIONS, part_bytes))


def test_a_large_plain_file_is_cut_and_small_files_share_a_part(tmp_path, lines, big_file):
    small = []
    for name in ("a", "b", "c"):
        small.append(tmp_path / f"{name}.jsonl")
        small[-1].write_bytes(lines(name)[0])
    parts = plan(small[0], small[1], big_file, small[2])
    assert [part.index for part in parts] == list(range(len(parts)))
    assert [piece.shown for piece in parts[0].pieces] == ["a.jsonl", "b.jsonl"]
    middle = [piece for part in parts[1:-1] for piece in part.pieces]
    assert {piece.kind for piece in middle} == {"lines"}
    assert len(middle) > 10
    assert [piece.start for piece in middle[1:]] == [piece.end for piece in middle[:-1]]
    assert middle[-1].end == big_file.stat().st_size
    assert [piece.shown for piece in parts[-1].pieces] == ["c.jsonl"]


def test_compressed_files_and_arrays_are_read_whole(tmp_path, lines, big_file):
    packed = tmp_path / "big.jsonl.gz"
    packed.write_bytes(gzip.compress(big_file.read_bytes()))
    array = tmp_path / "array.json"
    array.write_bytes(b"[" + b",".join(lines(*(f"r{n}" for n in range(40)))) + b"]")
    assert [piece.kind for part in plan(packed, array, part_bytes=1000) for piece in part.pieces] == ["whole", "whole"]


def test_every_byte_goes_by_for_a_checksum(tmp_path, lines, big_file):
    small = tmp_path / "small.jsonl"
    small.write_bytes(lines("a")[0])
    seen: dict[str, bytes] = {}

    def feed(name: str, data: bytes) -> None:
        seen[name] = seen.get(name, b"") + data

    list(plan_parts([(str(big_file), "b"), (str(small), "s")], OPTIONS, 10_000, feed))
    assert seen == {str(big_file): big_file.read_bytes(), str(small): small.read_bytes()}


def test_a_file_that_is_gone_is_left_to_its_reader(tmp_path):
    gone = tmp_path / "gone.jsonl"
    [part] = plan(gone)
    assert [(piece.kind, piece.size) for piece in part.pieces] == [("whole", 0)]
    assert list(plan_parts([(str(gone), "gone.jsonl")], OPTIONS, 10_000, lambda name, data: None))


def test_part_sizes_stay_within_bounds():
    assert part_bytes_for(0, 4) == SMALLEST_PART_BYTES
    assert part_bytes_for(10**12, 4) == LARGEST_PART_BYTES
    assert part_bytes_for(10**12, 4, are_sent=True) == LARGEST_SENT_PART_BYTES
    assert SMALLEST_PART_BYTES < part_bytes_for(40_000_000, 4) < LARGEST_PART_BYTES
