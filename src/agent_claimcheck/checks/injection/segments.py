"""The untrusted texts of a run, each with where it came from, and what could not be read.

A reader must not miss: a file without text is ``unscanned``, never clean.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.checks.run import Run, RunArtifact

SegmentKind = Literal["tool_output", "artifact_text"]


class Segment(Struct, frozen=True, kw_only=True):
    """One untrusted text. ``location`` is a path into the run, ``extraction_confidence`` in [0, 1] how surely it was read."""

    text: str
    location: str
    source_kind: SegmentKind
    subject: str
    step: int | None = None
    extraction_confidence: float = 1.0
    metadata: dict[str, Any] = {}


class Unscanned(Struct, frozen=True, kw_only=True):
    """An artifact whose content is no text, or lies in a file that is not opened."""

    subject: str
    location: str
    step: int | None
    reason: str


def segments_of(run: Run) -> tuple[list[Segment], list[Unscanned]]:
    """Return the texts of outputs, then of that call's artifacts, then of the run's artifacts; and what has no text."""
    segments: list[Segment] = []
    unscanned: list[Unscanned] = []
    for position, number, call, _ in run.placed_calls():
        place = f"steps[{position}].tool_call"
        if call.output:
            segments.append(
                Segment(
                    text=call.output,
                    location=f"{place}.output",
                    source_kind="tool_output",
                    subject=call.name,
                    step=number,
                )
            )
        for index, artifact in enumerate(call.artifacts):
            _add(artifact, f"{place}.artifacts[{index}]", number, segments, unscanned)
    for index, artifact in enumerate(run.artifacts):
        _add(artifact, f"artifacts[{index}]", None, segments, unscanned)
    return segments, unscanned


def _add(
    artifact: RunArtifact, location: str, step: int | None, segments: list[Segment], unscanned: list[Unscanned]
) -> None:
    subject = artifact.name or artifact.id or "artifact"
    if artifact.text is None:
        kind = "its content is encoded" if artifact.data_base64 is not None else "it lies in a file that is not opened"
        unscanned.append(Unscanned(subject=subject, location=location, step=step, reason=kind))
        return
    if artifact.text:
        known = {
            "artifact_id": artifact.id,
            "media_type": artifact.media_type,
            "source": artifact.source,
            "sha256": artifact.sha256,
        }
        confidence = artifact.metadata.get("extraction_confidence", 1.0)
        is_share = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
        segments.append(
            Segment(
                text=artifact.text,
                location=location,
                source_kind="artifact_text",
                subject=subject,
                step=step,
                extraction_confidence=float(confidence) if is_share else 1.0,
                metadata={**artifact.metadata, **{key: value for key, value in known.items() if value is not None}},
            )
        )
