"""The case file of one trace: everything a detector or check may know, each part computed on first use.

A reader must not miss: ``Evidence`` is built from a ``TraceView``, so no label can be in it, and it holds no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.words import plain_words
from agent_claimcheck.evidence.asked.request import PlainValues, read_request
from agent_claimcheck.evidence.candidates import candidates
from agent_claimcheck.evidence.claims.contract import HEARD_CLAIM, SuccessClaim
from agent_claimcheck.evidence.claims.courtesies import Courtesies, asks_nothing
from agent_claimcheck.evidence.claims.finder import AgentMessage, Scope, closing_message
from agent_claimcheck.evidence.claims.reading import ClaimReading, agent_messages, read_claims
from agent_claimcheck.evidence.claims.undressing import undressed
from agent_claimcheck.evidence.coding.shell_runs import is_shell_run
from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.evidence.effects import OWN_LIST, Effect, asks_for_tasks, read_effect
from agent_claimcheck.evidence.findings.catalog import run_findings
from agent_claimcheck.evidence.receipts.reading import Receipt, read_receipt
from agent_claimcheck.evidence.values.decoded_outputs import decoded
from agent_claimcheck.evidence.values.leaves import Leaf, read_leaves
from agent_claimcheck.evidence.values.moments import ZoneContext
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.writes import SortedWrites, Write, read_writes
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.packs.select import applicable_packs, first_names
from agent_claimcheck.trace.model import Step, ToolDef
from agent_claimcheck.trace.pairing import CallPair, Pairing, pair
from agent_claimcheck.trace.view import TraceView

T = TypeVar("T")

_LONGEST_REQUEST = 20_000
_MOST_COMPARISONS = 60_000
"""Pairs of claim and call read in one trace: some seconds of work, far above any real run."""
_LAST_WORDS = 8
"""Messages among which that of a shell run's report and what is said after it stand."""
NON_SUCCESS_TYPES = frozenset({"failed", "blocked", "gave_up", "needs_input", "partial"})


class CaseSettings(Struct, frozen=True, kw_only=True):
    """What the case file needs to know besides the trace: the packs and which claim types are no success claims."""

    packs: tuple[RulePack, ...] = ()
    non_success_types: frozenset[str] = NON_SUCCESS_TYPES
    scope: Scope = "all"


class _SortedSteps:
    """The steps of a trace by kind, sorted out in one pass."""

    __slots__ = ("call_names", "has_handoff", "positions", "probes", "user_texts")

    def __init__(self, steps: Sequence[Step]) -> None:
        self.call_names: list[str] = []
        self.user_texts: list[str] = []
        self.probes: list[Step] = []
        self.has_handoff = False
        self.positions: dict[int, int] = {}
        has_begun = False
        for position, step in enumerate(steps):
            kind = step.kind
            self.positions[step.i] = position
            if kind == "tool_call":
                has_begun = True
                if step.name:
                    self.call_names.append(step.name)
            elif kind == "message":
                if step.role == "user" and step.content:
                    # What the user writes before anything was answered is one request.
                    before = f"{self.user_texts.pop()}\n" if self.user_texts and not has_begun else ""
                    self.user_texts.append(before + step.content)
                has_begun = has_begun or step.role == "agent"
            elif kind == "state_probe":
                self.probes.append(step)
            elif kind == "handoff":
                self.has_handoff = True


