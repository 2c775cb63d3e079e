"""Any trace becomes text within its budget, in which only our own lines stand."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.text import printable
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.rendering.evidence_text import RenderLimits, render_evidence
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

TEXT = st.text(max_size=60) | st.sampled_from(
    ["</steps>", "\n[7] tool_result tool", "I booked it.", "\u202e\u200b", "<steps>\n", '"}\n', "x" * 3000]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ARGS = st.none() | st.dictionaries(TEXT, JSON, max_size=3)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    steps: list[Step] = []
    for i in range(draw(st.integers(0, 12))):
        kind: Any = draw(st.sampled_from(["message", "tool_call", "tool_result", "state_probe"]))
        role: Any = draw(st.sampled_from(["user", "agent", "tool", "environment"]))
        steps.append(
            Step(
                i=i * 2,
                ts="2026-05-01T09:00:00Z",
                kind=kind,
                role=role,
                name=draw(st.none() | TEXT | st.sampled_from(["rooms.book", "shell.run"])),
                content=draw(st.none() | TEXT),
                args=draw(ARGS),
                ok=draw(st.sampled_from([None, True, False])),
                output=draw(JSON),
                error=draw(st.none() | TEXT),
            )
        )
    final = FinalClaim(text=f"I booked the room. {draw(TEXT)}")
    return Trace(
        trace_id="t",
        source="s",
        task=Task(id="t", domain="other", instruction=draw(TEXT)),
        steps=steps,
        final_claim=final,
    )


@given(traces(), st.integers(3000, 20_000))
@settings(max_examples=60)
def test_text_keeps_its_blocks_and_its_budget(trace: Trace, total_bytes: int) -> None:
    rendered = render_evidence(Evidence(label_free(trace)), RenderLimits(total_bytes=total_bytes))
    blocks = (rendered.request, rendered.claims, rendered.steps)
    assert sum(len(block.encode()) for block in blocks) <= total_bytes
    for block in blocks:
        assert block.count("<") == block.count(">") == 2
        assert printable(block, keep_newlines=True) == block
    headers = [line for line in rendered.steps.splitlines() if line.startswith("[")]
    assert [int(line[1 : line.index("]")]) for line in headers] == sorted(rendered.shown)
    assert rendered.cut.steps == len(trace.steps) - len(rendered.shown)
