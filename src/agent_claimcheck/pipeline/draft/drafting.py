"""``draft_pack``: from tool definitions and traces to a proposed rule pack and a skeleton of a probes file.

A reader must not miss the last step: the draft is tried on the traces it came from, and whatever part of it accuses a run
that is labelled a success is taken out, until nothing does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.pipeline.doctor.model import counted
from agent_claimcheck.pipeline.draft.closings import closing_patterns
from agent_claimcheck.pipeline.draft.definitions import DefinedTool
from agent_claimcheck.pipeline.draft.episodes import Episode, read_episodes
from agent_claimcheck.pipeline.draft.fields import fields_of, is_id
from agent_claimcheck.pipeline.draft.from_tools import NO_PATTERN, rules_from_tools
from agent_claimcheck.pipeline.draft.guard import without_accusations
from agent_claimcheck.pipeline.draft.learning import (
    Observation,
    learn_probe,
    learn_read_back,
    learn_receipt,
    observe,
)
from agent_claimcheck.pipeline.draft.linking import Link, link_claims
from agent_claimcheck.pipeline.draft.lookups import find_lookups
from agent_claimcheck.pipeline.draft.model import Draft, DraftCheck, DraftRule
from agent_claimcheck.pipeline.draft.observed import tools_in_use
from agent_claimcheck.pipeline.draft.phrases import learned_patterns
from agent_claimcheck.pipeline.draft.probes_file import render_probes
from agent_claimcheck.pipeline.draft.rendering import render_pack
from agent_claimcheck.pipeline.draft.wording import nouns_of, parts_of_type, patterns_of, telling_nouns
from agent_claimcheck.trace.model import Trace


class DraftedFiles(Struct, frozen=True, kw_only=True):
    """What a draft came to: the two files' texts, the draft itself, and remarks for whoever asked for it."""

    draft: Draft
    pack: str
    probes: str
    remarks: tuple[str, ...] = ()


def draft_pack(
    tools: Sequence[DefinedTool], traces: Iterable[Trace], *, name: str = "drafted", sources: Sequence[str] = ()
) -> DraftedFiles:
    """Propose a pack from ``tools`` and ``traces``; ``sources`` names where they came from.

    Raises ``InputError`` when neither holds a tool.
    """
    episodes = read_episodes(traces)
    known = {tool.name: tool for tool in tools}
    for tool in tools_in_use(episodes):
        known.setdefault(tool.name, tool)
    if not known:
        raise InputError("no tool is defined or called in what was given", hint="give tool definitions or traces")
    rules = [_learned(link, episodes, known) for link in link_claims(episodes)]
    more, skipped = rules_from_tools(list(known.values()), {rule.action for rule in rules})
    taken = {rule.claim_type for rule in rules}
    rules += [
        _as_told(_with_read_back(rule, episodes), known, episodes) for rule in more if rule.claim_type not in taken
    ]
    reads = find_lookups(episodes, {rule.action for rule in rules}) if rules else []
    read_names = {tool for tool, _ in reads}
    draft = Draft(
        name=name,
        tools=_globs(sorted(known)),
        reads=tuple((_plain_glob(tool), remark) for tool, remark in reads),
        rules=tuple(rules),
        sources=tuple(sources) or (f"{len(known)} tools", f"{len(episodes)} traces"),
        skipped=tuple(text for text in skipped if text.rpartition(":")[0] not in read_names),
    )
    draft, remarks = without_accusations(draft, episodes)
    return DraftedFiles(draft=draft, pack=render_pack(draft), probes=render_probes(draft), remarks=tuple(remarks))


def _learned(link: Link, episodes: Sequence[Episode], known: dict[str, DefinedTool]) -> DraftRule:
    """Return the rule of a declared claim type, with the checks that held."""
    observations = observe(episodes, link.claim_type, link.tool)
    receipt, id_path = learn_receipt(observations)
    remarks = [f"{link.tool} worked in {link.support} of {link.of} runs that claim this"]
    probe, probe_checks, said = _probe_of(observations, episodes, link.tool)
    if probe is None:
        probe = f"read_{link.claim_type.split('_')[0]}"
        probe_checks = [_placeholder(id_path)]
        said = f"nothing in the traces reads this back: write a probe of your own named {probe}"
    verb_class, own = parts_of_type(link.claim_type)
    nouns = own or telling_nouns(known[link.tool], known.values())
    patterns = patterns_of(verb_class, nouns) if verb_class and nouns else ()
    owners = [name.rsplit(".", 1)[-1].lower() for name in _id_owners(observations)]
    patterns += learned_patterns(link.claim_type, (*nouns, *nouns_of(link.tool), *owners), episodes)
    return DraftRule(
        claim_type=link.claim_type,
        action=link.tool,
        receipt=tuple(receipt),
        probe=probe,
        probe_checks=tuple(probe_checks),
        patterns=tuple(dict.fromkeys(patterns)),
        remarks=(*remarks, said),
        record_from=_record_from(observations, id_path, probe),
    )


def _asked_with(rule: DraftRule) -> str:
    """Return the argument of the writing call by which its reader asks: ``get_bill(bill_id)`` for ``refund(bill_id)``.

    The id that such a call makes names something else, the refund.
    """
    return rule.record_from if rule.record_from.startswith("call.args.") else ""


