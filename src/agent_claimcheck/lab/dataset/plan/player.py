"""Playing one case: the agent's steps, the mistakes its kind calls for, padding, the final message and the probes.

A reader must not miss: padding is drawn the same way for honest and dishonest runs and fills up to a drawn number of
writes and reads, so that neither length nor any count of steps tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agent_claimcheck.lab.dataset.names import Pools, divide, load_words
from agent_claimcheck.lab.dataset.plan.booking import Booking
from agent_claimcheck.lab.dataset.plan.cells import Case
from agent_claimcheck.lab.dataset.plan.coding import Coding
from agent_claimcheck.lab.dataset.plan.crm import Crm
from agent_claimcheck.lab.dataset.plan.desk import TRANSIENT_ERRORS, Call, Desk
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply, Transcript
from agent_claimcheck.trace.model import FinalClaim, GroundTruth, Task, Trace

GENERATOR = "agent-claimcheck-bench/1"
SOURCE = GENERATOR

DESKS: dict[str, type[Desk]] = {"booking": Booking, "crm": Crm, "coding": Coding}

# Weights and shares that differ between genuine (true) and failing runs make up for what the kinds bring with them: a
# phantom action lacks the writes it tells of, a recovered run always has a retry. The audit measures what they add up to.

# How often a write is answered with "accepted" and happens later.
_ASYNC_SHARE = {True: 0.3, False: 0.4}
# Writes beyond the ones asked for, and how often one of them is refused, which nobody minds.
_EXTRA_WRITES = {True: {0: 7, 1: 3, 2: 1}, False: {0: 3, 1: 4, 2: 2}}
_PHANTOM_WRITES = {0: 2, 1: 3, 2: 2}
_REFUSED_EXTRAS = {True: 0.3, False: 0.03}
_EXTRA_READS = {True: {0: 1, 1: 3, 2: 3, 3: 2}, False: {0: 2, 1: 3, 2: 3, 3: 1}}
_SAYINGS = {True: {0: 1, 1: 3, 2: 3, 3: 2}, False: {0: 1, 1: 3, 2: 3, 3: 3}}
# A read that fails once and is repeated.
_STUMBLES = {True: 0.12, False: 0.4}


def play(case: Case, pools: Pools, *, seed: int, trace_id: str, place: int) -> Trace:
    """Return the run of ``case``. Raises ``AssertionError`` when the state at the end is not what its kind promises."""
    return _Run(case, pools, Stream(seed, "run", trace_id), place).play(trace_id)


class _Run:
    def __init__(self, case: Case, pools: Pools, stream: Stream, place: int) -> None:
        self.case = case
        self.stream = stream
        self.words = load_words("documented")
        self.desk = DESKS[case.domain](stream.sub("desk"), pools)
        self.log = Transcript(place)
        self.n_writes = 0
        self.culprit = self._choose_culprit()

    def play(self, trace_id: str) -> Trace:
        case, desk = self.case, self.desk
        if case.kind == "wrong_target":
            desk.mistake_target()
        elif case.kind == "wrong_value":
            desk.mistake_value()
        instruction = self._template("instructions").format(**desk.words())
        self.log.say(instruction, role="user")
        note = self.stream.choose(self.words["reviewer_notes"]) if case.has_note else ""
        is_note_in_text = self.stream.chance(0.5)
        self._act_out(note if not is_note_in_text else "")
        text = self._template("hedged" if case.is_hedged else "plain").format(**desk.words(repeats=case.repeats))
        if note and is_note_in_text:
            text = f"{text} {note}"
        self.log.say(text)
        desk.settle()
        if case.has_probe:
            for name, args, reply in desk.probes():
                self.log.probe(name, args, reply)
        if desk.goal() != case.is_genuine:
            raise AssertionError(f"{trace_id}: a run of kind {case.kind} ended in the wrong state")
        return Trace(
            trace_id=trace_id,
            source=SOURCE,
            task=Task(id=f"{trace_id}-task", domain=case.domain, instruction=instruction),
            steps=self.log.steps,
            final_claim=FinalClaim(text=text, claims=desk.claims(repeats=case.repeats) if case.is_structured else []),
            ground_truth=GroundTruth(
                outcome="success" if desk.goal() else "failure",
                checked_by="state_probe",
                details={
                    "injection": case.injection,
                    "variant": case.variant,
                    "evidence": "state_probe" if case.has_probe else "receipt_only",
                },
            ),
            meta={"generator": GENERATOR, "split": case.split},
        )

    def _template(self, which: str) -> str:
        template: str = self.stream.choose(divide(self.words[self.case.domain][which], self.case.split))
        return template

    def _choose_culprit(self) -> str:
        """Choose the act that goes wrong, if one does."""
        acts = self.desk.acts
        if self.case.kind == "partial_completion" and self.case.domain == "booking":
            return acts[1]
        if self.case.kind == "not_persisted" and self.case.domain == "coding":
            return self.stream.choose((acts[0], acts[2]))
        return self.stream.choose(acts)

    def _act_out(self, note: str) -> None:
        case = self.case
        blocks = self._core_blocks(note)
        n_core_writes = self._count_core_writes()
        n_pads = len(self.desk.acts) + self.stream.weighted(_EXTRA_WRITES[case.is_genuine]) - n_core_writes
        pads: list[Callable[[], None]] = []
        if case.kind != "phantom_action":
            pads += [self._keep_house] * max(0, n_pads)
            pads += [self._reread] * self.stream.weighted(_EXTRA_READS[case.is_genuine])
        else:
            pads += [self._keep_house] * self.stream.weighted(_PHANTOM_WRITES)
            pads += [self._reread] * self.stream.between(2, 5)
        pads += [self._say_something] * self.stream.weighted(_SAYINGS[case.is_genuine])
        if self.stream.chance(_STUMBLES[case.is_genuine]):
            pads.append(self._stumble)
        # The opening read stays first; everything else may stand between, before or after the acts.
        for pad in self.stream.shuffled(pads):
            blocks.insert(self.stream.between(1, len(blocks)), pad)
        for block in blocks:
            block()

    def _core_blocks(self, note: str) -> list[Callable[[], None]]:
        case = self.case
        blocks: list[Callable[[], None]] = [lambda: self._open(note)]
        if case.kind == "noisy":
            blocks.append(self._read_with_warning)
        if case.kind == "phantom_action":
            return blocks
        for name in self.desk.acts:
            if not (case.kind == "partial_completion" and name == self.culprit):
                blocks.append(partial(self._carry_out, name))
        return blocks

    def _count_core_writes(self) -> int:
        n = len(self.desk.acts)
        return n + (self.case.kind == "recovered") - (self.case.kind == "partial_completion")

    def _open(self, note: str) -> None:
        for tool, args in self.desk.openings():
            self._read(tool, args, {"remark": note} if note else {})

    def _read(self, tool: str, args: dict[str, Any], extra: dict[str, str]) -> None:
        reply = self.desk.apply(tool, args)
        self.log.use(tool, args, Reply(reply.ok, {**reply.output, **extra}) if extra else reply)

    def _read_with_warning(self) -> None:
        tool, args = self.stream.choose(self.desk.rereads())
        self._read(tool, args, {"warning": self.stream.choose(self.words["warnings"])})

    def _reread(self) -> None:
        self._read(*self.stream.choose(self.desk.rereads()), {})

    def _keep_house(self) -> None:
        tool, args = self.desk.housekeeping()
        if self.stream.chance(_REFUSED_EXTRAS[self.case.is_genuine]):
            self.log.use(tool, args, Reply(False, None, self.stream.choose(TRANSIENT_ERRORS)))
        else:
            self.log.use(tool, args, self.desk.apply(tool, args))

    def _say_something(self) -> None:
        self.log.say(self.stream.choose(self.words["between"]))

    def _stumble(self) -> None:
        tool, args = self.stream.choose(self.desk.rereads())
        self.log.use(tool, args, Reply(False, None, self.stream.choose(TRANSIENT_ERRORS)))
        self._read(tool, args, {})

    def _carry_out(self, name: str) -> None:
        call = self.desk.act(name)
        if call is None:
            return
        is_culprit = name == self.culprit
        if is_culprit and self.case.kind in ("error_ignored", "recovered"):
            self.log.use(*call, self.desk.fail(*call, for_good=self.case.kind == "error_ignored"))
            if self.case.kind == "error_ignored":
                return
            if self.stream.chance(0.5):
                self._say_something()
            self._write(self.desk.act(name) or call)
        elif is_culprit and self.case.kind == "not_persisted":
            reply = self.desk.accept(*call, is_kept=False)
            self.log.use(*call, reply or self.desk.apply(*call))
        else:
            self._write(call)

    def _write(self, call: Call) -> None:
        reply = (
            self.desk.accept(*call, is_kept=True) if self.stream.chance(_ASYNC_SHARE[self.case.is_genuine]) else None
        )
        if reply is None:
            reply = self.desk.apply(*call)
        self.log.use(*call, reply)
