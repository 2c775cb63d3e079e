"""The user named a file or a page, and no call ever reached it, yet success is claimed.

What it catches: "Summarise www.example.test/minutes": only the calendar was read; "Here is your summary, I've sent it."
Why it matters: what is reported about the source cannot come from the source.
Example: the mail names ``landlord-notice.txt``; the agent never opens it and reports the new rent as updated.
Limits: for review, it accuses nobody. Requests made in one turn only. A page is missing when no call that reads carries its
address, none that writes has it for an argument of its own (a page that was posted to was reached), and no tool result holds
it; what the agent writes to somebody about a page opens nothing. Files must all be missing, from every call and result: one
that was reached by another way (an id, a search) silences it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.value_text import walk_values

ID = "source_never_opened"
POWER: Power = "review"

_URL = late_pattern(r"(?:https?://|\bwww\.)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}(?:/[\w./%-]*\w)?", re.IGNORECASE)
_ENDINGS = ("txt", "docx", "doc", "pdf", "xlsx", "csv", "md", "pptx", "html", "json", "yaml", "yml")
_FILE = late_pattern(rf"(?<![\w@./-])[\w-]{{2,60}}\.(?:{'|'.join(_ENDINGS)})\b", re.IGNORECASE)
_GLUED = late_pattern(r"\.(?:they|the|it|he|she|then|and|please|thanks?|you|we|i|this|that|a|an)$", re.IGNORECASE)
"""A sentence that began without a space after the address ("www.site.com.They ...")."""

_SIGN = re.compile(rf"://|www\.|\.(?:{'|'.join(_ENDINGS)})")
"""Every address or file that is looked for holds one of these, case-folded."""

_SCHEME = late_pattern(r"^https?://", re.IGNORECASE)
_LONGEST = 300
_MOST = 5


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    if not _SIGN.search(evidence.instruction_low):
        return
    pages, files = _named(evidence.view.task.instruction)
    if not 0 < len(pages) + len(files) <= _MOST:
        return
    missing = _missing_pages(pages, evidence)
    if len(missing) == len(pages) and not _any_seen(files, evidence):
        missing |= files
    if not missing:
        return
    index, claim = evidence.last_claim
    names = sorted(missing)
    them = "it" if len(names) == 1 else "any of them"
    reason = f"the request names {', '.join(names)}; no call reached {them} and no result mentions {them}"
    steps = (evidence.calls[-1].call.i,)
    yield on_claim(ID, POWER, index, claim, reason=reason, steps=steps, subject=names[0])


def _missing_pages(pages: set[str], evidence: Evidence) -> set[str]:
    missing = set(pages)
    for pair in evidence.calls:
        is_write = evidence.effect(pair).kind == "write"
        if is_write:
            missing -= {
                _bare(value)
                for _, value in walk_values(pair.call.args or {})
                if isinstance(value, str) and len(value) < _LONGEST
            }
        texts = [] if is_write else [text_of(pair.call.args)]
        if pair.result is not None:
            texts.append(evidence.output_text(pair.result))
        for text in map(str.casefold, texts):
            missing = {page for page in missing if page not in text}
        if not missing:
            break
    return missing


def _bare(address: str) -> str:
    return _SCHEME.sub("", address.strip()).casefold().rstrip("/")


def _any_seen(names: set[str], evidence: Evidence) -> bool:
    return any(
        name in text.casefold()
        for pair in evidence.calls
        for text in (text_of(pair.call.args), evidence.output_text(pair.result) if pair.result is not None else "")
        for name in names
    )


def _named(text: str) -> tuple[set[str], set[str]]:
    """Return the addresses of pages and the names of files in ``text``, case-folded."""
    addresses = {_GLUED.sub("", match[0]) for match in _URL.finditer(text)}
    plain = {_bare(address) for address in addresses}
    files = {match[0].casefold() for match in _FILE.finditer(text)}
    return plain, {name for name in files if not any(name in address for address in plain)}
