"""Fitted classifiers as they lie on disk: the documented ``claimcheck-lr/v1`` and our ``claimcheck-classifier/v1``.

A reader must not miss: a file is data, never code, and everything in it is checked before it is used. A file fitted on a
feature table this package does not have is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.json_faults import explain_fault
from agent_claimcheck.core.resources import data_path
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.detectors.classifier.blend import Blend
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText
from agent_claimcheck.detectors.classifier.likeness import Likeness
from agent_claimcheck.detectors.classifier.linear import Logistic, Scale
from agent_claimcheck.detectors.classifier.ngrams import TextModel
from agent_claimcheck.detectors.classifier.table import SHAPE_TABLE, table_of
from agent_claimcheck.detectors.classifier.trees import Trees

LR_FORMAT = "claimcheck-lr/v1"
CLASSIFIER_FORMAT = "claimcheck-classifier/v1"
LR_FILE = "lr-v1.json"
CLASSIFIER_FILE = "classifier-v1.json"
FEWEST_CONFIRMED = 10
"""Confirmed runs to learn from; with fewer, how sure a run looks is all that a model knows of them."""
_LARGEST = 50_000_000

Share = Annotated[float, Meta(ge=0, le=1)]
Model = Logistic | Trees | Blend | TextModel | EvidenceAndText


class DocumentedLr(Struct, frozen=True, kw_only=True):
    """The documented artifact: a logistic regression on the 28 features of ``shape/v1``."""

    format: Literal["claimcheck-lr/v1"]
    features: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[Scale, ...]
    coef: tuple[float, ...]
    intercept: float
    training_domains: tuple[str, ...]
    base_rate: Share
    C: float = 1.0
    cv: dict[str, Any] = {}
    n_train: int = 0
    seed: int = 0


class TrainingFacts(Struct, frozen=True, kw_only=True):
    """What a model was fitted on: counts of runs and tasks, where they came from, and how it did on held-out tasks.

    ``n_confirmed`` counts the runs that a state probe confirmed; files of before it was counted have none.
    """

    n: int = 0
    n_success: int = 0
    n_confirmed: int | None = None
    tasks: int = 0
    fitted_on: str = ""
    seed: int = 0
    held_out: dict[str, Any] = {}

    @property
    def knows_confirmed(self) -> bool:
        """False when too few confirmed runs were among them to tell one from another, as in labels of the review queue."""
        return self.n_confirmed is None or self.n_confirmed >= FEWEST_CONFIRMED


class ClassifierFile(Struct, frozen=True, kw_only=True):
    """Our artifact: a model, the feature table it reads, what runs it was fitted on and how far it may reach.

    ``tools`` names the tools of those runs; ``None`` where the model weighs only what carries over to others.
    """

    format: Literal["claimcheck-classifier/v1"]
    table: str
    features: tuple[str, ...]
    model: Model
    base_rate: Share
    training: TrainingFacts = TrainingFacts()
    likeness: Likeness | None = None
    tools: tuple[str, ...] | None = None


class _Head(Struct):
    """Only what says which format follows. The numbers are read, and found too large, in the second reading."""

    format: Any = None


class Classifier(Struct, frozen=True, kw_only=True):
    """A checked artifact, ready to score. ``domains`` is ``None`` unless the documented domain list decides abstention.

    ``fingerprint`` is the SHA-256 of the file; a calibrator says which one it was fitted for.
    """

    name: str
    table: str
    model: Model
    base_rate: float
    fingerprint: str
    domains: frozenset[str] | None = None
    likeness: Likeness | None = None
    tools: frozenset[str] | None = None
    training: TrainingFacts = TrainingFacts()


def shipped_classifier(name: str = CLASSIFIER_FILE) -> Path:
    """Return the path of a classifier that comes with the package."""
    return data_path(f"models/{name}")


def load_classifier(path: str | Path) -> Classifier:
    """Read a classifier file. Raises ``InputError`` naming file and fault; a missing file is one."""
    place = Path(path)
    try:
        data = place.read_bytes()
    except OSError as error:
        raise InputError(
            f"{printable(str(place))}: {error.strerror or error}", hint="classifier files are made by train"
        ) from error
    try:
        return parse_classifier(data)
    except InputError as error:
        raise InputError(f"{printable(str(place))}: {error.message}", hint=error.hint, slug="artifact") from error


def parse_classifier(data: bytes) -> Classifier:
    """Return the classifier in ``data``. Raises ``InputError`` for anything that is not a sound one."""
    if len(data) > _LARGEST:
        raise InputError(f"larger than {_LARGEST} bytes, which no classifier is", slug="artifact")
    try:
        found = msgspec.json.decode(data, type=_Head).format
        if found == LR_FORMAT:
            return _of_documented(msgspec.json.decode(data, type=DocumentedLr), sha256_hex(data))
        if found == CLASSIFIER_FORMAT:
            return _of_ours(msgspec.json.decode(data, type=ClassifierFile), sha256_hex(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"not a classifier: {shorten(explain_fault(error, data), 300)}", slug="artifact") from error
    raise InputError(
        f"format is {shorten(printable(json.dumps(found, default=str)), 60)}",
        hint=f"known: {LR_FORMAT}, {CLASSIFIER_FORMAT}",
        slug="artifact",
    )


def _of_documented(file: DocumentedLr, fingerprint: str) -> Classifier:
    table = table_of(SHAPE_TABLE)
    if file.features != table.names:
        raise InputError(f"$.features: not the {len(table.names)} documented ones", slug="artifact")
    model = Logistic(means=file.means, scales=file.scales, coef=file.coef, intercept=file.intercept)
    model.check(len(table.names), "$")
    return Classifier(
        name="classifier-lr",
        table=SHAPE_TABLE,
        model=model,
        base_rate=file.base_rate,
        fingerprint=fingerprint,
        domains=frozenset(file.training_domains),
        training=TrainingFacts(n=file.n_train, seed=file.seed, held_out=file.cv),
    )


def _of_ours(file: ClassifierFile, fingerprint: str) -> Classifier:
    table = table_of(file.table)
    if not isinstance(file.model, TextModel) and file.features != table.names:
        raise InputError(f"$.features: not those of table {file.table}", slug="artifact")
    file.model.check(len(table.names))
    if file.likeness is not None:
        file.likeness.check(len(table.names))
    return Classifier(
        name="classifier",
        table=file.table,
        model=file.model,
        base_rate=file.base_rate,
        fingerprint=fingerprint,
        likeness=file.likeness,
        tools=None if file.tools is None else frozenset(file.tools),
        training=file.training,
    )


def kind_in_words(model: Model) -> str:
    """Return what a model is made of, for reports: ``logistic regression and trees, averaged with the text model``."""
    if isinstance(model, EvidenceAndText):
        return f"{kind_in_words(model.evidence)}, averaged with the text model"
    if isinstance(model, Blend):
        return " and ".join(map(kind_in_words, model.members))
    return {Logistic: "logistic regression", Trees: "trees", TextModel: "text model"}[type(model)]


def encode_artifact(file: DocumentedLr | ClassifierFile) -> bytes:
    """Return an artifact as sorted JSON with a final newline: equal fits give equal bytes."""
    fields = msgspec.to_builtins(file, str_keys=True)
    indent = 2 if isinstance(file, DocumentedLr) else None
    text = json.dumps(fields, sort_keys=True, indent=indent, separators=None if indent else (",", ":"), allow_nan=False)
    return (text + "\n").encode("utf-8")
