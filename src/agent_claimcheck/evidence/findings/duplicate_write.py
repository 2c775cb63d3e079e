"""The same thing made twice and both left behind.

What it catches: one event, message, payment or booking created twice by identical calls, or a page posted over itself.
Why it matters: "done" is said once, the world now holds two.
Example: ``create_event`` returns late, the agent calls it again, both succeed, nobody deletes one.
Limits: identical arguments only; repeated updates of one record are no duplicates, nor is a repeat after the first one
failed, was cancelled, or was answered by an error. A request that names a number of copies silences it, a user who says
"again" later too, and so does a service that knows a repeat: the call carries an idempotency key, or gives back the id of
what is already there. So does a closing message that names what each of the two calls made, counts them or owns up to one too
many, a thing that the request or a list that was read names twice, a sum that the calls make together, a call that gives back
a list and no id, and what came between the two: words of the user, a look that found nothing there or that the first had come
to an end, or a step to another place (a workspace, a chat) that the call itself does not name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.copies import (
    asks_for_several,
    is_a_part_of,
    is_listed_more_than_once,
    tells_several,
)
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.undoing import may_undo, undoes
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

ID = "duplicate_write"
POWER: Power = "accuse"

_MAKING = frozenset({"create", "speak", "money", "obtain"})
"""Families of effects that leave one more thing behind each time."""

_REPLACES = frozenset({"saved", "stored", "registered", "subscribed", "enrolled", "signed_up"})
"""Classes of making whose repeat leaves what was there."""

_TWICE = late_pattern(
    r"\b(?:twice|two|three|four|five|six|seven|eight|nine|ten|dozen|several|both|copies|duplicate|again|each|every|times|another"
    r"|second|pair|until|repeat\w*|more)\b|\b(?:me|us|him|her|them) and\b|\band (?:for |to )?(?:me|myself|my|him|her|them|us|our)\b"
    r"|\b\d+ (?!minutes|hours|days)[a-z]{3,}s\b"
    r"|(?<![\w:./-])[23]\b(?![:./-]\d|(?: of)? ?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[ap]\.?m\b))",
    re.IGNORECASE,
)
_QUOTED = late_pattern(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w)")
"""What is to be written says nothing of how often: a note that reads 'wants 4 copies'."""
_LONGEST_LEAF, _COPIES = 80, 2
_GOES_TO = frozenset(
    {
        "activate",
        "cd",
        "choose",
        "connect",
        "focus",
        "goto",
        "impersonate",
        "login",
        "navigate",
        "pick",
        "select",
        "switch",
    }
)
_MAY_GO_TO = frozenset({"change", "enter", "go", "join", "load", "open", "set", "use"})
_PLACES = frozenset(
    {"account", "app", "board", "branch", "bucket", "calendar", "cart", "channel", "chat", "client", "context", "customer",
     "contact", "database", "db", "device", "directory", "document", "drive", "environment", "folder", "form", "group", "host",
     "inbox", "ledger", "list", "location", "machine", "mailbox", "node", "notebook", "org", "organization", "page",
     "patient", "printer", "profile", "project", "queue", "recipient", "region",
     "repo", "repository", "room", "server", "session", "sheet", "shop",
     "site", "store", "tab", "team", "tenant", "thread", "to", "unit", "url", "user", "ward", "warehouse", "window",
     "workbook", "workspace"}
)  # fmt: skip
"""Verbs of tools, and what they go to, after which a call with the same arguments is about another place."""
_MERGING = frozenset(
    {"archive", "close", "collapse", "combine", "consolidate", "dedupe", "deduplicate", "join", "merge"}
)
"""Words of tools that leave one of two."""
_SHORT_LIVED = ("ttl", "expires_in", "expires_at", "expires", "expiry", "held_until")
_USABLE = ("valid", "usable", "accepted", "confirmed")
_STATES = frozenset({"status", "state", "phase", "result"})
_AT_AN_END = late_pattern(
    r"expir|lapsed|cancel|reject|fail|bounc|undeliver|discard|lost|void|delet|dropped|declin|error|invalid|timed|(?:^|_)not(?:_|$)",
    re.IGNORECASE,
)
_THANKS = late_pattern(
    r"\W*(?:(?:many |very )?(?:thanks?|thank you|thx|cheers)|great|perfect|nice|cool|super|awesome|wonderful|good(?: job| work)?)\b"
    r"(?:[\s,.!]+(?:thanks?|thank you|a lot|so much|very much|again|great|perfect|for (?:that|this|your help)))*\W*",
    re.IGNORECASE,
)
_MOST_COMPARISONS = 60_000
"""Pairs of a repeat and a call that takes something back: far above any real run; more repeats than that are not read."""

_KNOWN_REPEAT = late_pattern(r"idempot|dedup|nonce|client_?(?:token|request)|request_?(?:id|token)", re.IGNORECASE)
"""Names of an argument by which a service tells a repeat from a second order."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per pair of identical successful creations."""
    done = evidence.sorted_writes.done
    called = [write.pair.call.name for write in done]
    if len(set(called)) == len(called):
        return
    names = Counter(called)
    undoing = [write for write in evidence.writes if write.is_ok and may_undo(write.effect)]
    most = max(1, _MOST_COMPARISONS // (len(undoing) + 1))
    seen: dict[bytes, Write] = {}
    repeats, said = 0, ""
    between = _Between(evidence)
    copies = Counter(_key(write) for write in done if names[write.pair.call.name] > 1)
    for write in done:
        if names[write.pair.call.name] == 1 or not _leaves_another(write):
            continue
        key = _key(write)
        first = seen.setdefault(key, write)
        if first is write:
            continue
        repeats += 1
        if repeats > most:
            return
        if repeats == 1:
            if _asks_for_copies(evidence) or asks_for_several(evidence.asked, evidence.reading.language):
                return
            said = _QUOTED.sub(" ", evidence.user_words).casefold()
        if _is_undone(first, write, undoing) or (_lists_records(first, evidence) and _lists_records(write, evidence)):
            continue
        if between.wants_anew(first, write) or _is_listed_twice(write, said):
            continue
        if _are_wanted(write, copies[key], evidence) or _is_merged(first, write, evidence):
            continue
        if _carries_repeat_key(write) or _is_one_thing(first, write, evidence) or _is_told(first, write, evidence):
            continue
        reason = "the same call succeeded twice with the same arguments, and both results were left behind"
        yield on_call(ID, POWER, write.pair, evidence, reason=reason, steps=(first.step, write.step))


def _lists_records(write: Write, evidence: Evidence) -> bool:
    """True when the call gave back a list and no id of its own: it looked, whatever its name says."""
    result = write.pair.result
    output = None if result is None else evidence.receipt(write.pair).parsed
    if isinstance(output, dict):
        return any(isinstance(item, list) for item in output.values()) and not record_ids(output)
    return isinstance(output, list)


class _Between:
    """What came between two calls and lets the second be wanted. Each kind is looked for once, so that many repeats stay cheap."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._looks: dict[tuple[str, ...], tuple[list[int], list[int]]] = {}

    def wants_anew(self, first: Write, second: Write) -> bool:
        """True when the user spoke between the two, a look found nothing, or the run went on to another place."""
        start, stop = first.pair.call.i, second.pair.call.i
        if _holds(self._words_of_user, start, stop) or _holds(self._moves, start, stop):
            return True
        if _is_useless(first) or self._saw_it_end(first, start, stop):
            return True
        if first.pair.result is not None and self._evidence.output_ids(first.pair.result):
            return False  # it was told what it had made
        looks, finds = self._looks_for(first.effect.words[1:])
        return _holds(looks, start, stop) and not _holds(finds, start, stop)

    def _saw_it_end(self, first: Write, start: int, stop: int) -> bool:
        """True when a look between the two named what the first call made, and showed it at an end or refused."""
        made = _ids_made(first, self._evidence)
        for pair in self._worked:
            if not start < pair.call.i < stop or pair.result is None or self._evidence.effect(pair).kind != "read":
                continue
            asked = {str(value).casefold() for _, value in walk_values(pair.call.args or {})}
            if asked & made and any(
                key.rsplit(".", 1)[-1] in _STATES and isinstance(value, str) and _AT_AN_END.search(value)
                for key, value in walk_values(pair.result.output)
            ):
                return True
        return False

    @computed
    def _words_of_user(self) -> list[int]:
        steps = self._evidence.view.steps
        said = [step for step in steps if step.kind == "message" and step.role == "user"]
        return sorted(step.i for step in said if not _THANKS.fullmatch(str(step.content)))

    @computed
    def _worked(self) -> list[CallPair]:
        return [pair for pair in self._evidence.calls if self._evidence.receipt(pair).state != "failed"]

    @computed
    def _moves(self) -> list[int]:
        return sorted(pair.call.i for pair in self._worked if _goes_elsewhere(self._evidence.effect(pair).words))

    def _looks_for(self, words: tuple[str, ...]) -> tuple[list[int], list[int]]:
        """Return the steps of the look-ups that share a word with ``words``, and of those that found something."""
        if words not in self._looks:
            nouns = {word.removesuffix("s") for word in words}
            looks, finds = [], []
            for pair in self._worked:
                effect = self._evidence.effect(pair)
                if effect.kind == "read" and not nouns.isdisjoint(word.removesuffix("s") for word in effect.words):
                    looks.append(pair.call.i)
                    if self._evidence.receipt(pair).state != "empty":
                        finds.append(pair.call.i)
            self._looks[words] = sorted(looks), sorted(finds)
        return self._looks[words]


def _is_useless(write: Write) -> bool:
    """True when the result itself says that what was made cannot be used, or not for long: ``valid: false``, ``ttl: 10``."""
    output = write.pair.result.output if write.pair.result is not None else None
    if not isinstance(output, dict):
        return False
    return any(output.get(key) is False for key in _USABLE) or any(output.get(key) for key in _SHORT_LIVED)


def _holds(steps: list[int], start: int, stop: int) -> bool:
    """True when one of the sorted ``steps`` lies between ``start`` and ``stop``."""
    at = bisect_right(steps, start)
    return at < len(steps) and steps[at] < stop


def _goes_elsewhere(words: tuple[str, ...]) -> bool:
    """True for ``switch_workspace``, ``open_tab`` and ``goto``; ``open_ticket`` and ``use_coupon`` go nowhere."""
    verb = words[0] if words else ""
    return verb in _GOES_TO or (verb in _MAY_GO_TO and (len(words) == 1 or not _PLACES.isdisjoint(words[1:])))


def _is_listed_twice(write: Write, asked: str) -> bool:
    """True when the request names twice what the call was given: "coffee 4.20, lunch 12, coffee 4.20"."""
    given = [value for _, value in walk_values(write.pair.call.args or {}) if not isinstance(value, bool)]
    texts = [value for value in given if isinstance(value, str)] or [str(value) for value in given if value is not None]
    if texts and all(_count(text.casefold().strip(), asked) > 1 for text in texts):
        return True
    numbers = [_times(str(value), asked) for value in given if isinstance(value, int | float)]
    names = [_times(value.casefold().strip(), asked) for value in given if isinstance(value, str)]
    return bool(numbers) and min(numbers) > 1 and 1 not in names


def _times(value: str, text: str) -> int:
    """Return how often ``text`` names ``value``."""
    if not 0 < len(value) <= _LONGEST_LEAF or value not in text:
        return 0
    return len(re.findall(rf"(?<![\w.]){re.escape(value)}(?![\w.]*\w)", text))


def _count(value: str, text: str) -> int:
    return _times(value, text) if text.count(value) >= _COPIES else 0


def _are_wanted(write: Write, count: int, evidence: Evidence) -> bool:
    """True when the ``count`` calls alike make a sum that was asked for, stand in a list that was read, or are told as so many."""
    args, language = write.pair.call.args or {}, evidence.reading.language
    if is_a_part_of(args, count, evidence.asked) or tells_several(evidence.closing_text, count, language):
        return True
    texts = [value for _, value in walk_values(args) if isinstance(value, str)]
    return is_listed_more_than_once(texts, write.pair.call.i, evidence)


def _is_merged(first: Write, second: Write, evidence: Evidence) -> bool:
    """True when a later call that may have worked names what one of the two made, and is named after making one of several."""
    made = _ids_made(first, evidence) | _ids_made(second, evidence)
    return any(
        write.pair.call.i > second.pair.call.i
        and not write.is_failed
        and not _MERGING.isdisjoint(write.effect.words)
        and any(str(value).casefold() in made for _, value in walk_values(write.pair.call.args or {}))
        for write in evidence.writes
    )


def _ids_made(write: Write, evidence: Evidence) -> set[str]:
    return _leaves(write) - {str(value).casefold() for _, value in walk_values(write.pair.call.args or {})}


def _leaves_another(write: Write) -> bool:
    """False for what a repeat only puts in place again: a file at its path, a record that is saved."""
    if family_of(write.effect.verb_class) not in _MAKING or write.effect.verb_class in _REPLACES:
        return False
    return not any(kind == "path" for kind, _ in write.effect.target)


def _key(write: Write) -> bytes:
    try:
        return canonical_json([write.pair.call.name, write.pair.call.args])
    except (ValueError, TypeError):
        return repr((write.pair.call.name, write.pair.call.args)).encode("utf-8", "replace")


def _is_told(first: Write, second: Write, evidence: Evidence) -> bool:
    """True when the closing text names what each of the two calls made: seats 4A and 4B."""
    one, two = (_leaves(write) for write in (first, second))
    told = evidence.closing_low
    return any(_stands(value, told) for value in one - two) and any(_stands(value, told) for value in two - one)


def _leaves(write: Write) -> set[str]:
    output = write.pair.result.output if write.pair.result is not None else None
    found = {str(value).casefold() for _, value in walk_values(output) if isinstance(value, str | int)}
    return {value for value in found if 0 < len(value) <= _LONGEST_LEAF}


def _stands(value: str, text: str) -> bool:
    return value in text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _asks_for_copies(evidence: Evidence) -> bool:
    return any(_TWICE.search(_QUOTED.sub(" ", text)) for text in evidence.asked)


def _carries_repeat_key(write: Write) -> bool:
    return any(_KNOWN_REPEAT.search(key) for key in write.pair.call.args or {})


def _is_one_thing(first: Write, second: Write, evidence: Evidence) -> bool:
    """True when both results give the same ids, and one of them is not from the arguments: the service made one thing."""
    if first.pair.result is None or second.pair.result is None:
        return False
    made = evidence.output_ids(first.pair.result)
    if not made or made != evidence.output_ids(second.pair.result):
        return False
    return not set(made.values()) <= set(evidence.argument_ids(first.pair.call).values())


def _is_undone(first: Write, second: Write, undoing: list[Write]) -> bool:
    return any(
        undoes(write.effect, done.effect)
        for done in (first, second)
        for write in undoing
        if write.pair.call.i > done.pair.call.i
    )
