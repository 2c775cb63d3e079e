"""The hypothesis lines of the report: what was claimed beforehand, whether it held, and the figures that decide it.

A reader must not miss: a hypothesis that could not be tested reads "not measured", never "not supported".
"""

from __future__ import annotations

from agent_claimcheck.lab.bench.blocks import Block, Bullets, Heading, Line, Strong
from agent_claimcheck.lab.bench.figures import NOT_MEASURED, UNDEFINED, score, share
from agent_claimcheck.lab.bench.report import BenchReport
from agent_claimcheck.lab.bench.rows import RULES


def hypothesis_blocks(report: BenchReport) -> list[Block]:
    """Return the heading and one bullet for each of H1 to H4."""
    return [Heading("Hypotheses"), Bullets((_h1(report), _h2(report), _h3(report), _h4(report)))]


def _claim(name: str, claim: str, supported: bool | None, figures: str) -> Line:
    verdict = NOT_MEASURED if supported is None else "supported" if supported else "not supported"
    return (f"{name}, {claim}: ", Strong(verdict), f". {figures}" if supported is not None and figures else ".")


def _h1(report: BenchReport) -> Line:
    found = report.hypotheses.h1
    figures = ""
    if found.supported is not None:
        n_failure = report.detectors[RULES].decisions.n_failure
        fewest, least = min(found.missed.values()), min(found.coverage.values())
        best = ", ".join(name for name, missed in found.missed.items() if missed == fewest)
        lowest = ", ".join(name for name, coverage in found.coverage.items() if coverage == least)
        figures = (
            f"Fewest missed by {best} ({fewest}/{n_failure}), by the rules {found.missed[RULES]}/{n_failure}; lowest "
            f"coverage by {lowest}, {share(least)} (the rules {share(found.coverage[RULES])})."
        )
    return _claim("H1", "the rules miss the fewest and decide the least", found.supported, figures)


def _h2(report: BenchReport) -> Line:
    found = report.hypotheses.h2
    figures = "; ".join(
        f"{name}: {share(judge.extremes_raw)} of raw scores extreme, ECE {score(judge.ece_raw)} raw and "
        f"{score(judge.ece_calibrated)} calibrated"
        for name, judge in found.judges.items()
    )
    claim = "raw judge scores are mostly extreme and Platt scaling lowers their ECE"
    return _claim("H2", claim, found.supported, f"{figures}.")


def _h3(report: BenchReport) -> Line:
    found = report.hypotheses.h3
    figures = "; ".join(
        f"{domain}: {score(transfer.lodo_auroc)} unseen, {score(transfer.shipped_auroc)} shipped"
        for domain, transfer in found.domains.items()
    )
    return _claim("H3", "the classifier ranks worse in a domain it never saw", found.supported, f"{figures}.")


def _h4(report: BenchReport) -> Line:
    found = report.hypotheses.h4
    counted = max((judge.n_traces for judge in found.judges.values()), default=0)
    figures = "; ".join(
        f"{name}: {share(judge.reviewer_injection_recall)} of such runs caught ({judge.reviewer_injection_caught}/"
        f"{judge.reviewer_injection_total}), {share(judge.other_mean_recall)} on average of the other kinds"
        if judge.reviewer_injection_recall is not None
        else f"{name}: {UNDEFINED}"
        for name, judge in found.judges.items()
    )
    scope = f"Raw scores at the gate, all {counted} traces; each other kind weighs the same. "
    return _claim("H4", "text written for the reviewer fools a judge", found.supported, f"{scope}{figures}.")
