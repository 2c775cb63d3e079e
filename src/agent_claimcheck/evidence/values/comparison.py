"""Values compared by meaning: the same thing spelled differently is equal, and what cannot be compared says so.

A reader must not miss: ``incomparable`` is not ``different``. Absent values, times without a known zone and texts that
are no numbers contradict nothing.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.moments import Comparison, ZoneContext, compare_moments, read_moments
from agent_claimcheck.evidence.values.quantities import compare_quantities, read_quantity
from agent_claimcheck.packs.language import Normaliser

MAX_DEPTH = 20
MAX_ITEMS = 200
_MAIL = late_pattern(r"[^\s<>@,;:\"()\[\]]{1,64}@[^\s<>@,;:\"()\[\]]{1,255}")
_HEX = late_pattern(r"[0-9a-f]{7,64}\Z")
_PHONE = late_pattern(r"\(?\+?\d(?:[ \u00a0()./-]{0,3}\d){6,14}\)?\Z")
_LABEL_GAPS = late_pattern(r"[_\s-]+")
_MASKED = late_pattern(r"(?=.*[*•●])[*•●xX#-]{3,}\w{0,4}\Z")
_PHONE_STARTS = ("+", "(")
_DIGITS = late_pattern(r"\d+")
_LONGEST_PHONE = 40
_LOCAL_NUMBER = 6
"""Digits of a telephone number without its area code, at least."""
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}


def compare(a: Any, b: Any, as_: Normaliser | None = None, context: ZoneContext | None = None) -> Comparison:
    """Say whether two JSON values mean the same thing. Never raises.

    ``as_`` is a rule pack's normaliser; without it the kinds are taken from the values. ``context`` holds the zones the
    task names, in which times without a zone are read. Null is equal to null and incomparable to everything else.
    """
    if a is None or b is None:
        return "equal" if a is b else "incomparable"
    if isinstance(a, str) and as_ in ("datetime", "email", "string") and a == b:
        return "equal"
    if as_ == "datetime":
        return _compare_times(a, b, context)
    if as_ == "email":
        return _compare_emails(a, b)
    if as_ == "number":
        one, two = read_quantity(a), read_quantity(b)
        return compare_quantities(one, two) if one is not None and two is not None else "incomparable"
    if as_ == "string":
        return _compare_texts(a, b)
    try:
        return _compare_any(a, b, context, 0)
    except RecursionError:
        # Comparing two equal-looking values thousands of levels deep.
        return "incomparable"


def fold(text: str) -> str:
    """Return ``text`` in the form in which two spellings are equal: NFKC, case-folded, runs of space as one."""
    if text.isascii():
        folded = text.lower()
    else:
        # Case folding may bring back a decomposed form, so it is composed again.
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def _compare_times(a: Any, b: Any, context: ZoneContext | None) -> Comparison:
    one, two = read_moments(a, numbers=True), read_moments(b, numbers=True)
    if one and two:
        return compare_moments(one, two, context)
    if type(a) is type(b) and isinstance(a, str | int) and a == b:
        return "equal"
    return "incomparable"


def _mail_of(value: Any) -> str | None:
    if not isinstance(value, str) or "@" not in value or len(value) > 1_000:
        return None
    found = _MAIL.findall(value)
    if len(found) != 1:
        return None
    return fold(found[0].removeprefix("mailto:").rstrip("."))


def _compare_emails(a: Any, b: Any) -> Comparison:
    if isinstance(a, dict):
        a = a.get("email") or a.get("address")
    if isinstance(b, dict):
        b = b.get("email") or b.get("address")
    one, two = _mail_of(a), _mail_of(b)
    if one is not None and two is not None:
        return "equal" if one == two else "different"
    if isinstance(a, str) and isinstance(b, str) and fold(a) == fold(b):
        return "equal"
    return "incomparable"


def _text_of(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**400 else None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return None


def _compare_texts(a: Any, b: Any) -> Comparison:
    one, two = _text_of(a), _text_of(b)
    if one is None or two is None:
        return "incomparable"
    if fold(one) == fold(two) or _names_the_same(one, two) or _is_one_label(one, two):
        return "equal"
    return "incomparable" if _is_masked(one) or _is_masked(two) else "different"


def _names_the_same(a: str, b: str) -> bool:
    """True for two spellings of one identifier: ./path and path, short and full commit hash, #12 and 12, two URLs."""
    if len(a) > 2_000 or len(b) > 2_000:
        return False
    one, two = fold(a), fold(b)
    if _is_hash_pair(one, two):
        return True
    if "://" in one or "://" in two or one.startswith("www.") or two.startswith("www."):
        return _plain_url(one) == _plain_url(two)
    if "/" in one or "/" in two:
        # Paths keep their case: File.py and file.py are two files on most systems.
        return _plain_path(a) == _plain_path(b)
    return one.removeprefix("#") == two.removeprefix("#")


