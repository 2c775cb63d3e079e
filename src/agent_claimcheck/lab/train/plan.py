"""What a training is to fit, and the names of what it fits."""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.lab.train.calibrators import Method
from agent_claimcheck.lab.train.estimate import ModelKind

LR_KEY = "classifier-lr"
OUR_KEY = "classifier"


class TrainPlan(Struct, frozen=True, kw_only=True):
    """What to fit. ``calibrate`` names further detectors whose raw scores are given to ``fit``.

    ``bound`` in (0, 1) asks for gate thresholds with that promised error at ``confidence``, ``alpha`` in (0, 1) for
    conformal prediction sets with that error in either class; one of the two at most.
    """

    fitted_on: str
    calibrate: tuple[str, ...] = ()
    method: Method = "platt"
    is_forced: bool = False
    model: ModelKind = "blend"
    with_text: bool = False
    bound: float | None = None
    alpha: float | None = None
    confidence: float = 0.9
    seed: int = 0
