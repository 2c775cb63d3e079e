from __future__ import annotations

import msgspec

from agent_claimcheck.trace.model import FinalClaim, GroundTruth, Origin, Trace
from agent_claimcheck.trace.view import TraceView, label_free

CANARY = "canary-7b1d"


def test_no_label_survives_in_the_view(trace, call):
    labelled = trace(
        call(0),
        source=CANARY,
        ground_truth=GroundTruth(outcome="failure", checked_by="human", details={"note": CANARY}),
        meta={CANARY: CANARY},
        origin=Origin(format=CANARY, warnings=[CANARY]),
        usage={CANARY: 1},
        conversation_id=CANARY,
        notes=(CANARY,),
    )
    seen = msgspec.json.encode(label_free(labelled))
    assert CANARY.encode() not in seen
    assert b"failure" not in seen
    assert b"human" not in seen


def test_the_view_has_no_field_for_labels():
    forbidden = {"ground_truth", "meta", "source", "origin", "usage", "notes", "where", "conversation_id", "subtraces"}
    assert forbidden <= set(Trace.__struct_fields__)
    assert not forbidden & set(TraceView.__struct_fields__)


def test_what_happened_is_kept(trace, call):
    view = label_free(trace(call(0), model="m", final_claim=FinalClaim(text="Done.")))
    assert (view.trace_id, view.model, view.final_claim.text, len(view.steps)) == ("t-1", "m", "Done.", 1)
