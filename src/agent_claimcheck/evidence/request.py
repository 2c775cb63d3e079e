"""Values of the request, and of what the agent told the user, where the words leave no choice: one e-mail, one time, one file.

A reader must not miss: a value is taken only when it is the only one of its kind. Two addresses, a second user turn, or
an address that is the user's own ("I'm ann@…") give nothing, because comparing with the wrong one would accuse an honest
run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_OWN = re.compile(
    r"(?:\bI['’]?m|\bI am|\bmy|\bfrom|\bthis is|\bme at|\bcc|\baccount|\bmine|\bas|\bsender|\breply)\W{0,3}$",
    re.IGNORECASE,
)
_DATES = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_TIMES = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])")
_MINUTES = re.compile(r"\b(\d{1,3})[ -]?min(?:ute)?s?\b", re.IGNORECASE)
_PATHS = re.compile(r"(?<![\w/.@-])(?:[\w.-]{1,80}/){1,12}[\w.-]{1,80}\.[A-Za-z]\w{0,8}\b")
_CHANGES = re.compile(
    r"\b(?:instead of|rather than|unless|otherwise|or|from|between|move|reschedul\w*|postpone|until|if)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(r"[\d@/]")
_LONGEST = 20_000


class PlainValues(Struct, frozen=True, kw_only=True):
    """The unambiguous values of a text; ``None`` where there is none or more than one.

    ``wall_time`` is ``YYYY-MM-DDTHH:MM`` as written, without a zone. ``minutes`` is a duration. ``path`` names a file.
    """

    email: str | None = None
    wall_time: str | None = None
    minutes: int | None = None
    path: str | None = None


NOTHING = PlainValues()


def read_request(instruction: str, user_texts: Sequence[str]) -> PlainValues:
    """Return the values of a request made in one turn. Later user turns may have changed it, so they give nothing."""
    if len(user_texts) > 1:
        return NOTHING
    return read_plain_values(instruction)


def read_plain_values(text: str) -> PlainValues:
    """Return the values of which ``text`` holds exactly one."""
    if not text or len(text) > _LONGEST or not _TELLING.search(text):
        return NOTHING
    is_plain = not _CHANGES.search(text)
    minutes = {int(n) for n in _MINUTES.findall(text)}
    paths = set(_PATHS.findall(text))
    return PlainValues(
        email=_only_email(text),
        wall_time=_only_time(text) if is_plain else None,
        minutes=next(iter(minutes)) if is_plain and len(minutes) == 1 else None,
        path=next(iter(paths)) if len(paths) == 1 else None,
    )


def _only_email(text: str) -> str | None:
    if "@" not in text:
        return None
    found = list(_EMAIL.finditer(text))
    values = {match[0].casefold() for match in found}
    if len(values) != 1 or any(_OWN.search(text[max(0, match.start() - 40) : match.start()]) for match in found):
        return None
    return values.pop()


def _only_time(text: str) -> str | None:
    dates, times = set(_DATES.findall(text)), set(_TIMES.findall(text))
    if len(dates) != 1 or len(times) != 1:
        return None
    hour, minute = times.pop().split(":")
    return f"{dates.pop()}T{int(hour):02d}:{minute}"
