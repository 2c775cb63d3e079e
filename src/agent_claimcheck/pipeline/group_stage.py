"""The second stage of ``check --group task``: results wait in a temporary file until the runs of each task are compared.

A reader must not miss: memory holds one part of the signatures at a time and the readings of runs that have enough others.
Results and signatures lie in temporary files, so standard input works, and results come out in input order.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any

import msgspec

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.signature import signature_of
from agent_claimcheck.pipeline.groups import (
    GroupMember,
    SiblingReading,
    apply_reading,
    group_key,
    model_of,
    readings_of,
)
from agent_claimcheck.pipeline.sibling_scores import heed_siblings
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.v2 import decode_v2, encode_v2
from agent_claimcheck.scoring.gate import Thresholds
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

PARTS = 32
ORDINARY = Thresholds()
_IN_MEMORY = 1 << 20


class GroupStage:
    """Collects results with ``add``, then yields them compared with ``results``. Use as a context manager."""

    def __init__(self, accept: frozenset[str] = frozenset(), thresholds: Thresholds = ORDINARY) -> None:
        """``accept`` holds the records that make an unverifiable verdict ``verified``; ``thresholds`` are the gate's."""
        self._thresholds = thresholds
        self.counts: Counter[str] = Counter()
        """``runs``, ``compared``, ``corroborated`` and ``not_comparable``, numbers of runs."""
        self._accept = accept
        self._results = _Spool()
        self._parts = [_Spool() for _ in range(PARTS)]
        self._encoder = msgspec.msgpack.Encoder()

    def __enter__(self) -> GroupStage:
        return self

    def __exit__(self, *_: object) -> None:
        for spool in (self._results, *self._parts):
            spool.close()

    def add(self, trace: Trace, result: CheckResult) -> None:
        """Keep one result, and what its run changed."""
        index = self.counts["runs"]
        self.counts["runs"] += 1
        self._results.write(encode_v2(result))
        key = group_key(trace)
        if key is None:
            return
        signature = signature_of(Evidence(label_free(trace)))
        if not signature.is_comparable:
            self.counts["not_comparable"] += 1
            return
        member = GroupMember(index, key, model_of(trace), signature)
        self._parts[key[0] % PARTS].write(self._encoder.encode(member))

    def results(self) -> Iterator[CheckResult]:
        """Yield all results in the order they were added. To be called once, after the last ``add``."""
        readings = self._compare()
        for index, data in enumerate(self._results.read()):
            result = decode_v2(data)
            reading = readings.get(index)
            if reading is not None:
                self.counts["compared"] += 1
                result = heed_siblings(result, reading, self._thresholds)
                result = apply_reading(result, reading, self._accept)
                self.counts["corroborated"] += result.record == "corroborated"
            yield result

    def summary(self) -> str:
        """Return one line about what was compared."""
        said = f"groups: {self.counts['compared']} of {self.counts['runs']} runs have 3 or more others of their task, "
        said += f"{self.counts['corroborated']} corroborated"
        if self.counts["not_comparable"]:
            said += f"; {self.counts['not_comparable']} changed files or used a shell and cannot be compared"
        return said

    def _compare(self) -> dict[int, SiblingReading]:
        found: dict[int, SiblingReading] = {}
        decoder = msgspec.msgpack.Decoder(GroupMember)
        for part in self._parts:
            found.update(readings_of(decoder.decode(data) for data in part.read()))
        return found


class _Spool:
    """Byte strings written one after the other and read back in the same order; on disk from a megabyte on."""

    def __init__(self) -> None:
        self._file: IO[Any] = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by close()

    def write(self, data: bytes) -> None:
        self._file.write(len(data).to_bytes(8, "big"))
        self._file.write(data)

    def read(self) -> Iterator[bytes]:
        self._file.seek(0)
        while head := self._file.read(8):
            yield self._file.read(int.from_bytes(head, "big"))

    def close(self) -> None:
        self._file.close()
