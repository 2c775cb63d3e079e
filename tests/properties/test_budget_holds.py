"""Whatever the order of calls, threads and processes: what is spent never passes a limit."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.llm.budget import Budget, Purpose, Spending
from agent_claimcheck.llm.ledger import Ledger

PURPOSE = Purpose(model="m", trace_id="t", prompt="p")
CALLS = st.lists(
    st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 1.0), st.sampled_from(["ok", "timeout", "http_429"])),
    min_size=1,
    max_size=6,
)


def play(budget: Budget, calls: list[tuple[float, float, str]], over: list[float]) -> None:
    for amount, share, status in calls:
        held = budget.reserve(amount, PURPOSE)
        if isinstance(held, str):
            continue
        if budget.spent_usd + budget.outstanding_usd > 1.0 + 1e-9:
            over.append(budget.spent_usd)
        spent = {"ok": amount * share, "timeout": amount, "http_429": 0.0}[status]
        budget.settle(held, Spending(usd=spent, status=status))


@given(st.lists(CALLS, min_size=2, max_size=4), st.floats(0.2, 1.5))
@settings(max_examples=40)
def test_threads_never_pass_a_limit(schedule: list[list[tuple[float, float, str]]], cap: float) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "ledger.jsonl"
        budget = Budget(max_usd=1.0, cap_usd=cap, ledger=Ledger(path))
        over: list[float] = []
        threads = [threading.Thread(target=play, args=(budget, calls, over)) for calls in schedule]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent = sum(json.loads(line)["actual_usd"] for line in path.read_text(encoding="utf-8").splitlines())
        assert over == []
        assert spent <= min(1.0, cap) + 1e-9
        assert abs(budget.spent_usd - spent) < 1e-9
        assert budget.outstanding_usd == 0
        budget.close()


WORKER = """
import random, sys
from pathlib import Path
from agent_claimcheck.llm.budget import Budget, Purpose, Spending
from agent_claimcheck.llm.ledger import Ledger
rng = random.Random(int(sys.argv[2]))
budget = Budget(max_usd=5.0, cap_usd=1.0, ledger=Ledger(Path(sys.argv[1])))
open_ = []
for _ in range(40):
    held = budget.reserve(rng.uniform(0, 0.1), Purpose(model="m", trace_id="t", prompt="p"))
    if not isinstance(held, str):
        open_.append(held)
    while open_ and (len(open_) > 3 or rng.random() < 0.5):
        done = open_.pop(rng.randrange(len(open_)))
        budget.settle(done, Spending(usd=done.usd * rng.random(), status="ok"))
for done in open_:
    budget.settle(done, Spending(usd=done.usd, status="timeout"))
budget.close()
"""


def test_four_processes_on_one_ledger_never_pass_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, str(path), str(seed)]) for seed in range(4)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0, 0]
    spent = [json.loads(line)["actual_usd"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(spent) > 20
    assert 0.8 < sum(spent) <= 1.0 + 1e-9