def _is_hash_pair(a: str, b: str) -> bool:
    short, full = (a, b) if len(a) <= len(b) else (b, a)
    if not 7 <= len(short) < len(full) or not full.startswith(short) or not _HEX.match(full):
        return False
    is_mixed = any(c.isdigit() for c in short) and not short.isdigit()
    return len(full) in (40, 64) or is_mixed


def _plain_url(text: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", text).split("#", 1)[0].rstrip("/")


def _plain_path(text: str) -> str:
    path = re.sub(r"/(?:\./)*", "/", re.sub(r"/{2,}", "/", text.strip()))
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/") if len(path) > 1 else path


def _compare_any(a: Any, b: Any, context: ZoneContext | None, depth: int) -> Comparison:
    if depth > MAX_DEPTH:
        return "incomparable"
    if a is None or b is None:
        return "equal" if a is b else "incomparable"
    if isinstance(a, bool) or isinstance(b, bool):
        return _compare_truths(a, b)
    if isinstance(a, str) and isinstance(b, str):
        return _compare_strings(a, b, context)
    if isinstance(a, int | float) and isinstance(b, int | float):
        one, two = read_quantity(a), read_quantity(b)
        return compare_quantities(one, two) if one is not None and two is not None else "incomparable"
    if isinstance(a, dict) and isinstance(b, dict):
        return _compare_objects(a, b, context, depth)
    if isinstance(a, list) and isinstance(b, list):
        return _compare_lists(a, b, context, depth)
    if isinstance(a, dict | list) or isinstance(b, dict | list):
        moments = read_moments(a), read_moments(b)
        return compare_moments(*moments, context) if all(moments) else "incomparable"
    return _compare_number_with_text(a, b, context)


def _compare_number_with_text(a: Any, b: Any, context: ZoneContext | None) -> Comparison:
    one, two = read_quantity(a), read_quantity(b)
    if one is not None and two is not None:
        return compare_quantities(one, two)
    if _text_of(a) == _text_of(b):
        return "equal"
    moments = read_moments(a, numbers=True), read_moments(b, numbers=True)
    return compare_moments(*moments, context) if all(moments) else "incomparable"


def _compare_truths(a: Any, b: Any) -> Comparison:
    one = _TRUTH.get(a.strip().lower()) if isinstance(a, str) else a
    two = _TRUTH.get(b.strip().lower()) if isinstance(b, str) else b
    if isinstance(one, bool) and isinstance(two, bool):
        return "equal" if one is two else "different"
    # A number is no truth value: 1 and true are different things.
    return "different" if isinstance(one, int | float) and isinstance(two, int | float) else "incomparable"


def _compare_strings(a: str, b: str, context: ZoneContext | None) -> Comparison:
    if a == b:
        return "equal"
    if fold(a) == fold(b) and not ("/" in a and "." in a and "://" not in a):
        return "equal"
    if "@" in a and "@" in b:
        one, two = _mail_of(a), _mail_of(b)
        if one is not None and two is not None:
            return "equal" if one == two else "different"
    if a[:1] in _PHONE_STARTS or b[:1] in _PHONE_STARTS:
        phones = _compare_phones(a, b)
        if phones is not None:
            return phones
    if len(a) <= 80 and len(b) <= 80:
        moments = read_moments(a), read_moments(b)
        if all(moments):
            return compare_moments(*moments, context)
        numbers = read_quantity(a, strict=True), read_quantity(b, strict=True)
        if numbers[0] is not None and numbers[1] is not None:
            return compare_quantities(numbers[0], numbers[1])
    if _names_the_same(a, b) or _is_one_label(a, b):
        return "equal"
    if _is_masked(a) or _is_masked(b) or _is_code_for(a, b) or _is_code_for(b, a) or _is_part_of(a, b):
        return "incomparable"
    phones = _compare_phones(a, b)
    if phones is not None:
        return phones
    return "incomparable" if _may_be_one_path(a, b) else "different"


def _is_one_label(a: str, b: str) -> bool:
    """True for one label in two spellings: ``closed_won``, ``Closed-Won`` and ``closed won``. Paths keep theirs."""
    return "/" not in a and "/" not in b and _spelled_out(a) == _spelled_out(b)


def _spelled_out(text: str) -> str:
    plain = unescape(text) if "&" in text and ";" in text else text
    return " ".join(_LABEL_GAPS.sub(" ", fold(plain)).split())


def _is_masked(text: str) -> bool:
    return _MASKED.match(text) is not None


def _is_code_for(code: str, name: str) -> bool:
    """True where one may be the code of the other: DE and Germany, NOK and Norwegian krone."""
    return 2 <= len(code) <= 3 and code.isalpha() and code.isupper() and len(name) > 3 and name[0].isalpha()


def _is_part_of(a: str, b: str) -> bool:
    """True for two words or more that stand in a longer text: something may have been added to what was there."""
    one, two = sorted((fold(a), fold(b)), key=len)
    return " " in one and len(two) - len(one) >= 3 and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", two) is not None


def _compare_phones(a: str, b: str) -> Comparison | None:
    """Compare two telephone numbers, however they are grouped; ``None`` when one of the texts is none.

    0170 555 0102 and +49 170 5550102 may be one number: which country the first is in stands elsewhere.
    """
    if len(a) > _LONGEST_PHONE or len(b) > _LONGEST_PHONE or not _PHONE.match(a) or not _PHONE.match(b):
        return None
    one, two = ("".join(_DIGITS.findall(text)).lstrip("0") for text in (a, b))
    if one == two:
        return "equal"
    short, long = sorted((one, two), key=len)
    return "incomparable" if len(short) >= _LOCAL_NUMBER and long.endswith(short) else "different"


def _may_be_one_path(a: str, b: str) -> bool:
    """An absolute and a relative path with the same end may be one file."""
    if ("/" not in a and "/" not in b) or len(a) > 1_000 or len(b) > 1_000 or "://" in a or "://" in b:
        return False
    one, two = _plain_path(a), _plain_path(b)
    return one.endswith("/" + two.lstrip("/")) or two.endswith("/" + one.lstrip("/"))


def _worst(seen: set[Comparison]) -> Comparison:
    return "different" if "different" in seen else "incomparable" if "incomparable" in seen else "equal"


def _compare_objects(a: dict[str, Any], b: dict[str, Any], context: ZoneContext | None, depth: int) -> Comparison:
    if a == b:
        return "equal"
    moments = read_moments(a), read_moments(b)
    if all(moments):
        return compare_moments(*moments, context)
    if len(a) > MAX_ITEMS or len(b) > MAX_ITEMS:
        return "incomparable"
    if a.keys() != b.keys():
        return "different"
    return _worst({_compare_any(a[key], b[key], context, depth + 1) for key in a})


def _compare_lists(a: list[Any], b: list[Any], context: ZoneContext | None, depth: int) -> Comparison:
    """Lists of plain values are compared as sets of values; others in order."""
    if len(a) != len(b):
        return "different"
    if len(a) > MAX_ITEMS:
        return "equal" if a == b else "incomparable"
    in_order = _worst({_compare_any(one, two, context, depth + 1) for one, two in zip(a, b, strict=True)})
    if in_order == "equal" or len(a) > 20 or any(isinstance(entry, dict | list) for entry in (*a, *b)):
        return in_order
    left = list(b)
    for one in a:
        match = next((k for k, two in enumerate(left) if _compare_any(one, two, context, depth + 1) == "equal"), None)
        if match is None:
            return in_order
        left.pop(match)
    return "equal"
