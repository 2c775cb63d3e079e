"""``claimcheck-result/v2``: everything that was found out about a trace, one JSON object a line.

A reader must not miss: ``CheckResult`` itself is the format. Its fields are the keys (``task_id`` is written ``task``),
so a new field of the record is a new optional key of the format.
"""

from __future__ import annotations

import msgspec

from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.model import CheckResult

_DECODER = msgspec.json.Decoder(CheckResult)


def encode_v2(result: CheckResult) -> bytes:
    """Return ``result`` as one compact JSON object, without a line end. Numbers that JSON lacks become null."""
    return encode(result)


def decode_v2(data: bytes | str) -> CheckResult:
    """Read one ``claimcheck-result/v2`` object. Unknown keys are ignored.

    Raises ``msgspec.DecodeError`` (its message holds a JSON path) or ``RecursionError`` on absurd nesting.
    """
    return _DECODER.decode(data)
