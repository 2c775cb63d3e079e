r"""Takes off what a screen, a page or a log puts around a message; the agent's words stay, nearly all in their places.

Taken off: terminal colours, line ends of a set width, HTML entities, the brackets of a link (its address stays), underlines
of emphasis, line breaks written as ``\n``, the label of who speaks, and a code fence, a quotation or a JSON object that holds
nothing but the whole message. A reader must not miss: blanks stand for what is taken off, so the text keeps its length, and
no word is lost, since an address may be claimed too.
"""

from __future__ import annotations

import html
import re
from itertools import pairwise

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import COLOURS, as_told, spaces_for
from agent_claimcheck.evidence.claims.clauses import INVISIBLE, is_json_like, unfenced
from agent_claimcheck.evidence.claims.json_tokens import unescape

_WITH_INVISIBLE = late_pattern(f"{INVISIBLE.pattern}[^\n]*")
_ENTITY = r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8});"
_WITH_ENTITY = late_pattern(rf"{_ENTITY}[^\n]*")
"""An entity and the rest of its line, at whose end the blanks go."""
_LINK = late_pattern(r"\[(?<!!\[)([^\[\]\n]{1,200})\](?=\([^()\s]{1,500}\))")
_BREAK = late_pattern(r"(?:\\r)?\\n(?![a-z])")
_SPEAKER = re.compile(
    r"\s*\*{0,2}(?:\[(?:ai|agent|assistant|bot)\]:?|(?:ai|agent|assistant|bot):)\*{0,2}\s", re.IGNORECASE
)
_QUOTED = late_pattern(r"^[ \t]*>", re.MULTILINE)
_NOT_QUOTED = late_pattern(r"^(?![ \t]*>)[^\n]*\S", re.MULTILINE)
_UNDERLINED = late_pattern(r"_(?<!\w_)(?=[^\s_])((?:[^_\n]|(?<=[^\W_])_(?=[^\W_])){1,600})(?<=[^\s_])_(?!\w)")
_SOLE_TEXT = late_pattern(
    r"\s*\{\s*\"(?:answer|content|final_answer|final_response|message|output|reply|response|summary|text)\"\s*:\s*"
    r"\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"\s*\}\s*\Z"
)
"""A reply that is one text under a name which says no more than that."""
_WITH_ESCAPE = late_pattern(r"\\(?:u[0-9a-fA-F]{4}|.)(?:\\(?:u[0-9a-fA-F]{4}|[^nrtu])|[^\s\\])*+")
_NESTED = late_pattern(r"\"[^\"]+(?<=[\s(])\"\w.*[^\"]\"\s*\Z", re.DOTALL)
"""A text in quotes with quotes within: the second mark opens."""
_WANTING = "a an and are at been for has have is of or the to was with your"
_AFTER_WANTING = "|".join(rf"(?<=\W{word}\n)" for word in _WANTING.split())
_SOFT_END = late_pattern(
    r"\n(?:(?<=[\w,]\n)(?=[a-z](?![\w-]{0,39}:(?:\s|\Z))(?![.)] ))|(?<=,\n)(?=['($€£A-Z]|\d+(?![.)\d]))"
    rf"|(?:{_AFTER_WANTING})(?![-*•#>|+\s]|\d{{1,3}}[.)]|[A-Za-z][.)] ))"
)
"""A line end within a sentence: small letters go on, or the last word wants another one."""
_NEW_LINE = late_pattern(r"\s*(?:$|[-*•#>|+]|\d{1,3}[.)]|[A-Za-z][.)] |```)")
"""How a line begins that is none of running text."""
_NARROWEST, _WIDEST = 40, 120
"""Characters a line may hold where text is set in a width."""
_FEWEST_LINES = 3
_LABEL_ENDS = (":", "]")
_HEAD = 16
"""Characters of a text in which a label, or the mark of a fence or a quotation, begins."""


def undressed(text: str) -> str:
    """Return the agent's ``text`` without its dress, composed (NFC) and with plain spaces."""
    text = as_told(text)
    if not text.isascii() and INVISIBLE.search(text):
        text = _WITH_INVISIBLE.sub(_seen, text)
    if "\x1b" in text:
        text = COLOURS.sub(spaces_for, text)
    if "&" in text and ";" in text:
        text = _WITH_ENTITY.sub(_unescaped, text)
    if "](" in text:
        text = _LINK.sub(r" \1 ", text)
    if "\\n" in text and "\n" not in text and not is_json_like(text):
        text = _BREAK.sub(lambda found: " " * (len(found[0]) - 1) + "\n", text)
    if "\n" in text and "```" not in text:
        text = _SOFT_END.sub(" ", _unwrapped(text))
    if "_" in text and not is_json_like(text):
        text = _UNDERLINED.sub(r" \1 ", text)
    head = text[:_HEAD]
    if any(end in head for end in _LABEL_ENDS) and (label := _SPEAKER.match(text)) is not None:
        text = spaces_for(label) + text[label.end() :]
    if ">" in head and not _NOT_QUOTED.search(text):
        text = _QUOTED.sub(spaces_for, text)
    if "```" in head:
        text = unfenced(text)
    if text[:1] == '"' and _NESTED.match(text):
        text = f" {text.rstrip()[1:-1]}".ljust(len(text))
    return _out_of_json(text) if text.lstrip()[:1] == "{" else text


def _unwrapped(text: str) -> str:
    """Return ``text`` with a blank for each line end at which the next word had no room in the width the text is set in."""
    lines = text.split("\n")
    width = max(map(len, lines))
    if len(lines) < _FEWEST_LINES or not _NARROWEST <= width <= _WIDEST:
        return text
    parts = [lines[0]]
    for before, line in pairwise(lines):
        room = width - len(before)
        is_full = before != "" and before[-1] not in ".!?:;|" and len(line.split(" ", 1)[0]) >= room
        parts.append((" " if is_full and not _NEW_LINE.match(line) else "\n") + line)
    return "".join(parts)


def _out_of_json(text: str) -> str:
    """Return the one text of a reply in JSON in its place."""
    sole = _SOLE_TEXT.match(text)
    if sole is None:
        return text
    return " " * sole.start(1) + unescaped_in_place(sole[1]) + " " * (len(text) - sole.end(1))


def unescaped_in_place(token: str) -> str:
    """Return the text of a JSON string token in the token's length: blanks stand behind a word for its escapes."""
    escapes = token.count("\\")
    if escapes == token.count("\\n"):  # as in most replies
        return token.replace("\\n", " \n") if escapes else token
    return _WITH_ESCAPE.sub(_plain_word, token)


def _plain_word(found: re.Match[str]) -> str:
    """Return the word with its escapes resolved, blanks behind it; before a line break they stand in front."""
    plain = unescape(found[0])
    gap = " " * (len(found[0]) - len(plain))
    return gap + plain if plain[:1].isspace() else plain + gap


def _seen(found: re.Match[str]) -> str:
    return INVISIBLE.sub("", found[0]).ljust(len(found[0]))


def _unescaped(found: re.Match[str]) -> str:
    # One character each: what becomes a line end is a blank here.
    plain = html.unescape(found[0]).replace("\u00a0", " ").replace("\n", " ")
    return plain + " " * (len(found[0]) - len(plain))
