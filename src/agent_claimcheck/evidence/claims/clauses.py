"""Cuts a message into the sentences that can hold a claim, and drops what is not the agent's own word.

Dropped: code fences, diffs, thinking blocks, quotations, inline code. A reader must not miss: masking replaces characters one
for one, and where blanks or invisible characters are left out, the piece knows where each of its characters stood.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import spaces_for
from agent_claimcheck.evidence.claims.json_tokens import places_in, unescape
from agent_claimcheck.evidence.word_lists import WordLists


class Piece(Struct, frozen=True):
    """A stretch of prose. ``text`` is masked and normalised, ``raw`` is as written, both of one length.

    ``kept`` maps positions of ``text`` to what was given (``None``: nothing was dropped); ``token`` is the JSON string
    that was given, escapes and all (``None``: plain text), which begins at ``base`` of the message.
    """

    text: str
    raw: str
    base: int = 0
    kept: tuple[int, ...] | None = None
    token: str | None = None

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the message's ``[start, end)`` for a stretch of this piece. Only claims need it, so it is not prepared."""
        if self.kept is not None:
            start, end = self.kept[start], (self.kept[end - 1] + 1 if end > start else self.kept[start])
        if self.token is not None and "\\" in self.token:
            places = places_in(self.token)
            start, end = places[start], places[end]
        return start + self.base, end + self.base


