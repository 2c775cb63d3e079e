"""What every importer is: the options it takes, the report it fills and the protocol it keeps.

A reader must not miss: an importer never invents a success or a failure. ``ok`` is set only from a flag, an exception,
a protocol error or an exit code in the file; everything else stays ``None`` and is left to the evidence room.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Literal, Protocol

from msgspec import Struct, field

from agent_claimcheck.importers.head import Head
from agent_claimcheck.trace.model import Trace, TraceProblem

InferStatus = Literal["strict", "exit-code", "text"]
Subagents = Literal["separate", "inline"]


class ImportOptions(Struct, frozen=True, kw_only=True):
    """How a foreign file is read.

    ``labels``: scores and rewards in the file become ``ground_truth``; otherwise they are left behind.
    ``infer_status``: ``strict`` takes what the format declares; ``exit-code`` also reads exit codes written in output
    text; ``text`` also takes an output that opens with an error word as failed.
    ``subagents``: ``separate`` makes a linked trace of each sub-agent, so that its receipts prove nothing for the
    parent; ``inline`` keeps them in the parent's trace.
    ``group_by_conversation``: spans of several traces that carry one conversation id become one trace.
    """

    labels: bool = False
    infer_status: InferStatus = "strict"
    subagents: Subagents = "separate"
    group_by_conversation: bool = False


class ImportReport(Struct, kw_only=True):
    """What was read from one file and what was lost. All counts are over the traces handed out."""

    file: str
    format: str
    flavours: dict[str, int] = field(default_factory=dict)
    runs: int = 0
    steps: int = 0
    calls: int = 0
    results: int = 0
    orphans: int = 0
    unpaired: int = 0
    status_sources: dict[str, int] = field(default_factory=dict)
    synthetic_timestamps: int = 0
    without_final: int = 0
    problems: int = 0
    renamed: int = 0
    renamed_as: str = ""
    """How many runs of an id that came before got a number behind it, and what the first of them is called now."""
    dropped: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    lost_at: int = 0
    """How many of the dropped records may belong to a run, and the line of the first (0: not known)."""
    not_captured: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def drop(self, kind: str, count: int = 1) -> None:
        """Note that ``count`` records of this kind were left behind on purpose."""
        if len(self.dropped) < 100 or kind in self.dropped:
            self.dropped[kind] = self.dropped.get(kind, 0) + count

    def lose(self, kind: str, count: int = 1, *, line: int = 0) -> None:
        """Note that ``count`` records were left behind because nobody knows them: they may be parts of a run."""
        self.drop(kind, count)
        self.lost += count
        self.lost_at = self.lost_at or line

    def warn(self, text: str) -> None:
        """Keep a remark for the person who reads the report; the same remark is kept once."""
        if text not in self.warnings and len(self.warnings) < 50:
            self.warnings.append(text)

    def miss(self, text: str) -> None:
        """Say that content was not captured, and what to switch on."""
        if text not in self.not_captured and len(self.not_captured) < 20:
            self.not_captured.append(text)

    @property
    def is_undecidable(self) -> bool:
        """Runs were read and not one of them holds a tool result: no claim can be checked."""
        return self.runs > 0 and self.results == 0

    def line(self) -> str:
        """One line for the terminal."""
        parts = [
            f"{self.file}: {self.format}: {_count(self.runs, 'run')}, {_count(self.steps, 'step')}, "
            f"{_count(self.calls, 'call')}, {_count(self.results, 'result')}"
        ]
        if self.orphans:
            parts.append(f"{_count(self.orphans, 'result')} without a call")
        if self.unpaired:
            parts.append(f"{_count(self.unpaired, 'call')} without a result")
        if self.problems:
            parts.append(_count(self.problems, "problem"))
        if self.renamed:
            parts.append(f"{_count(self.renamed, 'run')} of an id that came before, told apart as {self.renamed_as}")
        if self.is_undecidable:
            parts.append("undecidable: the file holds no tool results")
        if self.lost:
            at = f", first at {self.file}:{self.lost_at}" if self.lost_at else ""
            parts.append(f"{_count(self.lost, 'record')} of no known kind left behind{at}; see --report")
        parts.extend(self.not_captured)
        return "; ".join(parts)

    def full(self) -> str:
        """Everything, several lines."""
        rows = [self.line()]
        for title, table in (
            ("flavours", self.flavours),
            ("status taken from", self.status_sources),
            ("left behind", self.dropped),
        ):
            if table:
                text = ", ".join(f"{key} {value}" for key, value in sorted(table.items()))
                rows.append(f"  {title}: {text}")
        if self.synthetic_timestamps:
            rows.append(f"  timestamps not in the file: {self.synthetic_timestamps}")
        if self.without_final:
            rows.append(f"  runs without a final message: {self.without_final}")
        rows.extend(f"  note: {text}" for text in self.warnings)
        return "\n".join(rows)


class ImportNote(Struct, frozen=True, kw_only=True):
    """Comes once, after the last trace of a file: what the import found and lost."""

    file: str
    report: ImportReport


class Recognition(Struct, frozen=True, kw_only=True):
    """Which format a file is in and by what it was recognised. ``confidence`` is in (0, 1]."""

    name: str
    reason: str
    confidence: float = 1.0


Imported = Trace | TraceProblem | ImportNote


class Importer(Protocol):
    """One format. ``recognised_by`` is one sentence for the format list."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def recognised_by(self) -> str: ...

    def recognise(self, head: Head) -> Recognition | None:
        """Say whether ``head`` (the first bytes of a file) is of this format. Never raises on any content."""
        ...

    def read(self, stream: BinaryIO, *, file: str, options: ImportOptions) -> Iterator[Imported]:
        """Yield traces and problems as they are read, then one ``ImportNote``. Never raises on any content."""
        ...


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
