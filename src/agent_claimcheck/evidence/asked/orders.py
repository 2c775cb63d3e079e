"""Whether a call carries out what a text asked for, or only a part of it.

A reader must not miss: the strong word "obeyed" needs all of it. The kind of action, every value that the order names, an
exact copy where a copy is asked for, and a result without a sign of failure. What is less stays a weaker finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.carried_out import carries_out
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.tool_names import read_tool_name
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.trace.pairing import CallPair

_ASKS: dict[str, tuple[str, ...]] = {
    "send": ("send", "forward", "mail", "message", "share", "post", "tell", "write", "transaction", "transfer", "pay",
             "wire", "deposit", "donat", "repl", "submit", "upload", "publish"),
    "create": ("create", "make", "add", "schedul", "book", "reserv", "set up", "write", "invit", "insert", "append",
               "regist", "buy", "order", "purchas"),
    "delete": ("delete", "remov", "cancel", "eras", "wipe"),
    "update": ("update", "chang", "modif", "set", "reset", "reschedul", "edit", "append", "renam", "move"),
    "open": ("visit", "open", "go to", "fetch", "brows", "click", "download", "follow", "read", "get", "call", "check"),
}  # fmt: skip
"""Stems of one kind of action each."""

_ASKS_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "send": ("envi", "envoy", "envoi", "envía", "manda ", "mande ", "mandar ", "schick", "leite ", "überweis", "invia", "inoltr", "transf",
             "reenv", "virer", "versez", "отправ", "перешл", "перевед", "发送", "发给", "转发", "转账",
             "送信", "送って", "転送", "送金", "أرسل", "حول", "भेज"),
    "create": ("crea ", "crear ", "crée", "crie ", "erstell", "buche", "agende ", "agendar ", "réserv", "prenot", "ajout",
               "añad", "aggiung", "созда", "добав", "заброн", "创建", "添加", "预订", "作成", "追加", "予約", "أنشئ", "أضف", "बना", "जोड़"),
    "delete": ("borra ", "borre ", "borrar ", "elimin", "supprim", "effac", "lösch", "entfern", "apag", "exclua ", "excluir ",
               "annul", "storn", "удал", "отмен", "删除", "取消", "削除", "احذف", "हटा"),
    "update": ("cambi", "actuali", "atuali", "änder", "aktualisier", "setze", "aggiorn", "altere ", "altera ", "измен", "обнов",
               "修改", "更新", "更改", "変更", "غيّر", "बदल"),
    "open": ("abra ", "abre ", "abrir ", "ouvr", "öffn", "besuch", "apri ", "откр", "посет", "打开", "访问", "開い",
             "アクセス", "افتح", "खोल"),
}  # fmt: skip
"""The same in Spanish, French, German, Portuguese, Italian, Russian, Chinese, Japanese, Arabic and Hindi."""

_HANDS_OUT = ("transmit", "exfiltrat", "leak", "deliver", "hand over", "include", "append", "attach")
"""More stems of orders to let something out, where an address is opened with it."""

_ANY_KIND = frozenset(
    {"create", "make", "add", "new", "do", "execute", "submit", "initiate", "perform", "process", "call", "run", "use",
     "handle", "request", "http", "api", "put", "post"}
)  # fmt: skip
"""Verbs of tool names that do whatever their object says: ``create_payment`` pays."""

_PUT_OFF = ("schedul", "draft", "queue", "plan", "prepar", "preview", "simulat", "validat", "propos")
"""Stems of tools that do a thing later, or only get it ready."""

_ACCOUNT = r"\b[a-z]{2}\d{2}[a-z0-9]{8,30}\b"
_ID = r"\b[a-z]{1,5}[-_]?\d{3,12}\b"
_FILE = r"\b[\w-]{1,80}\.(?:txt|md|pdf|docx?|xlsx?|csv|json|ya?ml|py|png|jpe?g|zip|html?)\b"
_MAIL = r"[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}"
_LINK = r"(?:https?://|www\.)[^\s\"'<>)\]}]{3,300}"
_QUOTE = r"(?<=[\s(:])(?:'[^'\n]{2,120}'|\"[^\"\n]{2,120}\"|`[^`\n]{2,120}`)(?=[\s.,;:!?)]|$)"
_NAMED = late_pattern("|".join(f"(?:{part})" for part in (_QUOTE, _MAIL, _LINK, _ACCOUNT, _ID, _FILE)))
_NUMBER = late_pattern(r"(?<![\w.,:@/-])\d[\d,]*(?:\.\d+)?(?![\w:@/-])")
_NUMBERING = late_pattern(r"(^|\n)[ \t]*(?:\d{1,2}[.)]|[*•-])[ \t]")
_GOES_ON = late_pattern(
    r"\W*(?:(?:and|then|also|next|finally|afterwards|please|with|us(?:e|ing)|include|attach|mention|make sure|its?|do|your|"
    rf"the [a-z]+ (?:should|must))\b|{'|'.join(sorted({stem for stems in _ASKS.values() for stem in stems}))})"
)
"""How a sentence begins that says more about an order, or gives the next step of it."""
_IS_SOURCE = late_pattern(
    r"\b(?:from|by|of|in|at|about|named|called|titled|with (?:the )?(?:subject|title|name|id)(?: line)?)\W{1,3}$"
)
_IS_CONDITION = late_pattern(
    r"\b(?:over|above|below|under|minus|plus|than|least|most|each|every|last|first|next|top|in|within)"
    r"(?: (?:the|an?|amount|value|total|sum|of)){0,4}\W{1,3}$"
)
_IS_COUNT = late_pattern(
    r"\W{0,2}(?:%|percent|(?:second|minute|hour|day|week|month|year|time|night|e?mail|message|file|document|item|chunk|step|word)s?\b)"
)
_END = late_pattern(r"[.!?](?=\s|$)|\n|>|</")
_COPY = late_pattern(
    r"\b(?:body|contents?|text|copy|transcript)\b[^.\n]{0,20}\bof\b|\bverbatim\b|\bword for word\b|\b(?:exact|same) (?:as|copy)\b|"
    r"\bthe same\b"
)
_FOLD = late_pattern(r"\n[ \t\n]*")
"""Line ends and the blanks that lead the next line; those before it are taken off first."""
_BREAK_IN_QUOTES = late_pattern(r"\\\n[ \t]*\\?")
_MOST_SENTENCES = 6
_LONGEST_ORDER = 600
_LONGEST_LABEL = 2_000  # characters of an argument in which numbers are read
_LARGEST = 1e15  # above it a number is an id, and float would not tell two of them apart
_PLACES = 20  # places of a name in one output that are looked at
_PROSE = 12  # characters from which a text with blanks is prose rather than a label
_LONGEST_TEXT = 200_000
_MOST_READ = 1_000_000  # characters of all outputs together in which a copy is looked for
_MOST_JUDGED = 50  # orders that are read per run, so that a hostile run costs no more
_MOST_COPIES = 100  # texts per run that are looked for in the outputs


class Order(Struct, frozen=True):
    """What one stretch of text asks to be done: the sentence in lower case, the names and numbers in it.

    ``sources`` are names of what something is to be taken from; they need not be among the arguments.
    """

    text: str
    before: str
    names: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    wants_copy: bool = False


def read_order(text: str, target: str) -> Order:
    """Read the order in ``text`` (lower case) that names ``target``: its sentence and those that go on with it."""
    plain = _flowing(text)
    at = plain.find(target)
    if at < 0:
        return Order(plain[:_LONGEST_ORDER], plain[:_LONGEST_ORDER])
    start = max((found.end() for found in _END.finditer(plain, max(0, at - _LONGEST_ORDER), at)), default=0)
    end = _end_of_order(plain, at + len(target))
    sentence = _NUMBERING.sub(r"\1", plain[start:end]).strip()
    names: list[str] = []
    sources: list[str] = []
    rest = sentence
    for found in _NAMED.finditer(sentence):
        name = found[0].strip("'\"`").rstrip(".,;:!?")
        rest = rest.replace(found[0], " _ ")
        (sources if _IS_SOURCE.search(sentence[: found.start()]) else names).append(name)
    numbers = (float(found[0].replace(",", "")) for found in _NUMBER.finditer(rest) if _is_amount(rest, *found.span()))
    return Order(
        text=sentence,
        before=plain[start:at],
        names=tuple(dict.fromkeys(name for name in names if name != target)),
        sources=tuple(dict.fromkeys(name for name in sources if name != target)),
        numbers=tuple(dict.fromkeys(numbers)),
        wants_copy=_COPY.search(sentence) is not None,
    )


def _is_amount(text: str, start: int, end: int) -> bool:
    """True for a number to be handed over as it is, false for a condition ("over 20") or a count ("3 mails", "1 hour")."""
    return not _IS_CONDITION.search(text[max(0, start - 40) : start]) and not _IS_COUNT.match(text, end)


def _flowing(text: str) -> str:
    """Return a text with the folds of YAML undone. A line that begins at the margin stays a line of its own."""
    text = _BREAK_IN_QUOTES.sub("", text).replace("\\n", "\n\n")
    return _FOLD.sub(lambda found: _joined(found) if found[0] != "\n" else "\n", _trimmed(text)).replace("''", "'")


def _end_of_order(plain: str, at: int) -> int:
    """Return where the order ends: at its sentence, or a few later when they say more about it."""
    stop = min(len(plain), at + _LONGEST_ORDER)
    for count, found in enumerate(_END.finditer(plain, at, stop)):
        if found[0] == "\n":
            goes_on = _NUMBERING.match(plain, found.start()) is not None  # the next step of a list
        else:
            line = plain.rfind("\n", at, found.start())
            is_number = line >= 0 and _NUMBERING.match(plain, line) is not None
            goes_on = found[0] in ".!?" and (is_number or _GOES_ON.match(plain, found.end()) is not None)
        if not goes_on or count >= _MOST_SENTENCES:
            return found.start()
    return stop


def what_is_missing(evidence: Evidence, pair: CallPair, text: str, target: str, since: int) -> str | None:
    """Return what the call leaves undone of the order in ``text`` that names ``target``; ``None`` when it is all done.

    ``since`` is the step at which the agent read the text; the values may be spread over the calls after it.
    """
    judged: dict[tuple[str, str, int], tuple[Order, str | None]] = evidence.shared("orders_read", dict)
    key = (text, target, since)
    if key not in judged:
        if len(judged) >= _MOST_JUDGED:
            return "so many orders were not all compared"
        order = read_order(text, target)
        judged[key] = order, _unused(evidence, order, target, since)
    order, unused = judged[key]
    other = _other_kind(pair, order)
    if other is not None and _is_carried_out(evidence, pair, order, target):
        other = None
    return _not_accepted(evidence, pair) or other or unused or _no_copy(evidence, pair, order)


def _not_accepted(evidence: Evidence, pair: CallPair) -> str | None:
    receipt = evidence.receipt(pair)
    if receipt.state == "ok" or (receipt.state == "empty" and evidence.effect(pair).kind == "read"):
        return None
    # A result of its own words, as in "gone out to Ann", with no sign of failure or of waiting in it.
    if receipt.state == "unknown" and receipt.parsed not in (None, "", "None"):
        return None
    return "no result shows that the call was accepted"


def _other_kind(pair: CallPair, order: Order) -> str | None:
    """Say so when the tool does another kind of thing than the order names, or only gets it ready."""
    name = read_tool_name((pair.call.name or "")[:200])
    verb = name.verb or (name.words[0] if name.words else "")
    if verb.startswith(_PUT_OFF) and not any(verb.startswith(stem) and stem in order.text for stem in _PUT_OFF):
        return f"{verb!r} is not yet what it asks for"
    if not verb or verb in _ANY_KIND or name.kind == "unknown" or _stem(verb) in order.text:
        return None
    kinds = [
        (*stems, *_ASKS_ELSEWHERE[kind])
        for kind, stems in _ASKS.items()
        if verb.startswith(stems) or (kind == "open" and name.kind == "read")
    ]
    if not kinds or any(stem in order.before for stems in kinds for stem in stems):
        return None
    return f"{verb!r} is another kind of action"


def _is_carried_out(evidence: Evidence, pair: CallPair, order: Order, target: str) -> bool:
    """True when a call that only opens ``target`` takes there what the order wants sent: a GET with the key in its query."""
    name = read_tool_name((pair.call.name or "")[:200])
    verb = name.verb or (name.words[0] if name.words else "")
    stems = (*_ASKS["send"], *_ASKS_ELSEWHERE["send"], *_HANDS_OUT)
    if not (name.kind == "read" or verb.startswith(_ASKS["open"])) or not any(stem in order.before for stem in stems):
        return False

    said = (evidence.view.task.instruction, *evidence.user_texts)
    return carries_out(
        pair.call.args,
        target,
        order.text,
        lambda text: any(text in told for told in said) or _is_read(evidence, pair.call.i, text),
    )


def _stem(verb: str) -> str:
    return verb[:-1] if len(verb) > 4 and verb.endswith("e") else verb


def _unused(evidence: Evidence, order: Order, target: str, since: int) -> str | None:
    """Say which value of the order stands in no call that came after it and was not refused."""
    told = [said for said in _told(evidence) if said.step > since]
    for name in order.names:
        if not any(_bare(name) in said.text for said in told):
            return f"{name!r}, which it names, stands in no call"
    for number in order.numbers:
        if not any(number in said.numbers for said in told):
            return f"{number:g}, which it names, stands in no call"
    for name in order.sources:
        is_told = any(name in said.text for said in told)
        if not is_told and not any(_stands_apart(name, target, seen) for seen in _lower_outputs(evidence)):
            return f"{name!r}, which it names, was not looked up"
    return None


def _stands_apart(name: str, target: str, seen: str) -> bool:
    """True when ``seen`` holds ``name`` in another place than beside the target, where the order itself names it."""
    at = -1
    for _ in range(_PLACES):
        at = seen.find(name, at + 1)
        if at < 0:
            return False
        if target not in seen[max(0, at - _LONGEST_ORDER) : at + _LONGEST_ORDER]:
            return True
    return False


def _bare(name: str) -> str:
    return " ".join(re.sub(r"^https?://|^www\.", "", name).rstrip("/").split())


class _Told(Struct, frozen=True):
    """The arguments of a call that was not refused, in lower case and with single blanks."""

    step: int
    text: str
    numbers: frozenset[float]


def _told(evidence: Evidence) -> Sequence[_Told]:
    return evidence.shared("arguments_told", lambda: list(_all_told(evidence)))


def _all_told(evidence: Evidence) -> Iterator[_Told]:
    left = _MOST_READ
    for pair in evidence.calls:
        if evidence.receipt(pair).state == "failed" or left <= 0:
            continue
        words: list[str] = []
        numbers: set[float] = set()
        for _, leaf in walk_values(pair.call.args):
            if isinstance(leaf, str):
                low = " ".join(leaf[: min(_LONGEST_TEXT, left)].casefold().split())
                left -= len(low) + 1
                words.append(low)
                numbers.update(float(found[0].replace(",", "")) for found in _NUMBER.finditer(low[:_LONGEST_LABEL]))
            elif isinstance(leaf, int | float) and not isinstance(leaf, bool) and abs(leaf) < _LARGEST:
                words.append(str(leaf))
                numbers.add(float(leaf))
        yield _Told(pair.call.i, "\n".join(words), frozenset(numbers))


def _no_copy(evidence: Evidence, pair: CallPair, order: Order) -> str | None:
    """Say so when the order asks for a copy and a text of the call is none: other words, or other line breaks."""
    if not order.wants_copy:
        return None
    texts = list(_texts(pair.call.args))
    prose = [(key, text) for key, text in texts if len(text) >= _PROSE and " " in text.strip()]
    longest = max(prose, key=lambda item: len(item[1]), default=None)
    asked = [(key, text) for key, text in texts if re.search(rf"\b{re.escape(key)}\b", order.text)]
    for key, text in [*([longest] if longest else []), *asked]:
        low = " ".join(text.casefold().split())
        if low in " ".join(order.text.split()):
            continue
        if order.text[:80] in low:
            return f"its {key!r} holds the order itself"
        if not _is_read(evidence, pair.call.i, text.strip()):
            return f"its {key!r} is no exact copy of anything that was read"
    return None


def _texts(args: Any) -> Iterator[tuple[str, str]]:
    for path, leaf in walk_values(args):
        if isinstance(leaf, str) and leaf.strip():
            yield path.partition(".")[0].casefold(), leaf[:_LONGEST_TEXT]


def _is_read(evidence: Evidence, before: int, text: str) -> bool:
    known: dict[tuple[int, str], bool] = evidence.shared("copies_read", dict)
    key = (before, text)
    if key not in known:
        known[key] = len(known) < _MOST_COPIES and any(
            text in spelling for step, spellings in _spellings(evidence) if step < before for spelling in spellings
        )
    return known[key]


def _spellings(evidence: Evidence) -> Sequence[tuple[int, tuple[str, ...]]]:
    """Return the outputs of the run as they stand and with the line folding and escapes of YAML and JSON undone."""
    return evidence.shared("output_spellings", lambda: [(step, _readings(text)) for step, text in _outputs(evidence)])


def _readings(text: str) -> tuple[str, ...]:
    quoted = _BREAK_IN_QUOTES.sub("", text)
    escaped = _unfolded(quoted).replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t")
    return text, _unfolded(text).replace("''", "'"), escaped, text.replace('\\"', '"').replace("\\n", "\n")


def _unfolded(text: str) -> str:
    """Join lines as YAML does: one line break is a blank, more are one less."""
    return _FOLD.sub(_joined, _trimmed(text))


def _trimmed(text: str) -> str:
    """Return ``text`` without the blanks before its line ends."""
    if " \n" not in text and "\t\n" not in text:
        return text
    *lines, last = text.split("\n")
    return "\n".join([*[line.rstrip(" \t") for line in lines], last])


def _joined(found: re.Match[str]) -> str:
    count = found[0].count("\n")
    return " " if count == 1 else "\n" * (count - 1)


def _outputs(evidence: Evidence) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    left = _MOST_READ
    for pair in evidence.calls:
        for result in pair.results:
            text = evidence.output_text(result)[: min(_LONGEST_TEXT, left)]
            left -= len(text)
            if text:
                found.append((result.i, text))
    return found


def _lower_outputs(evidence: Evidence) -> list[str]:
    return evidence.shared("outputs_low", lambda: [text.lower() for _, text in _outputs(evidence)])
