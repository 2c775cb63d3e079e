"""Every kind of classifier file keeps the contract of a detector, in each detector of the catalog that reads such a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent_claimcheck import Checker, Detector, DetectorOutput, Evidence, load_traces
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.artifact import (
    ClassifierFile,
    Model,
    encode_artifact,
    kind_in_words,
    load_classifier,
    shipped_classifier,
)
from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText
from agent_claimcheck.detectors.classifier.likeness import Likeness
from agent_claimcheck.detectors.classifier.linear import Logistic
from agent_claimcheck.detectors.classifier.ngrams import TextModel, slot_of
from agent_claimcheck.detectors.classifier.table import EVIDENCE_TABLE, in_words, table_of
from agent_claimcheck.detectors.classifier.trees import Tree, Trees
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.catalog import build_detector
from agent_claimcheck.pipeline.learned_options import LearnedOptions
from agent_claimcheck.trace.view import label_free
from fakes import hostile_traces

NAMES = table_of(EVIDENCE_TABLE).names
LINE = load_classifier(shipped_classifier()).model
assert isinstance(LINE, Logistic)
STUMP = Tree(feature=(0, -1, -1), threshold=(0.5, 0, 0), left=(1, 0, 0), right=(2, 0, 0), value=(0.1, -1.0, 2.0))
TREES = Trees(baseline=0.5, trees=(STUMP,))
TEXT = TextModel(bits=14, weights={str(slot_of(term, 14)): 1.5 for term in ("done", "booked", "you")}, intercept=0.25)
EVERYTHING = Likeness(low=(-1e9,) * len(NAMES), high=(1e9,) * len(NAMES), spreads=(1.0,) * len(NAMES), limit=2.0)
NOTHING = Likeness(low=(-9.0,) * len(NAMES), high=(-9.0,) * len(NAMES), spreads=(0.1,) * len(NAMES), limit=2.0)

KINDS: dict[str, Model] = {
    "logistic regression": LINE,
    "trees": TREES,
    "logistic regression and trees": Blend(members=(LINE, TREES)),
    "text model": TEXT,
    "logistic regression, averaged with the text model": EvidenceAndText(evidence=LINE, text=TEXT),
    "logistic regression and trees, averaged with the text model": EvidenceAndText(
        evidence=Blend(members=(LINE, TREES)), text=TEXT
    ),
}
BOTH = KINDS["logistic regression and trees, averaged with the text model"]


def file_of(model: Model, likeness: Likeness | None = EVERYTHING) -> ClassifierFile:
    return ClassifierFile(
        format="claimcheck-classifier/v1",
        table=EVIDENCE_TABLE,
        features=NAMES,
        model=model,
        base_rate=0.6,
        likeness=likeness,
    )


def written(place: Path, model: Model, likeness: Likeness | None = EVERYTHING) -> LearnedOptions:
    path = place / "mine.json"
    path.write_bytes(encode_artifact(file_of(model, likeness)))
    return LearnedOptions(model=str(path))


def cases() -> list[Evidence]:
    settings = CaseSettings(packs=Checker("rules").spec.packs)
    return [Evidence(label_free(trace), settings) for trace in [*load_traces("example:mixed"), *hostile_traces()]]


@pytest.mark.parametrize("name", ["classifier", "cascade-offline", "siblings"])
@pytest.mark.parametrize("kind", KINDS)
def test_detector_answers_or_abstains_on_anything(name: str, kind: str, tmp_path: Path) -> None:
    detector = build_detector(name, learned=written(tmp_path, KINDS[kind]))
    assert isinstance(detector, Detector)
    answered = 0
    for evidence in cases():
        output = detector.detect(evidence)
        assert isinstance(output, DetectorOutput)
        assert 0 <= output.p_success <= 1
        assert output.abstain == (output.abstain_reason is not None)
        assert len(output.details.get("contributions", ())) <= 10
        answered += not output.abstain
    assert answered


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_says_what_it_holds(kind: str, tmp_path: Path) -> None:
    read = load_classifier(written(tmp_path, KINDS[kind]).model or "")
    assert read.model == KINDS[kind]
    assert kind_in_words(read.model) == kind


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "text model"])
def test_every_kind_over_the_evidence_abstains_by_the_same_distance(kind: str, tmp_path: Path) -> None:
    detector = build_detector("classifier", learned=written(tmp_path, KINDS[kind], NOTHING))
    output = detector.detect(cases()[0])
    assert output.abstain_reason == "out_of_distribution"
    assert 0 <= output.details["score"] <= 1
    assert "limit 2.0" in output.reasons[0].detail


@pytest.mark.parametrize("kind", KINDS)
def test_contributions_are_told_in_words(kind: str, tmp_path: Path) -> None:
    detector = build_detector("classifier", learned=written(tmp_path, KINDS[kind]))
    named = [row["feature"] for row in detector.detect(cases()[0]).details["contributions"]]
    assert named
    assert all(in_words(EVIDENCE_TABLE, name) != name for name in named)


OUTSIDE = TextModel(bits=4, weights={"16": 1.0}, intercept=0.0)
ENDLESS = Trees(baseline=0.0, trees=(Tree(feature=(999,), threshold=(0,), left=(0,), right=(0,), value=(0,)),))
SHORT = Logistic(means=(), scales=(), coef=(), intercept=0.0)


@pytest.mark.parametrize(
    ("path", "broken"),
    [
        ("$.model.text.weights", EvidenceAndText(evidence=LINE, text=OUTSIDE)),
        ("$.model.evidence.trees[0]", EvidenceAndText(evidence=ENDLESS, text=TEXT)),
        ("$.model.evidence.members", EvidenceAndText(evidence=Blend(members=()), text=TEXT)),
        ("$.model.evidence.members[1]", EvidenceAndText(evidence=Blend(members=(LINE, SHORT)), text=TEXT)),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_the_place(path: str, broken: Model, tmp_path: Path) -> None:
    options = written(tmp_path, broken)
    with pytest.raises(InputError) as refused:
        build_detector("classifier", learned=options)
    assert str(options.model) in str(refused.value)
    assert f"{path}: " in str(refused.value)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("$.model.text.intercept", '"intercept":0.25', '"intercept":1e999'),
        ("$.model", '"text":{', '"words":{'),
        ("$.model.text.bits", '"bits":14', '"bits":99'),
        ("$.model.evidence", '"kind":"blend"', '"kind":"text"'),
    ],
)
def test_a_file_changed_by_hand_is_refused_with_its_name_and_the_place(
    path: str, old: str, new: str, tmp_path: Path
) -> None:
    options = written(tmp_path, BOTH)
    place = Path(str(options.model))
    text = place.read_text("utf-8")
    assert text.count(old) == 1
    place.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InputError) as refused:
        load_classifier(place)
    assert str(place) in str(refused.value)
    assert path in str(refused.value)


def test_a_check_with_text_and_trees_needs_no_numpy(tmp_path: Path) -> None:
    options = written(tmp_path, BOTH)
    code = (
        "import sys\n"
        "from agent_claimcheck import Checker, load_traces\n"
        "from agent_claimcheck.pipeline.learned import build_classifier\n"
        "from agent_claimcheck.pipeline.learned_options import LearnedOptions\n"
        f"checker = Checker(build_classifier(LearnedOptions(model={json.dumps(options.model)})))\n"
        "said = {checker.check_one(trace).verdict for trace in load_traces('example:mixed')}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'numpy', 'sklearn', 'scipy'}), len(said))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[] ")
