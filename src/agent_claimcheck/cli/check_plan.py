"""What one ``check`` is to do, made of its flags and the settings before anything is read.

A reader must not miss: all that is wrong with the call is said here, so nothing is read, asked or written in vain.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import ImportNotes, ProblemNotes, note
from agent_claimcheck.cli.output_places import among_inputs, refuse_clashes, refuse_shared_stdout
from agent_claimcheck.cli.part_run import PartFlags
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.evidence.findings.catalog import finding_ids
from agent_claimcheck.importers.contract import ImportOptions
from agent_claimcheck.pipeline.build import CheckerSpec, spec_from_settings
from agent_claimcheck.pipeline.catalog import PAID_DETECTORS
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.sources import SourceOptions
from agent_claimcheck.results.baseline import Baseline
from agent_claimcheck.results.summary import FailPolicy, fail_on_words, validate_fail_on
from agent_claimcheck.results.suppress import Suppression, expired, load_suppressions
from agent_claimcheck.results.writers.catalog import output_at, parse_output
from agent_claimcheck.results.writers.contract import OutputSpec

PRINTED_FORMATS = {"table": "table", "json": "json", "jsonl": "jsonl-v1"}
"""What ``--format`` may name, and the writer that each stands for."""


class CheckPlan(Struct, frozen=True, kw_only=True):
    """What one ``check`` is to do: its inputs, how they are read and judged, where the results go and what fails."""

    inputs: tuple[str, ...]
    spec: CheckerSpec
    policy: FailPolicy
    outputs: tuple[OutputSpec, ...]
    is_table: bool
    probes: Path | None
    probes_from: Path | None
    reading: SourceOptions
    import_notes: ImportNotes
    problem_notes: ProblemNotes
    is_grouped: bool
    accept: frozenset[str]
    suppressions: tuple[Suppression, ...]
    in_parts: PartFlags
    baseline: Baseline | None


def plan_of(flags: dict[str, Any]) -> CheckPlan:
    """Return the plan that the flags and the settings make. Raises ``UsageError``, ``ConfigError`` and ``InputError``."""
    if flags["accept"] and flags["group"] is None:
        raise UsageError("--accept needs --group", hint="add --group task", slug="accept")
    refuse_shared(flags["inputs"], flags["probes"])
    settings = _settings(flags)
    fail_on = validate_fail_on(settings.check.fail_on, finding_ids())
    policy = FailPolicy(
        fail_on=fail_on, require_claims=settings.check.require_claims, min_checked=settings.check.min_checked
    )
    printed = OutputSpec(format=PRINTED_FORMATS[flags["format_"]], path=None)
    out = [output_at("jsonl-v1", flags["out"])] if flags["out"] else []
    outputs = (printed, *out, *(parse_output(text) for text in flags["outputs"]))
    read = (flags[name] for name in ("probes", "probes_from", "baseline", "config"))
    refuse_shared_stdout(outputs)
    refuse_clashes(outputs, (*flags["inputs"], *read, *flags["rules"]))
    for warning in among_inputs(outputs, flags["inputs"]):
        note(warning)
    spec = replace(
        spec_from_settings(settings, rules=list(flags["rules"])),
        judge=_judge_options(flags, settings),
        checks=_conduct_checks(flags["with_checks"]),
    )
    for line in spec.shadowed:
        note(f"note: {line}")
    _warn_without_key(settings, flags)
    return CheckPlan(
        inputs=tuple(flags["inputs"]),
        spec=spec,
        policy=policy,
        outputs=outputs,
        is_table=flags["format_"] == "table",
        probes=flags["probes"],
        probes_from=flags["probes_from"],
        reading=_reading(flags),
        import_notes=ImportNotes(is_full=flags["report"]),
        problem_notes=ProblemNotes(),
        is_grouped=flags["group"] is not None,
        accept=frozenset(flags["accept"]),
        suppressions=_suppressions(settings),
        in_parts=PartFlags.of(flags),
        baseline=Baseline.load([flags["baseline"]]) if flags["baseline"] else None,
    )


def _conduct_checks(names: str | None) -> tuple[str, ...]:
    """Return the checks that ``--with`` names. Raises ``UsageError`` for a name that is none."""
    if names is None:
        return ()
    from agent_claimcheck.pipeline.catalog import select_checks

    chosen = tuple(name.strip() for name in names.split(",") if name.strip())
    select_checks(chosen)
    return chosen


def _reading(flags: dict[str, Any]) -> SourceOptions:
    importing = ImportOptions(infer_status=flags["infer_status"], subagents=flags["subagents"])
    return SourceOptions(strict=flags["strict"], format_name=flags["from_"], importing=importing)


def _suppressions(settings: Settings) -> tuple[Suppression, ...]:
    if not settings.check.suppressions:
        return ()
    loaded = load_suppressions(Path(settings.check.suppressions), finding_ids())
    for line in expired(loaded, date.today()):
        note(f"warning: {line}")
    return loaded


def _settings(flags: dict[str, Any]) -> Settings:
    overrides: dict[str, Any] = {}
    if flags["fail_on"] is not None:
        overrides["check.fail_on"] = fail_on_words(flags["fail_on"])
    for flag, key in (
        ("detector", "check.detector"),
        ("calibration", "classifier.calibration"),
        ("require_claims", "check.require_claims"),
        ("min_checked", "check.min_checked"),
        *options.JUDGE_KEYS.items(),
    ):
        if flags[flag] is not None:
            overrides[key] = flags[flag]
    if flags["suppressions"] is not None:
        overrides["check.suppressions"] = str(flags["suppressions"])
    return load_settings(flags["config"], overrides, os.environ, Path.cwd())


def _judge_options(flags: dict[str, Any], settings: Settings) -> JudgeOptions:
    return JudgeOptions(
        settings=settings,
        samples=flags["samples"],
        use_cache=not flags["no_cache"],
        record=flags["record"],
        replay=flags["replay"],
        is_dry=flags["dry_run"],
    )


def _warn_without_key(settings: Settings, flags: dict[str, Any]) -> None:
    """Say that a judge was wanted and cannot be asked: a gate would else pass for want of a key."""
    if settings.check.detector not in PAID_DETECTORS or flags["dry_run"] or flags["replay"]:
        return
    judge = settings.judge
    if settings.api_key is None and not is_loopback_url(judge.base_url):
        note(f"warning: {judge.api_key_env} is not set, so the judge is asked nothing and only cached answers count")