def _read_by(observations: Sequence[Observation], probe: str | None) -> str:
    """Return where the id stands by which the runs' own state probes read the record back; ``""`` without such."""
    return "" if probe is None else _record_from(observations, "", probe)


def _record_from(observations: Sequence[Observation], id_path: str, probe: str | None = None) -> str:
    """Return where the id of the record that is read back stands in the call that wrote it."""
    for one in observations:
        for step in one.episode.probes(probe or "")[-1:]:
            read = set(record_ids(step.output).values()) | set(record_ids(step.args).values())
            for place, value in (
                ("output", one.pair.result.output if one.pair.result else None),
                ("args", one.pair.call.args),
            ):
                for path, item in fields_of(value).items():
                    if is_id(path) and isinstance(item, str | int) and str(item).strip().casefold() in read:
                        return f"call.{place}.{path}"
    return f"call.output.{id_path}" if id_path else ""


def _id_owners(observations: Sequence[Observation]) -> list[str]:
    """Return what the ids among a tool's arguments belong to: ``deal_id`` gives ``deal``."""
    names = {name for one in observations[:20] for name in one.pair.call.args or {}}
    return sorted(
        name[:-3] for name in names if name.lower().endswith("_id") and name[:-3].isalpha() and name != "record_id"
    )


def _probe_of(
    observations: Sequence[Observation], episodes: Sequence[Episode], action: str
) -> tuple[str | None, list[DraftCheck], str]:
    """Return the probe that shows what ``action`` wrote, its checks and the reason for choosing it."""
    best: tuple[tuple[int, int, int], str, list[DraftCheck], int] | None = None
    names = sorted({probe.name for episode in episodes for probe in episode.evidence.probes if probe.name})
    for name in names:
        checks, linked = learn_probe(observations, name)
        speaking = sum(str(check.expected).startswith("{") for check in checks)
        rank = (min(linked, 1), speaking, len(checks))
        if checks and (best is None or rank > best[0]):
            best = (rank, name, checks, linked)
    if best is not None:
        _, name, checks, linked = best
        said = (
            f"{name} read the same record in {counted(linked, 'run')}"
            if linked
            else f"{name} agreed, but names no record"
        )
        return name, checks, said
    reads = {
        pair.call.name
        for episode in episodes
        for pair in episode.evidence.calls
        if pair.call.name and pair.call.name != action and episode.evidence.effect(pair).kind == "read"
    }
    for name in sorted(reads):
        checks, linked = learn_read_back(observations, name)
        if checks and linked:
            said = f"the agent read it back with {name} in {counted(linked, 'run')}: let a probe of that name do it after the run"
            return name, checks, said
    return None, [], ""


def _with_read_back(rule: DraftRule, episodes: Sequence[Episode]) -> DraftRule:
    """Put what runs show into a rule made from a definition: the id that came back, the read that showed it."""
    observations = observe(episodes, rule.claim_type, rule.action)
    if not observations:
        return rule
    receipt, id_path = learn_receipt(observations)
    probe, checks, said = _probe_of(observations, episodes, rule.action)
    changed = replace(
        rule,
        receipt=tuple(receipt) or rule.receipt,
        record_from=_read_by(observations, probe)
        or _asked_with(rule)
        or _record_from(observations, id_path)
        or rule.record_from,
    )
    if receipt:
        kept = tuple(
            remark for remark in rule.remarks if "does not describe" not in remark and "exists: true" not in remark
        )
        changed = replace(changed, remarks=kept)
    if probe is None:
        return changed
    kept = tuple(
        remark for remark in changed.remarks if "would show it" not in remark and "no tool reads" not in remark
    )
    return replace(changed, probe=probe, probe_checks=tuple(checks), remarks=(*kept, said))


def _as_told(rule: DraftRule, known: dict[str, DefinedTool], episodes: Sequence[Episode]) -> DraftRule:
    """Put the wordings into a rule by which the runs' closing messages tell its work."""
    learned = closing_patterns(known[rule.action], known.values(), episodes)
    if not learned:
        return rule
    kept = (remark for remark in rule.remarks if remark != NO_PATTERN)
    return replace(
        rule,
        patterns=tuple(dict.fromkeys((*rule.patterns, *learned))),
        remarks=(*kept, "claim patterns made of closing messages of runs in which it worked"),
    )


def _placeholder(id_path: str) -> DraftCheck:
    return DraftCheck(path=id_path or "id", op="exists", expected=True, remark="replace by what the reading must show")


def _plain_glob(name: str) -> str:
    """Return the glob that fits exactly this name."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _globs(names: Sequence[str]) -> tuple[str, ...]:
    """Return globs for the tools: ``calendar.*`` for names with a prefix, the bare names of the others."""
    globs: dict[str, None] = {}
    for name in names:
        for mark in (".", "__", "/", ":"):
            head, found, _ = name.rpartition(mark)
            if found and head and not set(head) & set("*?["):
                globs[f"{head}{mark}*"] = None
                break
        else:
            globs[_plain_glob(name)] = None
    wide = [glob for glob in globs if glob.endswith("*")]
    return tuple(glob for glob in globs if not any(glob != other and glob.startswith(other[:-1]) for other in wide))