class _OneForOne(dict[int, str]):
    """Translation table that fills itself: each character to its compatibility form if that is one character."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = unicodedata.normalize("NFKC", char)
        value = folded if len(folded) == 1 else char
        self[code] = value
        return value


_FOLD = _OneForOne(
    {ord(mark): "'" for mark in "’‘ʼ`´＇"}
    | {ord(mark): '"' for mark in "“”„＂"}
    # Signs for "information", not the word "I".
    | {ord(mark): " " for mark in "ℹⓘⒾ"}
)
del _FOLD[ord("`")]
INVISIBLE = late_pattern("[\u00ad\u200b-\u200f\u2060-\u2064\ufe0f\ufeff]")
_NOT_ASCII = late_pattern(r"[^\x00-\x7f]+")
_GAP = late_pattern(r"(?<=\S) ( +)(?=\S)")
_FENCE = late_pattern(r"```.*?```", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_LONGEST_JSON = 100_000
_WHOLE_FENCE = late_pattern(
    r"\s*```[ \t]*(?P<language>json|(?P<prose>text|txt|markdown|md))?[ \t]*\n(?P<body>.*)```\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
_SENTENCE_LINE = late_pattern(
    r"^(?=[^\n]*[^\W\d_]{2})(?:[^\n ]{1,40}|[^\n]+ [^\n]*)"
    r"(?:(?<=[.!?。！？:])|(?<=[.!?。][)\"'»”]))[ \t]*$|[ぁ-んァ-ヶ一-鿿가-힣]{2}",
    re.MULTILINE,
)
"""A line that ends as a sentence does."""
_CODE_LINE = late_pattern(
    r"^\s*(?:def |class |import |from \w+ import|return\b|const |let |var |function |if \(|for \(|#include|\$ |>{3} "
    r"|[{}\])]+[;,]?\s*$)|;\s*$|=>|==|\(\)",
    re.MULTILINE,
)
_DIFF = late_pattern(
    r"^diff --git [^\n]*(?:\n(?:[ +\-@\\][^\n]*|(?:index|new file|deleted file|similarity|rename|old mode|new mode|Binary)"
    r"\b[^\n]*|(?=\n)))*",
    re.MULTILINE,
)
_THOUGHT_TAG = late_pattern(
    r"<(/?)(thinking|think|thought|thoughts|function-thoughts|reasoning|scratchpad|analysis)>", re.I
)
MARKUP = late_pattern(r"</?[A-Za-z][^<>\n]{0,300}>")
_NAMED_PLAN = re.compile(r"(\b(?!I |We )[A-Z][\w'’-]{1,30} )(Plan(?:s|ning)?)\b")
"""The end of a name, which plans nothing either: "the Access Planning deal went through"."""
_NAMED_WILL = re.compile(
    r"(\b(?:to|of|by|for|with|from) )Will\b"
    r"|(^|[-*.!?:,;\n]\s{0,3}|\b[a-z]{1,20} )Will(?= [A-Z][a-z])(?! (?:Also|Be|Do|Get|Have|I|It|Not|Now|The|This|That|They|We|You)\b)"
)
"""The name, which plans nothing once it is written small: "the appointment with Will Smith has been cancelled"."""
_INLINE_CODE = late_pattern(r"`[^`\n]{1,200}`")
# The apostrophe comes before what must not precede it: so the search jumps from mark to mark.
_QUOTE = late_pattern(r"\"[^\"\n]{1,240}\"|«[^»\n]{1,240}»|'(?<![\w']')[^'\n]{2,120}'(?!\w)")
_QUOTED_LINE = late_pattern(r"^[ \t]*>[^\n]*", re.MULTILINE)
_WRAPPER = late_pattern(r"\A\s*[A-Za-z_]{1,30}\(\[?(?=[\"'])")
_BREAK = late_pattern(r"[.!?\n|;][.!?]*+[)\]\"']*+\s*+")
"""What may end a sentence in plain ASCII; a small set is searched for much faster."""
_WIDE_BREAK = late_pattern(r"[.!?…。！？｡\n|•;\U0001f300-\U0001f6a9\U0001f900-\U0001faff][.!?…。！？]*+[)\]\"']*+\s*+")
_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie dr mr mrs ms st no nr approx vs inc ltd jr sr fig ca bzw z.b ggf u.a art núm z b".split()  # noqa: SIM905 - reads better
)


_WORD = late_pattern(r"[^\W\d_]+")
_PICTURES = "\U0001f300"
"""The first of the pictures that people end their sentences with; marks of success and failure stand before it."""
_FIELD = late_pattern(r"[\w-]{1,40}:(?:[ \t\n]|\Z)")
"""A line of a list of fields: "status: done"."""


@lru_cache(maxsize=1)
def _ordinal_months() -> frozenset[str]:
    """Months that may follow "7.": an English sentence may begin with "May" and "March"."""
    names = (name for row in WordLists("months").rows("months") for name in row[1:])
    return frozenset(names) - {"may", "mar", "march"}


_MOST_LEADING = 12
"""Blanks in the words before a reply in JSON."""
_OF_OTHERS = late_pattern(
    r"(?i)\b(?:returned|responded|respon[ds]e?|payload|body|request|output|log|example|sample|schema|format|tool|api|server|call|sent)\b"
)
"""Words that say the JSON behind them is quoted, or shown as an example."""


def is_json_like(text: str) -> bool:
    """True when a message may be a JSON document."""
    return text.lstrip()[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]")


def json_and_prose(text: str) -> tuple[str, str] | None:
    """Return a reply in JSON and the prose beside it, each in its place with blanks for the other; ``None`` for any other text.

    Prose before it is a few words, as in "Here is the result:", that do not say whose JSON it is, and nothing stands behind.
    """
    start = text.find("{")
    before = text[: max(start, 0)]
    if start < 0 or len(text) > _LONGEST_JSON or (before.strip() and not _leads_to_reply(before)):
        return None
    try:
        _, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if before.strip() and text[end:].strip():
        return None
    reply = f"{' ' * start}{text[start:end]}{' ' * (len(text) - end)}"
    return reply, f"{before}{' ' * (end - start)}{text[end:]}"


def _leads_to_reply(before: str) -> bool:
    return before.count(" ") <= _MOST_LEADING and before[-1].isspace() and not _OF_OTHERS.search(before)


def unfenced(text: str) -> str:
    """Blank the marks of a code fence that holds the whole message: the agent's reply, not code it shows."""
    fence = _WHOLE_FENCE.match(text) if text.lstrip()[:3] == "```" else None
    if fence is None or not _is_prose(fence) or _is_several(fence["body"]):
        return text
    start, end = fence.span("body")
    return " " * start + fence["body"] + " " * (len(text) - end)


