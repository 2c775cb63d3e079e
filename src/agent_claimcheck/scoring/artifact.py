"""``calibration.json``: fitted calibrators by detector, and the gate thresholds that were promised with them.

A reader must not miss: a calibrator knows what it was fitted on. One that was fitted for another classifier file, or that
made held-out scores worse, is not applied; ``Calibration.notes`` says so.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.json_faults import explain_fault
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.scoring.conformal import ConformalSets
from agent_claimcheck.scoring.gate import Thresholds
from agent_claimcheck.scoring.isotonic import IsotonicScaling
from agent_claimcheck.scoring.platt import CLIP, PlattScaling
from agent_claimcheck.scoring.risk_control import PromisedCut

DEFAULT_BASE_RATE = 0.6
CALIBRATION_FILE = "calibration.json"
_LARGEST = 20_000_000

Share = Annotated[float, Meta(ge=0, le=1)]


class HeldOut(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Scores on runs the calibrator was not fitted on, before and after: Brier score and calibration error, in [0, 1]."""

    brier_raw: float = 0.0
    brier: float = 0.0
    ece_raw: float = 0.0
    ece: float = 0.0


class Calibrator(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the file. ``method`` is ``platt`` (``a``, ``b``, ``clip``) or ``isotonic`` (``x``, ``y``).

    ``artifact`` is the fingerprint of the classifier file it belongs to, empty when any will do. ``keep_raw`` says why
    the raw score is better than the calibrated one; then the calibrator is not applied.
    """

    method: Literal["platt", "isotonic"]
    detector: str
    fitted_on: str
    n: int
    n_pos: int
    a: float | None = None
    b: float | None = None
    clip: Annotated[float, Meta(gt=0, lt=0.5)] | None = None
    x: tuple[float, ...] | None = None
    y: tuple[float, ...] | None = None
    artifact: str = ""
    keep_raw: str = ""
    held_out: HeldOut | None = None

    def scaling(self) -> PlattScaling | IsotonicScaling:
        """Return the function itself. Raises ``InputError`` when its numbers are missing or not finite."""
        if self.method == "isotonic":
            return IsotonicScaling(x=self.x or (), y=self.y or (), n=self.n, n_pos=self.n_pos)
        if self.a is None or self.b is None or not (math.isfinite(self.a) and math.isfinite(self.b)):
            raise InputError("a platt calibrator needs the numbers a and b", slug="calibration")
        return PlattScaling(a=self.a, b=self.b, clip=self.clip or CLIP, n=self.n, n_pos=self.n_pos)


def shown_threshold(value: float) -> str:
    """Return a threshold in as few decimals as tell it from 0 and 1, three at the least.

    >>> shown_threshold(0.81234), shown_threshold(0.99982578), shown_threshold(1.0)
    ('0.812', '0.9998', '1')
    """
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    for digits in range(3, 17):
        shown = f"{value:.{digits}f}"
        if float(shown) not in (0.0, 1.0):
            return shown
    return repr(value)


class Promise(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Thresholds for one detector, with what was promised of them. A side that nothing could be promised of is closed."""

    detector: str
    verified: PromisedCut | None = None
    false_success: PromisedCut | None = None
    conformal: ConformalSets | None = None

    def thresholds(self) -> Thresholds:
        """Return the gate thresholds that keep the promise. A closed side is 1 for ``verified``, 0 for ``false_success``."""
        if self.conformal is not None:
            # A verdict needs a set of one label, so each cut also lies beyond the other label's.
            up = max(self.conformal.success_from, math.nextafter(self.conformal.failure_to, 2.0))
            down = min(self.conformal.failure_to, math.nextafter(self.conformal.success_from, -1.0))
        else:
            up = self.verified.threshold if self.verified else 1.0
            down = self.false_success.threshold if self.false_success else 0.0
        up = min(1.0, max(up, math.nextafter(0.0, 1.0)))
        return Thresholds(verified=up, false_success=max(0.0, min(down, math.nextafter(up, 0.0))))

    def told(self) -> str:
        """Return in one line which thresholds are promised, and what of them."""
        kept = self.thresholds()
        if self.conformal is not None:
            return (
                f"promised thresholds: verified from {shown_threshold(kept.verified)}, "
                f"false_success up to {shown_threshold(kept.false_success)} "
                f"(at most {self.conformal.alpha:.1%} of each outcome called the other, on runs like the labelled ones)"
            )
        sides = (("verified", "from", self.verified), ("false_success", "up to", self.false_success))
        told = [
            f"{side} is closed" if cut is None else f"{side} {word} {shown_threshold(cut.threshold)}"
            for side, word, cut in sides
        ]
        made = self.verified or self.false_success
        promised = ""
        if made is not None:
            sure = f"with confidence {made.confidence:g}, on runs like the labelled ones"
            promised = f" (at most {made.bound:.1%} of each wrong, {sure})"
        return f"promised thresholds: {', '.join(told)}{promised}"


class CalibrationFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file as it lies on disk."""

    fitted_on: str
    calibrators: dict[str, Calibrator]
    version: Literal[1] = 1
    base_rate: Share = DEFAULT_BASE_RATE
    promise: Promise | None = None


class Calibration:
    """Calibrators ready to use. ``fingerprint`` is that of the classifier in use, for the entries that name one."""

    def __init__(self, file: CalibrationFile, *, fingerprint: str = "", is_builtin: bool = False) -> None:
        self.file = file
        self.is_builtin = is_builtin
        self.notes: list[str] = []
        self._scalings: dict[str, PlattScaling | IsotonicScaling] = {}
        for key, entry in file.calibrators.items():
            if entry.keep_raw:
                self.notes.append(f"calibrator {printable(key)}: raw scores are kept, {entry.keep_raw}")
            elif entry.artifact and fingerprint and entry.artifact != fingerprint:
                self.notes.append(
                    f"calibrator {printable(key)} was fitted for another classifier file; raw scores are kept"
                )
            else:
                self._scalings[key] = entry.scaling()

    def apply(self, key: str, p: float) -> float | None:
        """Return the calibrated probability of a raw ``p`` of detector ``key``; ``None`` when nothing calibrates it."""
        scaling = self._scalings.get(key)
        return None if scaling is None else min(1.0, max(0.0, scaling.apply(p)))


def load_calibration(path: str | Path) -> CalibrationFile:
    """Read a calibration file. Raises ``InputError`` naming file and fault; a missing file is one."""
    place = Path(path)
    try:
        data = place.read_bytes()
    except OSError as error:
        raise InputError(
            f"{printable(str(place))}: {error.strerror or error}", hint="calibration files are made by train"
        ) from error
    return parse_calibration(data, printable(str(place)))


def parse_calibration(data: bytes, name: str) -> CalibrationFile:
    """Return the calibrators in ``data``; ``name`` is used in messages. Raises ``InputError`` when they are not sound."""
    try:
        if len(data) > _LARGEST:
            raise InputError(f"larger than {_LARGEST} bytes")
        file = msgspec.json.decode(data, type=CalibrationFile)
        for key, entry in file.calibrators.items():
            try:
                entry.scaling()
            except InputError as error:
                raise InputError(f"{shorten(printable(key), 80)}: {error.message}") from error
        if file.promise is not None:
            file.promise.thresholds()
        return file
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
        message = error.message if isinstance(error, InputError) else explain_fault(error, data)
        raise InputError(
            f"{name}: not a calibration file: {printable(shorten(message, 300))}",
            hint="calibration files are made by train",
            slug="calibration",
        ) from error


def calibrator_of(scaling: PlattScaling | IsotonicScaling, *, detector: str, fitted_on: str, **more: Any) -> Calibrator:
    """Return the file entry for a fitted function; ``more`` are further fields of ``Calibrator``."""
    shared = {"detector": detector, "fitted_on": fitted_on, "n": scaling.n, "n_pos": scaling.n_pos, **more}
    if isinstance(scaling, PlattScaling):
        return Calibrator(method="platt", a=scaling.a, b=scaling.b, clip=scaling.clip, **shared)
    return Calibrator(method="isotonic", x=scaling.x, y=scaling.y, **shared)


def encode_calibration(file: CalibrationFile) -> bytes:
    """Return the file as JSON with indent 2, sorted keys and a final newline (documented)."""
    fields = {"version": file.version, "base_rate": file.base_rate, **msgspec.to_builtins(file)}
    return (json.dumps(fields, indent=2, sort_keys=True, allow_nan=False) + "\n").encode("utf-8")
