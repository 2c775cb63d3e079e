"""The cascade: the rules first, a second detector only where they leave it open."""

from __future__ import annotations

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.detectors.ensembles import Cascade
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.view import label_free
from fakes import booking_trace


class Fixed:
    """A detector that always says the same, and counts how often it was asked."""

    def __init__(self, name: str, p: float, abstain_reason: str | None = None) -> None:
        self.name = name
        self.asked = 0
        self.closed = False
        self._output = DetectorOutput(
            detector=name,
            p_success=p,
            abstain=abstain_reason is not None,
            abstain_reason=abstain_reason,
            reasons=(Reason(claim=None, outcome=name, step=1, detail=name),),
            cost_usd=0.25,
            latency_ms=5.0,
        )

    def detect(self, evidence: Evidence) -> DetectorOutput:
        self.asked += 1
        return self._output

    def close(self) -> None:
        self.closed = True


EVIDENCE = Evidence(label_free(booking_trace()))


def test_conclusive_rules_spare_the_judge() -> None:
    for p in (0.03, 0.05, 0.97):
        judge = Fixed("judge", 0.9)
        output = Cascade(judge, Fixed("rules", p)).detect(EVIDENCE)
        assert (output.p_success, judge.asked, output.cost_usd) == (p, 0, 0.25)
        assert output.details == {"decided_by": "rules", "sent_to_judge": False}


def test_lone_receipt_and_abstention_go_to_the_judge() -> None:
    for rules in (Fixed("rules", 0.70), Fixed("rules", 0.97, "no_rule")):
        output = Cascade(Fixed("judge", 0.1), rules).detect(EVIDENCE)
        assert (output.p_success, output.abstain, output.reasons[0].outcome) == (0.1, False, "judge")
        assert output.details == {"decided_by": "judge", "sent_to_judge": True}
        assert [part.detector for part in output.components] == ["rules", "judge"]
        assert (output.cost_usd, output.latency_ms) == (0.5, 10.0)


def test_silent_judge_leaves_the_answer_of_the_rules_and_the_result_says_so() -> None:
    output = Cascade(Fixed("judge", 0.6, "timeout"), Fixed("rules", 0.70)).detect(EVIDENCE)
    assert (output.p_success, output.abstain) == (0.70, False)
    assert output.details == {"decided_by": "rules", "sent_to_judge": True, "judge_abstained": "timeout"}
    assert output.reasons[-1].detail == "the judge gave no answer (timeout); the offline answer stands"


def test_both_silent_is_an_abstention_of_the_rules() -> None:
    output = Cascade(Fixed("judge", 0.6, "timeout"), Fixed("rules", 0.6, "undecided")).detect(EVIDENCE)
    assert (output.abstain, output.abstain_reason) == (True, "undecided")


def test_closing_reaches_the_judge() -> None:
    judge = Fixed("judge", 0.5)
    cascade = Cascade(judge)
    cascade.stop()
    cascade.close()
    assert judge.closed
