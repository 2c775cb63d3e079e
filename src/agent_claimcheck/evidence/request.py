"""What the user asked for, as values that can be compared: the one e-mail, the one time, the one duration of the request.

A reader must not miss: a value is taken only when the request leaves no choice. Two addresses, a second user turn, or an
address that is the user's own ("I'm ann@…") give nothing, because comparing with the wrong one would accuse an honest run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_OWN = re.compile(
    r"(?:\bI['’]?m|\bI am|\bmy|\bfrom|\bthis is|\bme at|\bcc|\baccount|\bmine|\bas|\bsender|\breply)\W{0,3}$", re.I
)
_DATE = r"(?P<date>\d{4}-\d{2}-\d{2})"
_TIME = r"(?P<time>\d{1,2}:\d{2})(?!:?\d)"
_DATES = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_TIMES = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])")
_MINUTES = re.compile(r"\b(\d{1,3})[ -]?min(?:ute)?s?\b", re.I)
_CHANGES = re.compile(
    r"\b(?:instead of|rather than|unless|otherwise|or|from|between|move|reschedul\w*|postpone|until|if)\b", re.I
)


class RequestValues(Struct, frozen=True, kw_only=True):
    """The unambiguous values of a request; ``None`` where there is none or more than one.

    ``wall_time`` is ``YYYY-MM-DDTHH:MM`` as the user wrote it, without a zone. ``minutes`` is a duration.
    """

    email: str | None = None
    wall_time: str | None = None
    minutes: int | None = None


NOTHING = RequestValues()


def read_request(instruction: str, user_texts: Sequence[str]) -> RequestValues:
    """Return the values of a request made in one turn. Later user turns may have changed it, so they give nothing."""
    if len(user_texts) > 1 or len(instruction) > 20_000:
        return NOTHING
    emails = {m[0].casefold() for m in _EMAIL.finditer(instruction) if not _OWN.search(instruction[: m.start()])}
    every_email = {m[0].casefold() for m in _EMAIL.finditer(instruction)}
    dates, times = set(_DATES.findall(instruction)), set(_TIMES.findall(instruction))
    minutes = {int(n) for n in _MINUTES.findall(instruction)}
    is_plain = not _CHANGES.search(instruction)
    wall_time = None
    if is_plain and len(dates) == 1 and len(times) == 1:
        hour, minute = next(iter(times)).split(":")
        wall_time = f"{next(iter(dates))}T{int(hour):02d}:{minute}"
    return RequestValues(
        email=next(iter(emails)) if len(emails) == 1 and emails == every_email else None,
        wall_time=wall_time,
        minutes=next(iter(minutes)) if is_plain and len(minutes) == 1 else None,
    )
