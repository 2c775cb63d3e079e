"""The case file as text for a model: what was asked, what is claimed with its receipts, and the steps.

A reader must not miss: every value of the trace is written as JSON on one line, with ``<``, ``>``, ``&`` and invisible
characters escaped. Nothing in a trace can start a line, forge a step, or end a block. The text depends on the evidence
and the limits alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import printable
from agent_claimcheck.evidence.candidates import candidates
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.tool_names import read_verb
from agent_claimcheck.packs.select import rule_for
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
# What ``printable`` lets pass because a terminal shows it harmlessly, and a model could still read as hidden text:
# soft hyphens, fillers that look like nothing, variation selectors and private characters.
_HIDDEN = late_pattern(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\ue000-\uf8ff\ufe00-\ufe0f\uffa0\U000e0100-\U0010ffff]"
)
_SHORT = 240
_GAP_BYTES = len("(steps  to  left out: )\n")
"""Of a gap without its three numbers."""
_MOST_CLAIMS = 40
_MOST_CALLS = 6
_MOST_ASKED = 20
_LONGEST_NAME = 120
_LONGEST_REQUEST = 20_000
_ASKED_WORDS = 8
_PUNCTUATION = ".,;:!?\"'()"
_TEXT_SHARE = 8
_SMALLEST_SHARE = 1024
_LEAST_CHARS = 12
"""Of a value in a front that has to be small: enough to know it by."""


class RenderLimits(Struct, frozen=True, kw_only=True):
    """How much text there may be. ``total_bytes`` bounds the three blocks together, ``value_chars`` each single value."""

    total_bytes: int = 60_000
    value_chars: int = 2000


class Cut(Struct, frozen=True, kw_only=True):
    """What was left out. ``values`` counts values that were shortened, in the request and the claims too."""

    steps: int = 0
    values: int = 0
    claims: int = 0

    @property
    def is_none(self) -> bool:
        """Whether everything is there."""
        return not (self.steps or self.values or self.claims)


class RenderedEvidence(Struct, frozen=True, kw_only=True):
    """Three framed blocks of text, the ``i`` of the steps that are in them, and what is not."""

    request: str
    claims: str
    steps: str
    shown: frozenset[int]
    cut: Cut


def render_evidence(evidence: Evidence, limits: RenderLimits | None = None) -> RenderedEvidence:
    """Return ``evidence`` as text. Work and size are bounded by the limits, however long the trace is."""
    limits = limits or RenderLimits()
    receipts = [(claim, _calls_for(claim, evidence)) for _, claim in evidence.success_claims[:_MOST_CLAIMS]]
    request, claims, values, n_claims = _front(evidence, receipts, limits)
    chosen = _Steps(evidence, receipts, limits.value_chars)
    chosen.take(limits.total_bytes - _size(request) - _size(claims) - _size(_frame("steps", ())))
    return RenderedEvidence(
        request=request,
        claims=claims,
        steps=_frame("steps", chosen.lines()),
        shown=frozenset(evidence.view.steps[position].i for position in chosen.texts),
        cut=Cut(
            steps=len(evidence.view.steps) - len(chosen.texts),
            values=values.shortened + chosen.shortened,
            claims=len(evidence.success_claims) - n_claims,
        ),
    )


_Receipts = Sequence[tuple[SuccessClaim, list[CallPair]]]


def _front(evidence: Evidence, receipts: _Receipts, limits: RenderLimits) -> tuple[str, str, _Values, int]:
    """Return the request and the claims in at most half of the room, with shorter texts and fewer claims if need be."""
    share = 1
    while True:
        values = _Values(limits.value_chars, share)
        listed = receipts[: values.most(_MOST_CLAIMS)]
        request = _frame("request", _request_lines(evidence, values))
        claims = _frame("claims", _claim_lines(evidence, listed, values))
        if _size(request) + _size(claims) <= limits.total_bytes // 2 or share >= _SMALLEST_SHARE:
            return request, claims, values, len(listed)
        share *= 4


def quote_value(value: Any, limit: int) -> tuple[str, int]:
    """Return any JSON value as one line that holds no tag, and how many characters were left out of it.

    A longer text keeps its head and its tail, because a log tells at its end how it went.

    >>> quote_value("a <b>\\nc", 100)
    ('"a \\\\u003cb\\\\u003e\\\\nc"', 0)
    >>> quote_value("x" * 10 + "y" * 90, 15)
    ('"xxxxxxxxxx" (85 characters left out) "yyyyy"', 85)
    """
    text = value if isinstance(value, str) else _json(value)
    left_out = len(text) - limit
    if left_out <= 0:
        return _harmless(_json(value)), 0
    tail = limit // 3
    head = _harmless(_json(text[: limit - tail]))
    mark = f"({left_out:,} characters left out)"
    return f"{head} {mark} {_harmless(_json(text[len(text) - tail :]))}" if tail else f"{head} {mark}", left_out


def _harmless(text: str) -> str:
    text = printable(text)
    if not text.isascii():
        text = _HIDDEN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)
    return text.translate(_ESCAPES)


def _json(value: Any) -> str:
    try:
        return canonical_json(value).decode()
    except InputError:
        return '"(this value is no JSON)"'


class _Values:
    """Writes values and counts the ones that did not fit."""

    def __init__(self, limit: int, share: int = 1) -> None:
        self._limit = limit
        self.share = share
        """By how much everything in the front is cut down; 1 for nothing."""
        self.shortened = 0

    def write(self, value: Any) -> str:
        return self._within(self._limit, value)

    def text(self, value: str | None) -> str:
        """Write the request or the final message: what the claims are held against may be longer than a value."""
        return self._within(max(_LEAST_CHARS, self._limit * _TEXT_SHARE // self.share), value)

    def short(self, value: Any, times: int = 1) -> str:
        return self._within(max(_LEAST_CHARS, times * _SHORT // self.share), value)

    def name(self, value: object) -> str:
        return self._within(max(_LEAST_CHARS, _LONGEST_NAME // self.share), value)

    def most(self, count: int) -> int:
        """Return how many of ``count`` things there is room for, at least one."""
        return max(1, count // self.share)

    def _within(self, limit: int, value: Any) -> str:
        text, left_out = quote_value(value, limit)
        self.shortened += left_out > 0
        return text


def _frame(name: str, lines: Iterable[str]) -> str:
    return "\n".join((f"<{name}>", *lines, f"</{name}>"))


# --- the request and the claims ------------------------------------------------------------------------------------


def _request_lines(evidence: Evidence, values: _Values) -> list[str]:
    instruction = evidence.view.task.instruction
    lines = [f"instruction: {values.text(instruction)}"]
    lines += [f"requested action: {values.short(text)}" for text in _requested(instruction)[: values.most(_MOST_ASKED)]]
    asked = evidence.request
    for label, value in (
        ("e-mail", asked.email),
        ("time", asked.wall_time),
        ("minutes", asked.minutes),
        ("file", asked.path),
    ):
        if value is not None:
            lines.append(f"the only {label} named: {values.short(value)}")
    return lines


def _requested(instruction: str) -> list[str]:
    """Return the places of the request that ask for a change: a verb by which a tool would write, and what follows it."""
    words = instruction[:_LONGEST_REQUEST].split()
    found: list[str] = []
    free_from = 0
    for place, word in enumerate(words):
        verb = read_verb(word.strip(_PUNCTUATION).lower()) if place >= free_from else None
        if verb is not None and verb[0] == "write":
            free_from = place + _ASKED_WORDS
            found.append(" ".join(words[place:free_from]))
            if len(found) == _MOST_ASKED:
                break
    return found


def _claim_lines(evidence: Evidence, receipts: _Receipts, values: _Values) -> list[str]:
    final = evidence.view.final_claim
    at = f" [{final.step}]" if final.step is not None else ""
    lines = [f"final message{at}: {values.text(final.text)}"]
    n_calls = values.most(_MOST_CALLS)
    for number, (claim, calls) in enumerate(receipts, 1):
        source = "declared by the agent" if claim.source == "structured" else "found in its text"
        said = f", words {values.short(claim.quote)}" if claim.quote else ""
        subject = f", about {values.short(claim.subject, 2)}" if claim.subject else ""
        lines.append(f"claim {number}: {values.name(claim.type)} ({source}{_at(claim.step)}){subject}{said}")
        if not calls:
            lines.append("  calls that may have done it: none")
        lines += [f"  may have done it: {_receipt(pair, evidence, values)}" for pair in calls[-n_calls:]]
        if len(calls) > n_calls:
            lines.append(f"  and {len(calls) - n_calls} earlier calls")
    hidden = len(evidence.success_claims) - len(receipts)
    return [*lines, f"({hidden} more claims left out)"] if hidden else lines


def _at(step: int | None) -> str:
    return f" in [{step}]" if step is not None else ""


def _receipt(pair: CallPair, evidence: Evidence, values: _Values) -> str:
    call = f"[{pair.call.i}] {values.name(pair.call.name)}"
    if pair.result is None:
        return f"{call}, which never returned"
    receipt = evidence.receipt(pair)
    unsure = "; which result belongs to it is not certain" if pair.is_ambiguous else ""
    return f"{call}, result [{pair.result.i}]: {receipt.state}, because {values.short(receipt.reason)}{unsure}"


def _calls_for(claim: SuccessClaim, evidence: Evidence) -> list[CallPair]:
    """Return the calls that could have done what is claimed: the ones a pack's rule names, else those whose effect fits."""
    found = rule_for(evidence.packs, claim.type)
    if found is not None:
        named = [p for p in evidence.calls if p.call.name and glob_match(found[1].action, p.call.name)]
        if named:
            return named
    return [write.pair for write in candidates(evidence.writes, claim)]