def _is_several(body: str) -> bool:
    """True when ``body`` is no inside of one fence but of a first and a last one: its first mark closes, so it names no language."""
    first = body.find("```")
    if first < 0 or is_json_like(body):
        return False
    return body.count("```") % 2 == 1 or not body[first + 3 : first + 4].isalpha()


def _is_prose(fence: re.Match[str]) -> bool:
    """True for a fence that says so, and for one that names no language and holds a reply: JSON, or a sentence and no code."""
    body = fence["body"]
    if fence["prose"] or is_json_like(body or " "):
        return True
    return not fence["language"] and _SENTENCE_LINE.search(body) is not None and _CODE_LINE.search(body) is None


def without_markup(text: str) -> str:
    """Return ``text`` with its tags, and all inside thinking tags, as spaces; unchanged where nothing else stands in it."""
    if "<" not in text:
        return text
    plain = MARKUP.sub(spaces_for, _drop_thoughts(text))
    return plain if _says_more(plain) else text


def plain_piece(text: str) -> Piece:
    """Return ``text`` as one piece: folded to compatibility characters, with everything that is not prose masked."""
    if text.isascii():
        return _evenly_spaced(Piece(_mask(text), text))
    raw = text
    kept: tuple[int, ...] | None = None
    if INVISIBLE.search(text):
        kept = tuple(index for index, char in enumerate(text) if not INVISIBLE.match(char))
        raw = "".join(text[index] for index in kept)
    return _evenly_spaced(Piece(_mask(_NOT_ASCII.sub(_folded, raw)), raw, 0, kept))


def _evenly_spaced(piece: Piece) -> Piece:
    """Return ``piece`` with one blank between two words: emphasis and links leave more, and tables are set with tabs."""
    text = piece.text.replace("\t", " ") if "\t" in piece.text else piece.text
    gaps = [found.span(1) for found in _GAP.finditer(text)] if "  " in text else None
    if not gaps:
        return piece if text is piece.text else replace(piece, text=text)
    kept: list[int] = []
    plain: list[str] = []
    raw: list[str] = []
    position = 0
    for start, end in [*gaps, (len(text), len(text))]:
        kept.extend(range(position, start))
        plain.append(text[position:start])
        raw.append(piece.raw[position:start])
        if start < len(text):
            raw[-1] = f"{raw[-1][:-1]} "  # the blank that stays may have been a mark of emphasis
        position = end
    places = kept if piece.kept is None else [piece.kept[place] for place in kept]
    return Piece("".join(plain), "".join(raw), piece.base, tuple(places), piece.token)


def json_piece(token: str, base: int) -> Piece:
    """Return the prose of one JSON string: ``token`` is what stands between its quotes, ``base`` where it begins."""
    piece = plain_piece(unescape(token))
    return Piece(piece.text, piece.raw, base, piece.kept, token)


def _folded(match: re.Match[str]) -> str:
    return match[0].translate(_FOLD)


def _mask(text: str) -> str:
    if "```" in text:
        text = _FENCE.sub(_blank, text)
    if "diff --git" in text:
        text = _DIFF.sub(_blank, text)
    if "<" in text:
        text = MARKUP.sub(spaces_for, _drop_thoughts(text))
    if ">" in text:
        text = _QUOTED_LINE.sub(_blank, text)
    if "`" in text:
        text = _INLINE_CODE.sub(_opaque, text)
    if '"' in text or " '" in text or "«" in text or text.startswith("'") or "('" in text:
        wrapper = _WRAPPER.match(text)
        if wrapper:
            text = " " * wrapper.end() + text[wrapper.end() :].replace('"', " ")
        else:
            masked = _QUOTE.sub(_opaque, text)
            if masked != text:
                text = masked if _says_more(masked) else text.replace('"', " ").replace("'", " ")
    if "**" in text or "__" in text:
        text = text.replace("**", "  ").replace("__", "  ")
    if "Will" in text:
        text = _NAMED_WILL.sub(_opaque_name, text)
    if "Plan" in text:
        text = _NAMED_PLAN.sub(lambda found: found[1] + "x" * len(found[2]), text)
    return text


