"""Character classes of user patterns, written for bare characters and for wrapped ones (see ``pattern_syntax``).

What a reader must not miss: ``bare`` parts never hold the underscore, because in a wrapped text it begins a wrapping.
"""

from __future__ import annotations

SPACES = r"\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"
NO_SPACES = (
    r"\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{84}\x{86}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}"
    r"\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{10FFFF}"
)
EVERYTHING = r"\x{0}-\x{10FFFF}"
POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x{0}-\x{7F}", "blank": r"\t\x{20}",
    "cntrl": r"\x{0}-\x{1F}\x{7F}", "digit": "0-9", "graph": r"\x{21}-\x{7E}", "lower": "a-z",
    "print": r"\x{20}-\x{7E}", "punct": r"\x{21}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{60}\x{7B}-\x{7E}",
    "space": r"\x{9}-\x{D}\x{20}", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
PUNCTUATION_CONNECTORS = r"\x{203F}\x{2040}\x{2054}\x{FE33}\x{FE34}\x{FE4D}-\x{FE4F}\x{FF3F}"
BARE_CATEGORY = {
    "P": r"\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}" + PUNCTUATION_CONNECTORS,
    "Pc": PUNCTUATION_CONNECTORS,
    "Any": r"\x{0}-\x{5E}\x{60}-\x{10FFFF}",
}


class ClassParts:
    """The items of one ``[...]``: ``narrow`` as written, ``bare`` without ``_``, ``wrapped`` inside a wrapping."""

    def __init__(self) -> None:
        self.narrow: list[str] = []
        self.bare: list[str] = []
        self.bare_besides: list[str] = []
        self.wrapped: list[str] = []

    def add(self, narrow: str, bare: str, wrapped: str) -> None:
        """Add one item in its three forms; an empty form takes nothing there."""
        self.narrow.append(narrow)
        self.bare.append(bare)
        self.wrapped.append(wrapped)

    def wide(self, negated: bool) -> str:
        """Return the class for wrapped texts: one bare character, or one wrapped character with its wrapping."""
        wrapped = "".join(self.wrapped)
        if negated:
            inside = f"[^{wrapped}]" if wrapped else f"[{EVERYTHING}]"
            return f"(?:[^{''.join(self.narrow)}_]|_{inside}_)"
        options = [f"[{''.join(self.bare)}]"] if any(self.bare) else []
        options += self.bare_besides
        if wrapped:
            options.append(f"_[{wrapped}]_")
        return f"(?:{'|'.join(options)})" if options else r"[^\x{0}-\x{10FFFF}]"


def write_range(low: int, high: int) -> str:
    """Write the range of code points ``low`` to ``high``, both included, for use inside ``[...]``."""
    return f"\\x{{{low:X}}}" if low == high else f"\\x{{{low:X}}}-\\x{{{high:X}}}"


def write_bare(low: int, high: int) -> str:
    """Write the range as ``write_range`` does, without the underscore (U+005F)."""
    if not low <= 0x5F <= high:
        return write_range(low, high)
    before = write_range(low, 0x5E) if low < 0x5F else ""
    return before + (write_range(0x60, high) if high > 0x5F else "")
