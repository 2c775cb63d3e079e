from __future__ import annotations

import pytest

from agent_claimcheck.results.comparison import compare_results
from agent_claimcheck.scoring.intervals import independent_difference, paired_difference


@pytest.fixture
def runs(build_result):
    """Return results from a text of v(erified), f(alse) and s(kipped), one letter a run."""
    words = {"v": "verified", "f": "false_success", "s": "skipped"}

    def build(text: str, prefix: str = "r", tasks: int | None = None):
        return [
            build_result(words[letter], f"{prefix}{n}", task_id=f"t{n % tasks}" if tasks else None)
            for n, letter in enumerate(text)
        ]

    return build


def test_the_same_traces_are_compared_one_by_one(runs):
    before, after = "f" * 20 + "v" * 20, "v" * 20 + "v" * 20
    found = compare_results(runs(before), runs(after))
    assert (found.method, found.pairs, found.judgement) == ("paired by trace", 40, "better")
    assert found.difference == paired_difference([False] * 40, [True] * 20 + [False] * 20)
    assert found.transitions == {("false_success", "verified"): 20}
    assert len(found.changes) == 20


def test_the_same_tasks_are_compared_task_by_task(runs):
    found = compare_results(runs("v" * 30, "a", tasks=30), runs("f" * 15 + "v" * 15, "b", tasks=30))
    assert (found.method, found.pairs, found.judgement) == ("paired by task", 30, "worse")
    assert found.shared_traces == 0


def test_several_runs_of_a_task_count_as_one_task(runs):
    before = runs("vf" * 60, "a", tasks=12)
    after = runs("v" * 120, "b", tasks=12)
    found = compare_results(before, after)
    assert (found.method, found.pairs, found.judgement) == ("task means", 12, "better")
    assert found.difference.value == pytest.approx(-0.5)
    assert compare_results(before, after) == found


def test_one_bad_task_run_often_does_not_look_like_many(runs, build_result):
    """Sixty alike runs of one task are one piece of evidence, not sixty."""
    before = [*runs("v" * 60, "a", tasks=12), *(build_result("verified", f"x{n}", task_id="hard") for n in range(60))]
    after = [
        *runs("v" * 60, "b", tasks=12),
        *(build_result("false_success", f"y{n}", task_id="hard") for n in range(60)),
    ]
    found = compare_results(before, after)
    assert found.method == "task means"
    assert found.judgement == "no difference shown"


def test_strangers_are_compared_as_separate_samples(runs):
    found = compare_results(runs("f" * 30 + "v" * 70, "a"), runs("f" * 10 + "v" * 90 + "s" * 50, "b"))
    assert (found.method, found.judgement) == ("separate samples", "better")
    assert found.difference == independent_difference(10, 100, 30, 100)
    assert found.second.claimed == 100


def test_a_small_difference_names_no_winner(runs):
    found = compare_results(runs("f" * 3 + "v" * 37, "a"), runs("f" * 2 + "v" * 38, "b"))
    assert found.judgement == "no difference shown"


def test_nothing_to_compare_is_said(runs):
    assert compare_results([], runs("v")).judgement == "nothing to compare"
    assert compare_results(runs("ss"), runs("v")).judgement == "nothing to compare"


def test_new_and_gone_findings_are_counted(build_result):
    from agent_claimcheck.evidence.contract import Finding

    def finding(name: str) -> Finding:
        return Finding(id=name, power="review", severity="warn", subject="s", reason="r")

    old = build_result("verified", "r", findings=(finding("a"), finding("b")))
    new = build_result("verified", "r", findings=(finding("b"), finding("c"), finding("c")))
    found = compare_results([old], [new])
    assert (found.new_findings, found.gone_findings) == ({"c": 1}, {"a": 1})


def test_very_many_tasks_have_the_normal_interval_which_is_close_to_drawing_them(runs):
    letters = "vvfvf"
    before = "".join(letters[n % 5] for n in range(8_000))
    after = "".join(letters[(n * 3) % 5] for n in range(8_000))
    few = compare_results(runs(before[:3_600], "a", tasks=1_800), runs(after[:3_600], "b", tasks=1_800))
    many = compare_results(runs(before, "a", tasks=4_000), runs(after, "b", tasks=4_000))
    assert (few.method, many.method) == ("task means", "task means")
    width_few, width_many = (found.difference.ci_high - found.difference.ci_low for found in (few, many))
    assert width_many == pytest.approx(width_few * (1_800 / 4_000) ** 0.5, rel=0.15)
