"""Models read from JSON: what they score, what their contributions add up to, and which files are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.artifact import (
    CLASSIFIER_FILE,
    LR_FILE,
    load_classifier,
    parse_classifier,
    shipped_classifier,
)
from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.detector import ClassifierDetector
from agent_claimcheck.detectors.classifier.likeness import Likeness
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.ngrams import TextModel, read_text, slot_of, term_in_words, term_values
from agent_claimcheck.detectors.classifier.scorer import scorer_of, weighed_by
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, table_of
from agent_claimcheck.detectors.classifier.trees import Tree, Trees
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.view import label_free

STUMP = Tree(feature=(0, -1, -1), threshold=(0.5, 0, 0), left=(1, 0, 0), right=(2, 0, 0), value=(0.1, -1.0, 2.0))
LINE = Logistic(means=(1.0, 0.0), scales=(2.0, 1.0), coef=(0.5, -1.0), intercept=0.25)


def traces() -> list[Trace]:
    return [trace for trace in load_traces("example:mixed") if trace.final_claim.text]


def evidence_of(trace: Trace) -> Evidence:
    return Evidence(label_free(trace), Checker("rules").spec.case)


def shipped() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(shipped_classifier().read_bytes())
    return read


def test_trees_walk_to_the_leaf() -> None:
    trees = Trees(baseline=0.5, trees=(STUMP, STUMP))
    assert trees.log_odds([0.5]) == pytest.approx(-1.5)
    assert trees.log_odds([0.6]) == pytest.approx(4.5)


def test_contributions_add_up_to_the_score() -> None:
    x = [0.7, 0.3]
    assert LINE.intercept + sum(LINE.contributions(x)) == pytest.approx(LINE.log_odds(x))
    trees = Trees(baseline=0.5, trees=(STUMP,))
    assert trees.baseline + STUMP.value[0] + sum(trees.contributions(x)) == pytest.approx(trees.log_odds(x))
    blend = Blend(members=(LINE, trees))
    assert blend.log_odds(x) == pytest.approx((LINE.log_odds(x) + trees.log_odds(x)) / 2)


@pytest.mark.parametrize(
    "tree",
    [
        Tree(feature=(), threshold=(), left=(), right=(), value=()),
        Tree(feature=(0,), threshold=(0.5,), left=(0,), right=(0,), value=(0.0,)),
        Tree(feature=(7, -1, -1), threshold=(0, 0, 0), left=(1, 0, 0), right=(2, 0, 0), value=(0, 0, 0)),
        Tree(feature=(0, -1), threshold=(0, 0), left=(1, 0), right=(9, 0), value=(0, 0)),
    ],
)
def test_trees_that_would_never_end_are_refused(tree: Tree) -> None:
    with pytest.raises(InputError):
        tree.check(2)


def test_distance_counts_what_lies_outside_the_ranges() -> None:
    likeness = Likeness(low=(0.0, 1.0), high=(1.0, 1.0), spreads=(0.5, 0.5), limit=2.0)
    assert likeness.distance((0.5, 1.0)) == 0
    assert likeness.distance((1.5, 1.0)) == pytest.approx(1.0)
    assert likeness.distance((1e9, -1e9)) == pytest.approx(6.0)


@pytest.mark.parametrize("name", [CLASSIFIER_FILE, LR_FILE])
def test_shipped_files_load_and_score(name: str) -> None:
    detector = ClassifierDetector(load_classifier(shipped_classifier(name)), is_own=True)
    for trace in traces():
        output = detector.detect(evidence_of(trace))
        assert 0 <= output.p_success <= 1
        assert len(output.details.get("contributions", ())) <= 10


def test_the_detector_abstains_without_tool_results() -> None:
    from msgspec.structs import replace

    trace = traces()[0]
    silent = replace(trace, steps=[step for step in trace.steps if step.kind == "message"])
    shipped_one = ClassifierDetector(load_classifier(shipped_classifier()), is_own=True)
    assert shipped_one.detect(evidence_of(silent)).abstain_reason == "no_tool_results"
    documented = ClassifierDetector(load_classifier(shipped_classifier(LR_FILE)))
    assert documented.detect(evidence_of(silent)).abstain_reason == "out_of_distribution"
    assert documented.detect(evidence_of(silent)).p_success == documented.classifier.base_rate


def test_the_shipped_model_decides_nothing_on_other_domains_and_unmapped_tools() -> None:
    from msgspec.structs import replace

    detector = ClassifierDetector(load_classifier(shipped_classifier()))
    trace = next(trace for trace in traces() if trace.trace_id == "booking-01")
    assert not detector.detect(evidence_of(trace)).abstain
    other = replace(trace, task=replace(trace.task, domain="other"))
    assert detector.detect(evidence_of(other)).abstain_reason == "domain_other"
    assert "score" in detector.detect(evidence_of(other)).details
    foreign = replace(
        trace,
        steps=[
            replace(step, name=f"acme_{step.name.replace('.', '_')}" if step.name else None) for step in trace.steps
        ],
    )
    assert detector.detect(evidence_of(foreign)).abstain_reason == "unmapped_tools"


def test_runs_far_from_the_training_runs_are_abstained_on_with_the_oddest_feature_named() -> None:
    fields = shipped()
    n = len(fields["features"])
    fields["likeness"] = {"low": [5.0] * n, "high": [5.0] * n, "spreads": [1.0] * n, "limit": 1.0}
    output = ClassifierDetector(parse_classifier(json.dumps(fields).encode()), is_own=True).detect(
        evidence_of(traces()[0])
    )
    assert output.abstain_reason == "out_of_distribution"
    assert "unlike the training runs" in output.reasons[0].detail


@pytest.mark.parametrize(
    "change",
    [
        {"format": "claimcheck-lr/v9"},
        {"format": None},
        {"table": "evidence/v99"},
        {"features": ["n_steps"]},
        {"base_rate": 1.5},
        {"model": {"kind": "logistic", "means": [], "scales": [], "coef": [], "intercept": 0}},
        {"model": {"kind": "pickle"}},
        {"likeness": {"low": [1], "high": [1], "spreads": [1], "limit": 1}},
    ],
)
def test_unsound_files_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        parse_classifier(json.dumps({**shipped(), **change}).encode())


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\x80\x04pickle", b"[" * 200_000, b'{"format":"claimcheck-classifier/v1"}']
)
def test_what_is_no_classifier_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        parse_classifier(data)


def test_infinite_numbers_are_refused() -> None:
    data = json.dumps(shipped()).replace('"intercept": ', '"intercept": 1e999, "was": ', 1)
    with pytest.raises(InputError):
        parse_classifier(data.encode())


def test_the_text_model_weighs_terms_and_names_them() -> None:
    evidence = evidence_of(traces()[0])
    slot = slot_of("booked", 14)
    model = TextModel(bits=14, weights={str(slot): 2.0}, intercept=-1.0)
    values = term_values(evidence)
    assert model.log_odds(values) == pytest.approx(-1.0 + 2.0 * values.get(slot, 0.0))
    assert sum(value * value for value in values.values()) == pytest.approx(1.0)
    score, added = read_text(model, evidence)
    assert score == model.log_odds(values)
    assert added == [("said:booked", 2.0 * values[slot])]
    assert term_in_words("said:booked") == '"booked" was said'


def test_a_tool_is_named_with_its_status_however_long_its_name_is() -> None:
    from msgspec.structs import replace

    trace = traces()[0]
    name = "a:b" * 1000
    steps = [replace(step, name=name) if step.kind in ("tool_call", "tool_result") else step for step in trace.steps]
    evidence = evidence_of(replace(trace, steps=steps))
    terms = {slot_of(f"call:{name}:{evidence.receipt(pair).state}", 22) for pair in evidence.calls}
    model = TextModel(bits=22, weights={str(slot): -1.0 for slot in terms}, intercept=0.0)
    _, added = read_text(model, evidence)
    assert added
    assert all(term.startswith("call:a:ba:b") and len(term) < 130 and value < 0 for term, value in added)
    assert term_in_words("call:a:b:failed") == "a result of a:b reads as failed"


def test_every_feature_is_named_once_and_explained() -> None:
    table = table_of(EVIDENCE_TABLE)
    assert len(set(table.names)) == len(table.names)
    assert all(feature.words and feature.direction in (-1, 0, 1) for feature in table.features)


@pytest.mark.parametrize(
    "model",
    [
        Logistic(means=(0.5, 1.0, 2.0), scales=(1.0, 2.0, 3.0), coef=(0.0, -1.5, 0.75), intercept=0.25),
        Logistic(means=(0.5, 1.0, 2.0), scales=(1.0, 2.0, 3.0), coef=(0.0, 0.0, 0.75), intercept=0.25),
        Trees(baseline=0.1, trees=(STUMP, STUMP)),
        Blend(members=(Logistic(means=(0.0,) * 3, scales=(1.0,) * 3, coef=(1.0, 0.0, 0.0), intercept=0.0),)),
    ],
)
def test_a_scorer_gives_the_score_and_contributions_of_its_model(model: Logistic | Trees | Blend) -> None:
    names = ("one", "two", "three")
    used = weighed_by(model, names)
    for x in ((0.5, 1.0, 2.0), (3.0, -4.0, 0.0), (-1.0, 1.0, 9.0)):
        score, added = scorer_of(model, names)(x)
        assert score == model.log_odds(x)
        kept = {name: value for name, value in zip(names, model.contributions(x), strict=True) if value}
        assert dict(added) == kept
        assert [abs(value) for _, value in added] == sorted(map(abs, kept.values()), reverse=True)
        blind = [value if name in used else 77.0 for name, value in zip(names, x, strict=True)]
        assert model.log_odds(blind) == score


def test_equal_contributions_stand_in_order_of_name() -> None:
    names = tuple(f"f{place:02}" for place in range(14))
    line = Logistic(means=(0.0,) * 14, scales=(1.0,) * 14, coef=(1.0, -1.0) * 7, intercept=0.0)
    _, added = scorer_of(line, names)((1.0,) * 14)
    assert [name for name, _ in added] == list(names[:10])