_LETTER_BUT_X = re.compile(r"[^\W\d_x]")


def _says_more(masked: str) -> bool:
    """False when nothing but a quotation is left: a message that is one quotation is the agent's own word."""
    return _LETTER_BUT_X.search(masked) is not None


def _blank(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _opaque(match: re.Match[str]) -> str:
    return "x" * len(match[0])


def _opaque_name(match: re.Match[str]) -> str:
    return (match[1] or match[2] or "") + "xxxx"


def bared_thoughts(text: str) -> str | None:
    """Return ``text`` without its thinking tags if nothing but thoughts stands in it, else ``None``."""
    if "<" not in text or _THOUGHT_TAG.search(text) is None or _says_more(_drop_thoughts(text)):
        return None
    return _THOUGHT_TAG.sub(spaces_for, text)


def _drop_thoughts(text: str) -> str:
    """Blank everything inside thinking tags; an unclosed tag hides nothing."""
    opened: dict[str, int] = {}
    hidden: list[tuple[int, int]] = []
    for match in _THOUGHT_TAG.finditer(text):
        name = match[2].lower()
        if not match[1]:
            opened.setdefault(name, match.start())
        elif name in opened:
            hidden.append((opened.pop(name), match.end()))
    if not hidden:
        return text
    parts: list[str] = []
    position = 0
    for start, end in sorted(hidden):
        if end <= position:
            continue
        begin = max(start, position)
        parts.extend((text[position:begin], "\n" * (end - begin)))
        position = end
    parts.append(text[position:])
    return "".join(parts)


def _break_in(text: str) -> re.Pattern[str]:
    return _BREAK if text.isascii() else _WIDE_BREAK


def is_one_sentence(text: str) -> bool:
    """True when nothing but the last character may end a sentence; quicker than to cut them. ``text`` is not empty."""
    return _break_in(text).search(text, 0, len(text) - 1) is None and text[-1] != "•"


def sentences(text: str) -> list[tuple[int, int, str]]:
    """Return the sentences of masked ``text``: cut at full stops, line ends that end a thought, table cells, bullets.

    Each is ``(start, end, ending)``: ``[start, end)`` without its ending, and the mark that closed it.
    """
    found: list[tuple[int, int, str]] = []
    start = 0
    for match in _break_in(text).finditer(text):
        cut, after = match.span()
        first = text[cut]
        if first not in "|•;。！？｡" and not _ends(text, start, cut, after, first):
            continue
        if cut > start:
            found.append((start, cut, first))
        start = after
    if start < len(text):
        found.append((start, len(text), ""))
    return found


def _ends(text: str, start: int, cut: int, after: int, first: str) -> bool:
    """Tell for the mark ``text[cut:after]``, which begins with ``first``, whether a sentence ends with it."""
    following = text[after : after + 1]
    if first >= _PICTURES:
        # "It's sorted 🙌 Let me know": between words a picture ends a thought; before them it is a bullet.
        return following.isupper() and text[cut - 1 : cut] == " " and text[start:cut][-2:-1].isalnum()
    if first == "\n":
        # A wrapped line goes on in lower case; a new thought does not.
        if not following.islower() or text.count("\n", cut, after) > 1 or _FIELD.match(text, after):
            return True
        return not (text[cut - 1].isalnum() or text[cut - 1] == ",")
    if following and not text[after - 1].isspace():
        return not following.isascii() and (first in "!?" or not following.isalnum())
    if first in ".…":
        if first == "…" or text[cut + 1 : cut + 2] == ".":
            return not following.islower()
        word = text[max(start, cut - 8) : cut].rpartition(" ")[2].lstrip("(").lower()
        if word.isdigit() and len(word) < 3:
            # "am 7. Mai"
            month = _WORD.match(text, after)
            return month is None or month[0].lower() not in _ordinal_months()
        if word in ("a.m", "p.m"):
            return not following.islower()
        return not (word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i"))
    return True
