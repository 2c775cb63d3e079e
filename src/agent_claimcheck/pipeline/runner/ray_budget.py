"""The budget of a Ray run: one actor beside the driver keeps it, and every worker on every node asks there.

A reader must not miss: a file beside the ledger holds the reservations, and workers on other machines do not see that
file. The actor does, so the limit holds wherever the calls are made. What a lost worker had set aside counts as spent when
its lease ends.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from agent_claimcheck.llm.budget import ABANDONED, Purpose, Refusal, Reservation, Spending
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.catalog import PAID_DETECTORS
from agent_claimcheck.pipeline.judge_options import JudgeOptions


def open_desk(ray: Any, spec: CheckerSpec) -> tuple[Any, CheckerSpec]:
    """Start the actor when ``spec`` asks a paid model. Returns it, or ``None``, and the specification for the workers.

    The actor lives as long as what is returned is kept.
    """
    if spec.judge is None or spec.detector not in PAID_DETECTORS:
        return None, spec
    name = f"claimcheck-budget-{spec.judge.run_id}"
    here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
        node_id=ray.get_runtime_context().get_node_id(), soft=False
    )
    actor = ray.remote(BudgetDesk).options(name=name, num_cpus=0, scheduling_strategy=here).remote(spec.judge)
    return actor, replace(spec, judge=replace(spec.judge, budget_desk=name))


class BudgetDesk:
    """Runs as the actor: answers one question after the other from the real budget."""

    def __init__(self, options: JudgeOptions) -> None:
        from agent_claimcheck.pipeline.model_session import open_budget

        self._budget = open_budget(options, is_paid=True)

    def reserve(self, usd: float, purpose: Purpose) -> Reservation | Refusal:
        """As ``Budget.reserve``."""
        return self._budget.reserve(usd, purpose)

    def settle(self, reservation: Reservation, spending: Spending) -> None:
        """As ``Budget.settle``."""
        self._budget.settle(reservation, spending)

    def note_cached(self, purpose: Purpose, tokens_in: int, tokens_out: int) -> None:
        """As ``Budget.note_cached``."""
        self._budget.note_cached(purpose, tokens_in=tokens_in, tokens_out=tokens_out)


class DeskPurse:
    """The budget as a worker sees it: every question goes to the actor. Safe to use from several threads."""

    def __init__(self, name: str) -> None:
        """``name`` is that of the actor. Raises ``ValueError`` when there is none."""
        import ray

        self._ray: Any = ray
        self._desk = self._ray.get_actor(name)
        self._mine: dict[str, Reservation] = {}

    def reserve(self, usd: float, purpose: Purpose) -> Reservation | Refusal:
        """As ``Budget.reserve``."""
        answer: Reservation | Refusal = self._ray.get(self._desk.reserve.remote(usd, purpose))
        if isinstance(answer, Reservation):
            self._mine[answer.id] = answer
        return answer

    def settle(self, reservation: Reservation, spending: Spending) -> None:
        """As ``Budget.settle``."""
        self._mine.pop(reservation.id, None)
        self._ray.get(self._desk.settle.remote(reservation, spending))

    def abandon(self) -> None:
        """As ``Budget.abandon``, for what this worker set aside."""
        for reservation in list(self._mine.values()):
            self.settle(reservation, Spending(usd=reservation.usd, status=ABANDONED))

    def note_cached(self, purpose: Purpose, *, tokens_in: int, tokens_out: int) -> None:
        """As ``Budget.note_cached``."""
        self._ray.get(self._desk.note_cached.remote(purpose, tokens_in, tokens_out))

    def close(self) -> None:
        """The actor ends with the driver."""
