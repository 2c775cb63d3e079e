"""The reports of ``attest run`` as one self-contained HTML page.

A reader must not miss: everything on the page comes from runs and is hostile. All of it is escaped, the page holds no
script, and its content policy allows none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from agent_claimcheck.checks.contract import CheckFinding, CheckReport, RunReport
from agent_claimcheck.checks.for_people import score_text, summary_text
from agent_claimcheck.checks.run_file import LoadedRun
from agent_claimcheck.core.resources import short_name
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.run_summary import RunSummary

_EVIDENCE = 400
_MOST_ROWS = 500  # findings of one check that the page shows


def render_page(graded: Iterable[tuple[LoadedRun, RunReport]], summary: RunSummary) -> str:
    """Return the page as text."""
    template = Path(__file__).with_name("run_page.html").read_text("utf-8")
    lines = "".join(f"<p>{_safe(line.strip())}</p>\n" for line in summary.lines())
    runs = "\n".join(_run(loaded, report) for loaded, report in graded)
    return template.replace("{{summary}}", lines).replace("{{runs}}", runs)


def _run(loaded: LoadedRun, report: RunReport) -> str:
    file = short_name(loaded.file)
    place = f"{file}:{loaded.line}" if loaded.line else file
    name = loaded.trace_id or shorten(loaded.run.task, 120)
    checks = "\n".join(_check(result) for result in report.results)
    return f'<h2><span class="{report.verdict}">{report.verdict}</span> {_safe(name)} <small>{_safe(place)}</small></h2>\n{checks}'


def _check(report: CheckReport) -> str:
    score = "" if report.score is None else f" {score_text(report.score)}"
    shown = _shown(report.findings)
    rows = "\n".join(_finding(finding) for finding in shown)
    if len(shown) < len(report.findings):
        left_out = len(report.findings) - len(shown)
        rows += f'\n<tr><td colspan="4">{left_out:,} more findings, see --json</td></tr>'
    table = f"<table>\n{rows}\n</table>" if rows else ""
    is_open = " open" if report.verdict != "pass" else ""
    return (
        f'<details{is_open}><summary><b>{_safe(report.check)}</b>{score} <span class="{report.verdict}">{report.verdict}</span> '
        f"{_safe(summary_text(report.summary))}</summary>\n{table}</details>"
    )


def _shown(findings: Sequence[CheckFinding]) -> Sequence[CheckFinding]:
    """All findings of a usual report. Of a huge one those that did not pass come first, and only so many are shown."""
    if len(findings) <= _MOST_ROWS:
        return findings
    order = ("fail", "warn", "pass")
    return sorted(findings, key=lambda finding: order.index(finding.severity))[:_MOST_ROWS]


def _finding(finding: CheckFinding) -> str:
    step = "" if finding.step is None else f"step {finding.step}"
    evidence = f"<br><code>{_safe(shorten(finding.evidence, _EVIDENCE))}</code>" if finding.evidence else ""
    return (
        f'<tr><td class="{finding.severity}">{_safe(finding.verdict)}</td><td>{step}</td><td>{_safe(finding.subject)}</td>'
        f"<td>{_safe(finding.reason)}{evidence}</td></tr>"
    )


def _safe(text: str) -> str:
    return escape(printable(text))