# --- the steps -----------------------------------------------------------------------------------------------------


class _Steps:
    """The steps that fit, by relevance to the claims; the others become gaps that say how many steps are missing."""

    def __init__(self, evidence: Evidence, receipts: _Receipts, value_chars: int) -> None:
        self._evidence = evidence
        self._steps = evidence.view.steps
        self._said_before = {
            evidence.view.final_claim.text: "(the final message, shown with the claims)",
            evidence.view.task.instruction: "(the instruction, shown with the request)",
        }
        self._result_of = {pair.result.i: pair for pair in evidence.calls if pair.result is not None}
        self._cited = {step.i for _, calls in receipts for pair in calls for step in (pair.call, *pair.results)}
        self._value_chars = value_chars
        self.texts: dict[int, str] = {}
        self.shortened = 0

    def take(self, room: int) -> None:
        """Choose steps whose text fits in ``room`` bytes."""
        if not self._take_all(room):
            self._take_relevant(room)

    def lines(self) -> list[str]:
        lines: list[str] = []
        expected = 0
        for position in sorted(self.texts):
            lines += self._gap(expected, position)
            lines.append(self.texts[position])
            expected = position + 1
        return lines + self._gap(expected, len(self._steps))

    def _gap(self, start: int, end: int) -> list[str]:
        if start >= end:
            return []
        return [f"(steps {self._steps[start].i} to {self._steps[end - 1].i} left out: {end - start})"]

    def _take_all(self, left: int) -> bool:
        values = _Values(self._value_chars)
        for position, step in enumerate(self._steps):
            text = self._text(step, values)
            left -= _size(text)
            if left < 0:
                self.texts = {}
                return False
            self.texts[position] = text
        self.shortened = values.shortened
        return True

    def _take_relevant(self, left: int) -> None:
        order = sorted(range(len(self._steps)), key=lambda position: (self._rank(self._steps[position]), -position))
        widest = max((len(str(step.i)) for step in self._steps), default=0)
        gap = _GAP_BYTES + 2 * widest + len(str(len(self._steps)))
        left -= gap  # there may be one before each step, and one after the last
        for position in order:
            for limit in (self._value_chars, min(_SHORT, self._value_chars)):
                values = _Values(limit)
                text = self._text(self._steps[position], values)
                size = _size(text) + gap
                if size <= left:
                    left -= size
                    self.texts[position] = text
                    self.shortened += values.shortened
                    break
            if left < gap:
                break

    def _rank(self, step: Step) -> int:
        """Return how far a step is from the claims: 0 proves or disproves them, 3 is the rest."""
        if step.kind == "state_probe" or step.i in self._cited:
            return 0
        pair = self._result_of.get(step.i)
        if pair is not None and self._evidence.receipt(pair).state == "failed":
            return 1
        if step.kind == "message" and step.role in ("user", "agent"):
            return 1
        if pair is not None and self._evidence.effect(pair).kind != "read":
            return 2
        return 3

    def _text(self, step: Step, values: _Values) -> str:
        name = f" {values.name(step.name)}" if step.name is not None else ""
        lines = [f"[{step.i}] {_word(step.kind)} {_word(step.role)}{name}"]
        pair = self._result_of.get(step.i)
        if pair is not None and not pair.is_ambiguous:
            lines.append(f"  result of: [{pair.call.i}]")
        if step.args is not None:
            lines.append(f"  args: {values.write(step.args)}")
        elif step.raw_args is not None:
            lines.append(f"  args as written: {values.write(step.raw_args)}")
        if step.ok is not None:
            lines.append(f"  ok: {'true' if step.ok else 'false'}")
        if step.status is not None:
            lines.append(f"  status: {_word(step.status)}")
        if step.exit_code is not None:
            lines.append(f"  exit code: {int(step.exit_code)}")
        lines += self._output_lines(step, values)
        if step.error is not None:
            lines.append(f"  error: {values.write(step.error)}")
        if step.content is not None:
            lines.append(f"  content: {self._said_before.get(step.content) or values.write(step.content)}")
        return "\n".join(lines)

    @staticmethod
    def _output_lines(step: Step, values: _Values) -> list[str]:
        output = step.output
        if output is None:
            return []
        if not isinstance(output, dict) or not output or len(output) > _SHORT:
            return [f"  output: {values.write(output)}"]
        return [f"  output {values.name(key)}: {values.write(output[key])}" for key in sorted(output, key=str)]


def _word(text: object) -> str:
    """Kinds and roles are words of ours; a record built by hand might hold anything."""
    word = str(text)
    return word if word.isidentifier() and word.isascii() and len(word) < _LONGEST_NAME else "unknown"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace")) + 1
