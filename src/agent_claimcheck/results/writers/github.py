"""GitHub Actions: a job summary in Markdown, and an error annotation per accusation that no baseline has.

A reader must not miss: the runner reads commands from the log, so every character that could end a command or begin
another is encoded, and annotations are written at the end in one piece.
"""

from __future__ import annotations

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason, words_of
from agent_claimcheck.results.summary import ExitDecision, Summary, last_line
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.results.writers.markdown import MarkdownWriter

_MAX_ANNOTATIONS = 50
"""GitHub shows ten of a step and stores fifty of a run."""

_SUMMARY_BYTES = 900_000
"""What accusations may take of a job summary: GitHub refuses one of more than 1 MiB whole."""

_MESSAGE_LIMIT = 500

_DATA_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubWriter:
    """Writes the summary to its sink and annotations to the annotation stream."""

    def __init__(self, to: Destination) -> None:
        self._summary = MarkdownWriter(to, max_bytes=_SUMMARY_BYTES)
        self._annotations = to.annotations or to.sink
        self._knows = to.knows
        self._commands: list[str] = []

    def begin(self) -> None:
        """Nothing is written before the run has ended."""
        self._summary.begin()

    def write(self, result: CheckResult) -> None:
        """Keep what the summary and the annotations need of one result."""
        self._summary.write(result)
        is_accused = result.verdict == "false_success" and not self._knows(result)
        if is_accused and len(self._commands) < _MAX_ANNOTATIONS:
            self._commands.append(_annotation(result))

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write the summary, then the annotations; the last of them carries the last line of the run."""
        self._summary.end(summary, decision)
        level = "error" if decision.code else "notice"
        self._commands.append(command(level, {"title": "agent-claimcheck"}, last_line(summary, decision)))
        self._annotations.write("".join(f"{line}\n" for line in self._commands).encode("utf-8", "replace"))


def command(name: str, properties: dict[str, str], message: str) -> str:
    """Return one workflow command; no value can leave its place in it."""
    pairs = ",".join(f"{key}={printable(value).translate(_PROPERTY_ESCAPES)}" for key, value in properties.items())
    return f"::{name} {pairs}::{printable(message, keep_newlines=True).translate(_DATA_ESCAPES)}"


def _annotation(result: CheckResult) -> str:
    properties = {}
    if result.file is not None:
        properties["file"] = shorten(result.file, _MESSAGE_LIMIT)
        if result.line is not None:
            properties["line"] = str(result.line)
    properties["title"] = f"false success: {shorten(result.trace_id, 100)}"
    reason = deciding_reason(result)
    message = "false success" if reason is None else shorten(reason.detail, _MESSAGE_LIMIT)
    if reason is not None and reason.step is not None:
        message += f" (step {reason.step})"
    if reason is not None and (said := words_of(result, reason)):
        message += f'. It said: "{shorten(said, _MESSAGE_LIMIT)}"'
    return command("error", properties, message)
