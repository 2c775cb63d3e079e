"""One self-contained HTML report for a colleague: totals, filters, every trace with its evidence.

A reader must not miss: it is the inspector of the review page without the server. Where a run hands over the traces, the
report shows their steps too; from results alone it shows what the results hold.
"""

from __future__ import annotations

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.page.document import document_end, document_start, document_trace
from agent_claimcheck.results.summary import ExitDecision, Summary, headline, last_line
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.trace.model import Trace


class HtmlWriter:
    """Writes trace by trace, so a long run is never held."""

    def __init__(self, to: Destination) -> None:
        self._write = to.sink.write

    def begin(self) -> None:
        """Write the page up to its data."""
        self._write(document_start("Report – agent-claimcheck"))

    def write(self, result: CheckResult) -> None:
        """Write one result without its trace."""
        self._take(result, None)

    def write_traced(self, result: CheckResult, trace: Trace) -> None:
        """Write one result with the steps of its trace."""
        self._take(result, trace)

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write the totals and the script that shows it all."""
        self._write(document_end({"headline": headline(summary), "last_line": last_line(summary, decision)}))

    def _take(self, result: CheckResult, trace: Trace | None) -> None:
        for block in document_trace(result, trace):
            self._write(block)
