"""What a run changed, small enough to compare many runs of one task: tool, argument and normalised value of each write.

A reader must not miss: equal signatures say that two runs did the same, not that it was right. Failed calls and free text
(bodies, notes, reasons) are left out, and a run that worked in a shell has no signature, since commands that differ may do
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import shorten, storable
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.targets import normalise_target
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import Moment, read_moments
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

FREE_TEXT = WordLists("signature").words("free_text")
"""Names of arguments that hold prose."""
_MAX_ITEMS = 400
"""A run with more values than this is not compared; the signature must stay small."""
_LONG_TEXT = 60
"""Characters from which a value of several words is prose, not a value."""
_MANY_WORDS = 6
_PROSE_WORDS = 10
"""A written text of more words carries content of its own, and two runs cannot be said to agree on it."""
_SHOWN = 60
_DIGEST_BYTES = 12


class WrittenValue(Struct, frozen=True, order=True, array_like=True):
    """One value that a call wrote: tool, dotted argument path (list places left out) and normalised value.

    A call without arguments has one value with an empty ``path``. ``value`` is at most 60 characters, longer ones are
    cut and end in a digest.
    """

    tool: str
    path: str
    value: str


class RunSignature(Struct, frozen=True, array_like=True):
    """What a run changed. ``values`` is sorted and free of repeats.

    ``is_comparable`` is false for runs in a shell or an editor and for runs with too many values. ``has_prose`` says
    that a long text was written, which is left out of ``values``. ``digest`` is equal for runs that are byte-identical
    but for their ids and times.
    """

    values: tuple[WrittenValue, ...]
    is_comparable: bool
    has_prose: bool
    digest: bytes


def signature_of(evidence: Evidence) -> RunSignature:
    """Return the signature of one run. Never raises, whatever JSON the calls carry."""
    digest = _digest_of(evidence)
    nothing = RunSignature((), False, False, digest)
    if evidence.is_shell_run:
        return nothing
    found: set[WrittenValue] = set()
    has_prose = False
    for write in evidence.writes:
        if write.receipt.state == "failed" or write.effect.kind != "write":
            continue
        if write.effect.is_shell or write.effect.is_file_change:
            return nothing
        args = write.pair.call.args or {}
        found.update(_values_of(write.pair.call.name or "", args))
        has_prose = has_prose or any(_is_prose(leaf) for _, leaf in walk_values(args))
        if len(found) > _MAX_ITEMS:
            return nothing
    return RunSignature(tuple(sorted(found)), True, has_prose, digest)


def _values_of(tool: str, args: dict[str, Any]) -> Iterator[WrittenValue]:
    is_bare = True
    for path, leaf in walk_values(args):
        names = [part for part in path.split(".") if not part.isdigit()]
        if any(name.lower() in FREE_TEXT for name in names):
            continue
        text = _normalise(names[-1] if names else "", leaf)
        if text is not None:
            is_bare = False
            yield WrittenValue(storable(tool), storable(".".join(names)), storable(text))
    if is_bare:
        yield WrittenValue(storable(tool), "", "")


def _is_prose(leaf: Any) -> bool:
    """True for a text so long that what it says is part of what was done."""
    return isinstance(leaf, str) and len(leaf) > _PROSE_WORDS * 2 and len(leaf.split(None, _PROSE_WORDS)) > _PROSE_WORDS


def _normalise(name: str, leaf: Any) -> str | None:
    """Return the form in which two spellings of one value are equal; ``None`` for free text and for nothing."""
    if leaf is None or leaf == "":
        return None
    if isinstance(leaf, bool):
        return "true" if leaf else "false"
    if isinstance(leaf, int):
        return str(leaf) if abs(leaf) < 10**30 else _short(f"{leaf:x}")
    if isinstance(leaf, float):
        return str(int(leaf)) if leaf.is_integer() and abs(leaf) < 1e15 else repr(leaf)
    if not isinstance(leaf, str):
        return None
    if len(leaf) > 20_000:
        return None
    inner = parse_output(leaf)
    if not isinstance(inner, str):
        return _short(_json(inner))
    if (len(leaf) > _LONG_TEXT and " " in leaf.strip()) or leaf.count(" ") >= _MANY_WORDS:
        return None
    moments = read_moments(leaf) if 8 <= len(leaf) <= 40 and leaf[:4].isdigit() else ()
    if len(moments) == 1:
        return _moment_text(moments[0])
    return _short(fold(normalise_target(name, leaf)))


def _moment_text(moment: Moment) -> str:
    day = f"{moment.year}-{moment.month}-{moment.day}" if moment.has_day else ""
    clock = "" if moment.clock is None else f"T{moment.clock:g}"
    # An offset is part of the value: 15:00+02:00 and 15:00+01:00 are two points in time.
    return f"{day}{clock}" + (f"{moment.offset:+g}" if moment.offset is not None else "")


def _short(text: str) -> str:
    if len(text) <= _SHOWN:
        return text
    mark = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"{shorten(text, _SHOWN - 14)}#{mark}"


def _json(value: Any) -> str:
    try:
        return canonical_json(value).decode("utf-8", "replace")
    except InputError:
        return repr(type(value))


def _digest_of(evidence: Evidence) -> bytes:
    """Hash what was said, called and returned; ids of calls and times of steps left out."""
    taken = blake2b(digest_size=_DIGEST_BYTES)
    for step in evidence.view.steps:
        part = [step.kind, step.role, step.name, step.content, step.args, step.ok, step.output, step.error]
        taken.update(_json(part).encode("utf-8", "surrogatepass"))
    taken.update((evidence.view.final_claim.text or "").encode("utf-8", "surrogatepass"))
    return taken.digest()
