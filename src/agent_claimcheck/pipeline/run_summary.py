"""What several graded runs come to: for each check how many passed, and the mean score, both with intervals."""

from __future__ import annotations

from typing import Any

from agent_claimcheck.checks.contract import RunReport
from agent_claimcheck.scoring.proportions import mean_with_interval, percent_text, rate_with_interval


class RunSummary:
    """Counts reports as they come. A check that gives no score for a run adds nothing to its mean."""

    def __init__(self) -> None:
        self._overall: list[float] = []
        self._scores: dict[str, list[float]] = {}
        self._verdicts: dict[str, list[str]] = {}

    def add(self, report: RunReport) -> None:
        """Count one run."""
        if any(result.score is not None for result in report.results):
            self._overall.append(report.overall_score)
        for result in report.results:
            self._verdicts.setdefault(result.check, []).append(result.verdict)
            scores = self._scores.setdefault(result.check, [])
            if result.score is not None:
                scores.append(result.score)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain values. Means and rates lie in [0, 1] and are ``None`` without values."""
        overall = mean_with_interval(self._overall)
        return {
            "mean_overall_score": None if overall is None else overall.value,
            "checks": {name: self._check(name) for name in self._verdicts},
        }

    def lines(self) -> list[str]:
        """Return the summary as text, nothing for fewer than two runs."""
        count = max((len(verdicts) for verdicts in self._verdicts.values()), default=0)
        if count < 2:
            return []
        lines = [f"{count} runs"]
        for name, verdicts in self._verdicts.items():
            passed = rate_with_interval(verdicts.count("pass"), len(verdicts))
            line = f"  {name:<13} passed {percent_text(passed, len(verdicts))}"
            mean = mean_with_interval(self._scores[name])
            if mean is not None:
                line += f"; mean score {mean.value:.2f} (95% CI {mean.ci_low:.2f}–{mean.ci_high:.2f})"
            lines.append(f"{line}; {verdicts.count('review')} to review, {verdicts.count('fail')} failed")
        overall = mean_with_interval(self._overall)
        if overall is not None:
            lines.append(f"Mean overall score {overall.value:.2f}")
        return lines

    def _check(self, name: str) -> dict[str, Any]:
        verdicts, scores = self._verdicts[name], self._scores[name]
        passed = rate_with_interval(verdicts.count("pass"), len(verdicts))
        mean = mean_with_interval(scores)
        return {
            "n": len(verdicts),
            "pass": verdicts.count("pass"),
            "review": verdicts.count("review"),
            "fail": verdicts.count("fail"),
            "pass_rate": {"value": passed.value, "ci_low": passed.ci_low, "ci_high": passed.ci_high},
            "score": None if mean is None else {
                "mean": mean.value, "ci_low": mean.ci_low, "ci_high": mean.ci_high, "interval": mean.interval, "n": len(scores),
            },
        }  # fmt: skip
