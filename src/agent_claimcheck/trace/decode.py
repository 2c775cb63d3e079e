"""From the bytes of one line to a ``Trace``: the fast path, taken by every healthy line.

A reader must not miss: msgspec checks types, but lets repeated and unknown keys, long integers and deep nesting pass.
``_is_faithful`` catches those by counting, and whatever trips it or fails to decode goes to ``diagnose``, which reads
the line again with care and says everything that is wrong with it.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.trace.diagnose import diagnose
from agent_claimcheck.trace.limits import MAX_DEPTH, MAX_LINE_BYTES, is_within_limits
from agent_claimcheck.trace.model import Trace, TraceProblem, Where
from agent_claimcheck.trace.versions import up
from agent_claimcheck.trace.wire import Mismatch, TraceV1, TraceV2, build_v1, build_v2

_decoder_v1 = msgspec.json.Decoder(TraceV1)
_decoder_v2 = msgspec.json.Decoder(TraceV2)
_encoder = msgspec.json.Encoder()

_V2_MARK = b'"agent-trace/v2"'
_ESCAPED_COLON = re.compile(rb"\\u003[aA]")
_DIGITS_TO_ZERO = bytes(0x30 if 0x30 <= code <= 0x39 else code for code in range(256))
# The shortest integer beyond 64 bits has a sign and 19 digits.
_LONG_NUMBER = b"0" * 19
# At least four of so many digits in a row stand at places that four divides: a quarter of the bytes tells that there is
# no such number in most lines. Dates and times do not look like one.
_STRIDE = 4
_LONG_NUMBER_SEEN = b"0" * (len(_LONG_NUMBER) // _STRIDE)


def decode_trace(data: bytes, *, file: str, line: int, lift: bool = True) -> Trace | list[TraceProblem]:
    """Read one agent-trace document, v1 or v2, strictly.

    ``file`` and ``line`` (1-based) go into ``Trace.where`` and the problems. With ``lift``, fields a v1 file carries in
    its ``agent-trace/ext/1`` sidecar come back into their places. Returns the trace, or all faults of the line sorted
    by path, then message. Never raises for any bytes.
    """
    if data.startswith(UTF8_MARK):
        data = data[len(UTF8_MARK) :]
    where = Where(file=file, line=line)
    trace = _decode_fast(data, where, lift)
    return trace if trace is not None else diagnose(data, where, lift=lift)


def _decode_fast(data: bytes, where: Where, lift: bool) -> Trace | None:
    if len(data) > MAX_LINE_BYTES:
        return None
    try:
        if _V2_MARK in data:
            wire_v2 = _decoder_v2.decode(data)
            return build_v2(wire_v2, where) if _is_faithful(data, wire_v2, has_records=True) else None
        wire_v1 = _decoder_v1.decode(data)
        if not _is_faithful(data, wire_v1, has_records=False):
            return None
        trace = build_v1(wire_v1, where)
        return up(trace) if lift and trace.meta is not None else trace
    except (msgspec.MsgspecError, Mismatch, RecursionError, UnicodeError):
        return None


def _is_faithful(data: bytes, wire: Any, *, has_records: bool) -> bool:
    """Tell whether decoding lost nothing and stayed within the limits.

    Decoding never adds a colon and writing back never does either (but for an escaped one, looked for here), so a line
    that had more of them held a key that was repeated, unknown or dropped.
    """
    if data.count(b":") != _encoder.encode(wire).count(b":"):
        return False
    # One byte is found many times faster than several, and many lines hold no escape at all.
    if b"\\" in data and _ESCAPED_COLON.search(data):
        return False
    # A line with few brackets cannot be deep. Digits are rarely long, so the exact walk is rarely needed.
    if data.count(b"{") + data.count(b"[") > MAX_DEPTH or _has_long_number(data):
        # Only v2 has records within; plain dicts and lists need no copy.
        return is_within_limits(msgspec.to_builtins(wire) if has_records else wire)
    return True


def _has_long_number(data: bytes) -> bool:
    """True for digits enough in a row, in a number or a text, to be an integer beyond 64 bits."""
    if _LONG_NUMBER_SEEN not in data[::_STRIDE].translate(_DIGITS_TO_ZERO):
        return False
    return _LONG_NUMBER in data.translate(_DIGITS_TO_ZERO)
