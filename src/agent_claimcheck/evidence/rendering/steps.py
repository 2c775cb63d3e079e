"""The steps of a trace as text: all of them where there is room, else those that the claims rest on.

A reader must not miss: what is left out is said in its place, so that a gap is no silence.
"""

from __future__ import annotations

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.rendering.front import Receipts
from agent_claimcheck.evidence.rendering.quoting import LONGEST_NAME, SHORT, Values, size_of
from agent_claimcheck.trace.model import Step

_GAP_BYTES = len("(steps  to  left out: )\n")
"""Of a gap without its three numbers."""


class ShownSteps:
    """The steps that fit, by relevance to the claims; the others become gaps that say how many steps are missing."""

    def __init__(self, evidence: Evidence, receipts: Receipts, value_chars: int) -> None:
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
        """Return the chosen steps in order, with a line for every gap between them."""
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
        values = Values(self._value_chars)
        for position, step in enumerate(self._steps):
            text = self._text(step, values)
            left -= size_of(text)
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
            for limit in (self._value_chars, min(SHORT, self._value_chars)):
                values = Values(limit)
                text = self._text(self._steps[position], values)
                size = size_of(text) + gap
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

    def _text(self, step: Step, values: Values) -> str:
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
    def _output_lines(step: Step, values: Values) -> list[str]:
        output = step.output
        if output is None:
            return []
        if not isinstance(output, dict) or not output or len(output) > SHORT:
            return [f"  output: {values.write(output)}"]
        return [f"  output {values.name(key)}: {values.write(output[key])}" for key in sorted(output, key=str)]


def _word(text: object) -> str:
    """Kinds and roles are words of ours; a record built by hand might hold anything."""
    word = str(text)
    return word if word.isidentifier() and word.isascii() and len(word) < LONGEST_NAME else "unknown"
