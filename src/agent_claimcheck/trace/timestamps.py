"""What counts as a date-time in a trace.

A reader must not miss: the standard parser differs between Python versions, so what a newer one began to accept is
refused here, and a file is valid on all of them or on none.
"""

from __future__ import annotations

import re
from datetime import datetime

EPOCH = "1970-01-01T00:00:00Z"

# Newer Python versions read hour 24 as midnight of the next day, and all of them let a lower-case "t" stand before the
# time.
_REFUSED = re.compile(r"(?:\d{4}-?\d\d-?\d\d|\d{4}-?W\d\d-?\d)(?:t|[^0-9]24)")


def is_timestamp(text: str) -> bool:
    """Tell whether ``text`` is an ISO 8601 date-time: what ``datetime.fromisoformat`` reads.

    A date alone, ISO weeks, compact forms and naive times pass. Leap seconds, hour 24 and lower-case ``t`` or ``z`` do
    not.
    """
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    after_day = text[8:13]
    # Nearly all are told apart here. A 24 may also be a day.
    if "t" not in after_day and "24" not in after_day:
        return True
    return not _REFUSED.match(text)
