"""What may be spent: limits, settlement, leases, and the ledger lines they leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import OutputError, UsageError
from agent_claimcheck.llm.budget import Budget, Purpose, Reservation, Spending
from agent_claimcheck.llm.ledger import Ledger
from fakes import Clock

PURPOSE = Purpose(model="m", trace_id="t", prompt="p")
KEYS = {
    "ts", "run_id", "model", "trace_id", "prompt", "tokens_in", "tokens_out", "reserved_usd", "actual_usd", "cached",
    "status",
}  # fmt: skip


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def held(outcome: Reservation | str) -> Reservation:
    assert isinstance(outcome, Reservation), outcome
    return outcome


OpenBudget = Callable[..., Budget]


@pytest.fixture
def open_budget() -> Iterator[OpenBudget]:
    """Budgets that are closed after the test."""
    budgets: list[Budget] = []

    def make(**options: Any) -> Budget:
        budgets.append(Budget(**options))
        return budgets[-1]

    yield make
    for budget in budgets:
        budget.close()


def test_open_reservations_count_against_the_budget(open_budget: OpenBudget) -> None:
    budget = open_budget(max_usd=1.0)
    held(budget.reserve(0.6, PURPOSE))
    assert budget.reserve(0.5, PURPOSE) == "budget_exhausted"
    held(budget.reserve(0.4, PURPOSE))
    assert budget.reserve(1e-9, PURPOSE) == "budget_exhausted"


def test_settling_below_the_reservation_frees_the_rest(open_budget: OpenBudget) -> None:
    budget = open_budget(max_usd=1.0)
    budget.settle(held(budget.reserve(0.9, PURPOSE)), Spending(usd=0.1, status="ok"))
    assert budget.spent_usd == pytest.approx(0.1)
    assert budget.outstanding_usd == 0
    held(budget.reserve(0.9, PURPOSE))


def test_budget_of_zero_allows_only_free_calls(open_budget: OpenBudget) -> None:
    budget = open_budget(max_usd=0.0)
    held(budget.reserve(0.0, PURPOSE))
    assert budget.reserve(1e-12, PURPOSE) == "budget_exhausted"


def test_a_line_has_the_documented_keys_in_order_and_no_content(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ledger.jsonl"
    budget = open_budget(max_usd=1.0, ledger=Ledger(path), run_id="abc123", clock=Clock())
    budget.settle(held(budget.reserve(0.5, PURPOSE)), Spending(usd=0.25, status="ok", tokens_in=10, tokens_out=2))
    budget.note_cached(PURPOSE, tokens_in=10, tokens_out=2)
    paid, cached = lines(path)
    assert set(paid) == set(cached) == KEYS
    assert list(paid) == sorted(paid)
    assert paid["ts"] == "2023-11-14T22:13:20.000Z"
    assert (paid["run_id"], paid["reserved_usd"], paid["actual_usd"], paid["status"]) == ("abc123", 0.5, 0.25, "ok")
    assert (cached["actual_usd"], cached["cached"], cached["status"]) == (0.0, True, "cached")


def test_a_refusal_leaves_no_line(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    budget = open_budget(max_usd=0.1, ledger=Ledger(path))
    assert budget.reserve(1.0, PURPOSE) == "budget_exhausted"
    assert path.read_bytes() == b""


def test_lifetime_cap_counts_what_earlier_runs_spent(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    first = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path))
    first.settle(held(first.reserve(0.7, PURPOSE)), Spending(usd=0.7, status="ok"))
    second = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path))
    assert second.reserve(0.4, PURPOSE) == "ledger_cap"
    held(second.reserve(0.3, PURPOSE))


def test_lifetime_cap_counts_what_another_run_has_open_and_spends_later(
    open_budget: OpenBudget, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.jsonl"
    one = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path))
    other = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path))
    open_ = held(one.reserve(0.6, PURPOSE))
    assert other.reserve(0.5, PURPOSE) == "ledger_cap"
    one.settle(open_, Spending(usd=0.5, status="ok"))
    held(other.reserve(0.5, PURPOSE))
    assert one.reserve(0.01, PURPOSE) == "ledger_cap"


def test_the_run_budget_is_named_before_the_cap(open_budget: OpenBudget, tmp_path: Path) -> None:
    budget = open_budget(max_usd=0.1, cap_usd=0.05, ledger=Ledger(tmp_path / "l"))
    assert budget.reserve(0.2, PURPOSE) == "budget_exhausted"
    assert budget.reserve(0.08, PURPOSE) == "ledger_cap"


def test_processes_that_share_a_run_id_share_its_budget(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    one = open_budget(max_usd=1.0, ledger=Ledger(path), run_id="same")
    other = open_budget(max_usd=1.0, ledger=Ledger(path), run_id="same")
    one.settle(held(one.reserve(0.6, PURPOSE)), Spending(usd=0.6, status="ok"))
    assert other.reserve(0.5, PURPOSE) == "budget_exhausted"
    held(open_budget(max_usd=1.0, ledger=Ledger(path), run_id="new").reserve(0.5, PURPOSE))


def test_what_a_vanished_process_had_open_is_written_off_as_spent(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    clock = Clock()
    gone = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path), run_id="gone", lease_s=60, clock=clock)
    held(gone.reserve(0.6, PURPOSE))
    gone.close()
    later = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path), clock=clock)
    assert later.reserve(0.5, PURPOSE) == "ledger_cap"
    clock.wait(61)
    assert later.reserve(0.5, PURPOSE) == "ledger_cap"
    held(later.reserve(0.4, PURPOSE))
    (line,) = lines(path)
    assert (line["status"], line["actual_usd"], line["run_id"]) == ("lease_expired", 0.6, "gone")


def test_a_call_that_outlived_its_lease_is_not_counted_twice(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    clock = Clock()
    budget = open_budget(max_usd=5.0, cap_usd=5.0, ledger=Ledger(path), lease_s=60, clock=clock)
    slow = held(budget.reserve(0.6, PURPOSE))
    clock.wait(100)
    held(budget.reserve(0.1, PURPOSE))
    budget.settle(slow, Spending(usd=0.2, status="ok"))
    assert sum(float(str(line["actual_usd"])) for line in lines(path)) == pytest.approx(0.6)


def test_calls_given_up_are_booked_once(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    budget = open_budget(max_usd=1.0, ledger=Ledger(path))
    settled, given_up = held(budget.reserve(0.2, PURPOSE)), held(budget.reserve(0.3, PURPOSE))
    budget.settle(settled, Spending(usd=0.1, status="ok"))
    budget.abandon()
    budget.abandon()
    budget.settle(given_up, Spending(usd=0.25, status="ok"))
    assert [(line["status"], line["actual_usd"]) for line in lines(path)] == [
        ("ok", 0.1),
        ("stopped", 0.3),
        ("ok", 0.0),
    ]
    assert budget.spent_usd == pytest.approx(0.4)


def test_lines_that_cannot_be_read_count_nothing_and_a_torn_line_is_ended(
    open_budget: OpenBudget, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b'{"actual_usd": 0.5}\nnot json\n{"actual_usd": "1"}\n{"actual_usd": NaN}\n[]\n{"actual_us')
    budget = open_budget(max_usd=1.0, cap_usd=1.0, ledger=Ledger(path))
    assert budget.reserve(0.6, PURPOSE) == "ledger_cap"
    budget.settle(held(budget.reserve(0.5, PURPOSE)), Spending(usd=0.5, status="ok"))
    last = path.read_bytes().splitlines()[-1]
    assert json.loads(last)["actual_usd"] == 0.5
    assert budget.reserve(0.01, PURPOSE) == "ledger_cap"


def test_a_ledger_that_cannot_be_written_is_refused_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="ledger cannot be written"):
        Ledger(tmp_path)


def test_a_broken_reservation_file_is_named(open_budget: OpenBudget, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Path(f"{path}.reservations").write_bytes(b"no database, but long enough to be looked at" * 50)
    with pytest.raises(OutputError, match="remove this file"):
        open_budget(max_usd=1.0, ledger=Ledger(path))


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_amounts_that_are_none_are_refused(open_budget: OpenBudget, amount: float) -> None:
    with pytest.raises(UsageError):
        open_budget(max_usd=amount)


def test_files_are_for_the_owner_only(open_budget: OpenBudget, tmp_path: Path) -> None:
    open_budget(max_usd=1.0, ledger=Ledger(tmp_path / "l"))
    assert [(tmp_path / name).stat().st_mode & 0o077 for name in ("l", "l.reservations")] == [0, 0]
