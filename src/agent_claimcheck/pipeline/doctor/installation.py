"""Looks at the installation: Python, optional libraries, packaged data, cache directory, settings.

A reader must not miss: optional libraries are looked for, not imported, so this stays quick.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_claimcheck import __version__
from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.core.install import install_hint
from agent_claimcheck.core.resources import aliases_by_kind, data_path
from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.detectors.classifier.artifact import Classifier, kind_in_words, load_classifier
from agent_claimcheck.packs.load import load_builtin_packs, load_rule_pack
from agent_claimcheck.pipeline.doctor.model import Line, Section
from agent_claimcheck.scoring.artifact import Calibration, load_calibration

_OLDEST = (3, 11)
_NEEDED = ("click", "httpx", "msgspec", "numpy", "re2", "rich", "starlette", "uvicorn", "yaml")
_EXTRAS = {
    "zstd": ("zstandard", "reading .zst files"),
    "train": ("sklearn", "training classifiers"),
    "ray": ("ray", "running on a Ray cluster"),
    "parquet": ("pyarrow", "reading Parquet files"),
}
_SCHEMAS = ("agent-trace-v1", "agent-trace-v2", "claimcheck-result-v1", "claimcheck-result-v2", "probe-v1", "rule-pack")


def examine_installation(config: Path | None, environ: Mapping[str, str], folder: Path) -> Section:
    """Return what is there, what is missing and what is wrong; ``folder`` is the working directory."""
    lines = [*_python(), *_extras(), *_data(), *_settings(config, environ, folder)]
    return Section(title="Installation", lines=tuple(lines))


def _python() -> Iterator[Line]:
    found = f"agent-claimcheck {__version__} on Python {platform.python_version()} ({sys.platform})"
    if sys.version_info < _OLDEST:
        yield Line(weight="wrong", text=found, advice="Python 3.11 or later is needed")
    else:
        yield Line(weight="good", text=found)
    absent = [name for name in _NEEDED if not _is_there(name)]
    if absent:
        yield Line(weight="wrong", text=f"libraries missing: {', '.join(absent)}", advice="install the package again")


def _extras() -> Iterator[Line]:
    for extra, (module, purpose) in _EXTRAS.items():
        if _is_there(module):
            yield Line(weight="good", text=f"extra {extra}: {purpose}")
        else:
            yield Line(weight="info", text=f"extra {extra} is not installed: {purpose}", advice=install_hint(extra))


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _data() -> Iterator[Line]:
    absent = [name for name in _SCHEMAS if not data_path(f"schemas/{name}.json").is_file()]
    if absent:
        yield Line(weight="wrong", text=f"packaged schemas missing: {', '.join(absent)}", advice="install it again")
    try:
        packs = load_builtin_packs()
    except (ClaimcheckError, OSError) as error:
        yield Line(weight="wrong", text=f"the built-in packs do not load: {error}", advice="install it again")
        return
    names = ", ".join(pack.name for pack in packs)
    files = "; ".join(f"{kind} {', '.join(aliases)}" for kind, aliases in aliases_by_kind().items())
    yield Line(weight="good", text=f"packaged data: packs {names}; {files}")


def _settings(config: Path | None, environ: Mapping[str, str], folder: Path) -> Iterator[Line]:
    try:
        settings = load_settings(config, {}, environ, folder)
    except ClaimcheckError as error:
        for text in str(error).splitlines():
            yield Line(weight="wrong", text=f"settings: {text}")
        return
    where = settings.config_file or "no settings file, the defaults apply"
    yield Line(weight="good", text=f"settings: {where}")
    yield from _packs(settings)
    yield from _learned(settings)
    yield _cache(settings.cache_dir)
    key = "an API key is set" if settings.api_key is not None else "no API key: only the judge and some checks need one"
    yield Line(weight="good" if settings.api_key is not None else "info", text=key)


def _packs(settings: Settings) -> Iterator[Line]:
    for path in settings.rules.packs:
        try:
            pack = load_rule_pack(path)
        except ClaimcheckError as error:
            for text in str(error).splitlines():
                yield Line(weight="wrong", text=text)
        else:
            yield Line(weight="good", text=f"rule pack {pack.name} ({path}): {len(pack.claims)} claim types")


def _learned(settings: Settings) -> Iterator[Line]:
    """Name the fitted files of the user's own; the packaged ones go without saying."""
    chosen = settings.classifier
    classifier = None
    try:
        if chosen.model is not None:
            classifier = load_classifier(chosen.model)
            yield Line(weight="good", text=_named(classifier, chosen.model))
        if chosen.calibration is not None:
            file = load_calibration(chosen.calibration)
            names = ", ".join(sorted(file.calibrators)) or "none"
            yield Line(weight="good", text=f"calibrators ({chosen.calibration}): {names}")
            fingerprint = classifier.fingerprint if classifier is not None else ""
            for text in Calibration(file, fingerprint=fingerprint).notes:
                yield Line(weight="info", text=text)
    except ClaimcheckError as error:
        for text in str(error).splitlines():
            yield Line(weight="wrong", text=text)


def _named(classifier: Classifier, path: str) -> str:
    facts = classifier.training
    fitted = f", fitted on {facts.n} runs" if facts.n else ""
    return f"{classifier.name} ({path}): {kind_in_words(classifier.model)}{fitted}"


def _cache(folder: Path) -> Line:
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return Line(weight="good", text=f"cache directory: {folder}")
    advice = "set XDG_CACHE_HOME to a directory that can be written"
    return Line(weight="info", text=f"the cache directory {folder} cannot be written", advice=advice)