class Evidence:
    """The case file built from one ``TraceView``. Every part is computed once, when first asked for."""

    def __init__(self, view: TraceView, settings: CaseSettings | None = None) -> None:
        self.settings = settings or CaseSettings()
        self.view = decoded(view, first_names(self.settings.packs))
        self._receipts: dict[int, Receipt] = {}
        self._effects: dict[int, Effect] = {}
        self._argument_ids: dict[int, dict[str, str]] = {}
        self._output_ids: dict[int, dict[str, str]] = {}
        self._output_texts: dict[int, str] = {}
        self._candidates: dict[int, list[Write]] = {}
        self.courtesies = Courtesies()
        self._shared: dict[str, Any] = {}

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        """Return what ``compute`` gives, computed once per trace: work that several detectors need from a higher room."""
        if name not in self._shared:
            self._shared[name] = compute()
        value: T = self._shared[name]
        return value

    @computed
    def pairing(self) -> Pairing:
        """Tool calls with their results."""
        return pair(self.view.steps)

    @computed
    def calls(self) -> Sequence[CallPair]:
        """The tool calls in order, each with its result or ``None``."""
        return self.pairing.calls

    @computed
    def outputs(self) -> list[Any]:
        """What the tools returned, call by call."""
        return [pair.result.output for pair in self.calls if pair.result is not None]

    @computed
    def output_leaves(self) -> list[Leaf] | None:
        """The texts and numbers in ``outputs``; ``None`` when there are too many for one quick walk."""
        return read_leaves(self.outputs)

    @computed
    def tool_names(self) -> frozenset[str]:
        """The names of all called tools."""
        return frozenset(self._sorted.call_names)

    @computed
    def packs(self) -> Sequence[RulePack]:
        """The rule packs that apply to this trace, in order of precedence."""
        return applicable_packs(self.settings.packs, self.tool_names, self.view.task.domain)

    @computed
    def reading(self) -> ClaimReading:
        """What the agent claims, and whether its text could be read."""
        return read_claims(self)

    @property
    def claims(self) -> tuple[SuccessClaim, ...]:
        """Every claim, success or not."""
        return self.reading.claims

    @computed
    def messages(self) -> list[AgentMessage]:
        """What the agent said, the final text last."""
        return agent_messages(self.view)

    @computed
    def spoken(self) -> list[AgentMessage]:
        """``messages`` without their sentences of mere courtesy; every other word keeps its place.

        At a shell, where the closing message alone is heard, only the last ones are looked through.
        """
        if self.settings.scope == "final":
            return self.messages
        start = max(0, len(self.messages) - _LAST_WORDS) if self.is_shell_run else 0
        return [*self.messages[:start], *[self._plainly(said) for said in self.messages[start:]]]

    @computed
    def closing(self) -> AgentMessage | None:
        """The message the run closes with: the last one that is no mere courtesy ("You're welcome!"); ``None`` without any.

        With the claim scope ``final`` it is the last one, whatever it says.
        """
        return closing_message(self.messages, self.courtesies, self.settings.scope)

    @computed
    def closing_text(self) -> str:
        """The words the run closes with: those of the final claim, or of ``closing`` where they are missing or a mere courtesy."""
        text = undressed(self.view.final_claim.text or "")
        closing = self.closing
        if closing is None or closing.text == text or (text and self.settings.scope == "final"):
            return text
        return text if text and not self.courtesies.are_all_of(text) else closing.text

    @computed
    def closing_plain(self) -> str:
        """The text of ``closing`` without its sentences of mere courtesy, which own up to nothing and promise nothing."""
        return self.courtesies.taken_from(self.closing.text) if self.closing is not None else ""

    @computed
    def is_shell_run(self) -> bool:
        """True when the agent worked in a shell or an editor rather than through an API."""
        return is_shell_run(self._sorted.call_names)

    @computed
    def writes(self) -> list[Write]:
        """The calls that changed something or may have."""
        return read_writes(self)

    @computed
    def sorted_writes(self) -> SortedWrites:
        """The same by what is known of them: those that worked, failed, or were only accepted."""
        return SortedWrites(self.writes)

    def candidates(self, index: int) -> list[Write]:
        """Return the writes that could have done what claim ``index`` says."""
        known = self._candidates.get(index)
        if known is None:
            known = self._candidates[index] = candidates(self.writes, self.claims[index])
        return known

    @computed
    def is_closed_world(self) -> bool:
        """True when the record shows every call: there are some, all are named, and no other agent or tools took part."""
        unnamed = [call for call in self.calls if not call.call.name]
        if not self.calls or unnamed or self.pairing.orphans:
            return False
        if self.view.agents and len(self.view.agents) > 1:
            return False
        return not self._sorted.has_handoff

    @computed
    def findings(self) -> tuple[Finding, ...]:
        """What all findings say about this trace, in catalog order."""
        return run_findings(self)

    @computed
    def success_claims(self) -> tuple[tuple[int, SuccessClaim], ...]:
        """The success claims with their index in ``claims``."""
        return tuple((index, claim) for index, claim in enumerate(self.claims) if claim.is_success)

    @computed
    def last_claim(self) -> tuple[int, SuccessClaim]:
        """The last success claim that was well heard, which findings on the whole run are held against; else the last one.

        There must be a success claim.
        """
        heard = (pair for pair in reversed(self.success_claims) if pair[1].confidence >= HEARD_CLAIM)
        return next(heard, self.success_claims[-1])

    @computed
    def compared_claims(self) -> tuple[tuple[int, SuccessClaim], ...]:
        """The success claims that are held against every call: the first ones, where thousands of both are too many."""
        return self.success_claims[: max(1, _MOST_COMPARISONS // (len(self.calls) + len(self._sorted.probes) + 1))]

    @computed
    def probes(self) -> tuple[Step, ...]:
        """The state probes in order."""
        return tuple(self._sorted.probes)

    @computed
    def positions(self) -> dict[int, int]:
        """Step ``i`` to its position in the list of steps."""
        return self._sorted.positions

    @computed
    def user_texts(self) -> tuple[str, ...]:
        """What the user said, message by message, without greetings, thanks and a mere "yes" beside it."""
        return tuple([text for text in self._sorted.user_texts if not asks_nothing(text)])

    @computed
    def user_words(self) -> str:
        """``user_texts`` as one text; the instruction where the user said nothing."""
        return "\n".join(self.user_texts) or self.view.task.instruction

    @computed
    def asked(self) -> tuple[str, ...]:
        """The request and what the user said after it, text by text."""
        return (self.view.task.instruction, *self.user_texts)

    @computed
    def request_text(self) -> str:
        """The same as one text, each part once, at most 20,000 characters of it."""
        return "\n".join(dict.fromkeys(self.asked))[:_LONGEST_REQUEST]

    @computed
    def request_low(self) -> str:
        """``request_text``, case-folded."""
        return self.request_text.casefold()

    @computed
    def request_words(self) -> frozenset[str]:
        """The words of ``request_low``: what shows at once that a phrase cannot stand in it."""
        return frozenset(plain_words(self.request_low))

    @computed
    def instruction_low(self) -> str:
        """The instruction, case-folded."""
        return self.view.task.instruction.casefold()

    @computed
    def said_low(self) -> str:
        """All that the user asked and the agent closed with, case-folded."""
        return "\n".join((self.instruction_low, *(text.casefold() for text in self.user_texts), self.closing_low))

    @computed
    def closing_low(self) -> str:
        """``closing_plain``, case-folded; empty when the agent said nothing."""
        return self.closing_plain.casefold()

    @computed
    def request(self) -> PlainValues:
        """What the user asked for, where the request leaves no choice."""
        return read_request(self.view.task.instruction, self.user_texts)

    @computed
    def told(self) -> PlainValues:
        """What the closing text tells the user, where it leaves no choice."""
        return PlainValues(self.courtesies.taken_from(self.closing_text))

    @computed
    def zones(self) -> ZoneContext:
        """The time zones this trace names."""
        return ZoneContext.of(self.view.task.instruction)

    @computed
    def _sorted(self) -> _SortedSteps:
        return _SortedSteps(self.view.steps)

    @computed
    def _tools(self) -> dict[str | None, ToolDef]:
        # Of two definitions of one name the first counts.
        return {tool.name: tool for tool in reversed(self.view.tools or ())}

    def _plainly(self, said: AgentMessage) -> AgentMessage:
        text = self.courtesies.taken_from(said.text)
        if text is said.text:
            return said
        if "<" in text and self.courtesies.are_all_of(said.text):
            text = " " * len(text)  # thoughts beside mere thanks
        return AgentMessage(step=said.step, text=text)

    def argument_ids(self, step: Step) -> dict[str, str]:
        """Return the id-like arguments of a call or probe by name. Not to be changed."""
        known = self._argument_ids.get(step.i)
        if known is None:
            known = self._argument_ids[step.i] = record_ids(step.args)
        return known

    def output_ids(self, step: Step) -> dict[str, str]:
        """Return the id-like fields of the output of a result or probe by name. Not to be changed."""
        known = self._output_ids.get(step.i)
        if known is None:
            known = self._output_ids[step.i] = record_ids(step.output)
        return known

    def output_text(self, result: Step) -> str:
        """Return the output of a result or probe as text: a string as it is, anything else as canonical JSON."""
        known = self._output_texts.get(result.i)
        if known is None:
            known = self._output_texts[result.i] = text_of(result.output)
        return known

    def receipt(self, call: CallPair) -> Receipt:
        """Return how the result of ``call`` reads: ok, failed, pending, empty or unknown."""
        known = self._receipts.get(call.call.i)
        if known is None:
            known = self._receipts[call.call.i] = read_receipt(call.call, call.result)
        return known

    def effect(self, call: CallPair) -> Effect:
        """Return what ``call`` was meant to change: read, write or unknown, and on which record."""
        known = self._effects.get(call.call.i)
        if known is None:
            tool = self._tools.get(call.call.name)
            known = read_effect(call.call, call.result, tool)
            if known.reason == OWN_LIST and asks_for_tasks(self.request_low):
                known = read_effect(call.call, call.result, tool, may_list_own=False)
            if known.kind != "read" and self._is_said_to_read(call.call.name):
                known = replace(known, kind="read", verb_class=None, reason="a rule pack says that it only reads")
            self._effects[call.call.i] = known
        return known

    def _is_said_to_read(self, name: str | None) -> bool:
        if name is not None:
            for pack in self.packs:
                for glob in pack.reads:
                    if glob_match(glob, name):
                        return True
        return False
