"""Reports for people: a score and a summary as the terminal and the page show them. JSON has both as they are.

A reader must not miss: a score below 1 never reads 100%, and a summary of thousands of calls is cut in its middle.
"""

from __future__ import annotations

LONGEST_SUMMARY = 2_000
"""Characters of a summary that are shown."""
_PROBLEMS = " Problems: "


def score_text(score: float | None) -> str:
    """Return ``score`` in whole percent, ``-`` for none.

    >>> score_text(0.5), score_text(0.9997), score_text(0.0001), score_text(None)
    ('50%', '99%', '1%', '-')
    """
    if score is None:
        return "-"
    percent = round(100 * score)
    if score < 1 and percent == 100:
        percent = 99
    if score > 0 and percent == 0:
        percent = 1
    return f"{percent}%"


def summary_text(summary: str) -> str:
    """Return ``summary``; of a long one its beginning and, if it lists problems, the first of those."""
    if len(summary) <= LONGEST_SUMMARY:
        return summary
    half = LONGEST_SUMMARY // 2
    at = summary.find(_PROBLEMS, half)
    rest = summary[at : at + half] if at >= 0 else summary[-half:]
    left_out = len(summary) - half - len(rest)
    end = "" if summary.endswith(rest) else " …"
    return f"{summary[:half]} … [{left_out:,} characters left out, see --json] …{rest}{end}"
