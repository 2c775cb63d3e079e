"""The judge's prompts: a Markdown file with a name, a version and three placeholders.

A reader must not miss: the placeholders are filled with framed, escaped blocks, so a prompt of the user's own is as safe
as a built-in one. A prompt whose text differs from the built-in one of its name is not that prompt.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.evidence.rendering.evidence_text import RenderedEvidence

DEFAULT_PROMPT = "claim-audit"
BUILTIN_PROMPTS = (DEFAULT_PROMPT, "claim-by-claim")

_PLACEHOLDERS = ("instruction", "steps", "claims")
_NEEDED = frozenset({"steps", "claims"})
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*\n", re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LARGEST = 256 * 1024


class JudgePrompt(Struct, frozen=True, kw_only=True):
    """A prompt: ``body`` holds ``$instruction``, ``$steps`` and ``$claims``; ``sha256`` is of the whole file."""

    name: str
    version: str
    body: str
    sha256: str
    is_builtin: bool

    def fill(self, evidence: RenderedEvidence) -> str:
        """Return the text that is sent."""
        return Template(self.body).substitute(
            instruction=evidence.request, steps=evidence.steps, claims=evidence.claims
        )

    def calibration_key(self, model: str) -> str:
        """Return the key under which a calibrator for this prompt and model is kept.

        ``judge:<model>`` for the default prompt, ``judge:<model>:<prompt>`` for others. A prompt that only borrows a
        built-in name gets its hash added, because scores of another text need another calibrator.
        """
        if not self.is_builtin:
            borrowed = f"@{self.sha256[:8]}" if self.name in BUILTIN_PROMPTS else ""
            return f"judge:{model}:{self.name}{borrowed}"
        return f"judge:{model}" if self.name == DEFAULT_PROMPT else f"judge:{model}:{self.name}"


def load_prompt(name_or_path: str) -> JudgePrompt:
    """Return a built-in prompt by its name, or the prompt in a file.

    Raises ``UsageError`` when there is no such prompt, ``InputError`` naming what is wrong with the file.
    """
    builtin = {name: Path(__file__).parent / "prompts" / f"{name}.md" for name in BUILTIN_PROMPTS}
    path = builtin.get(name_or_path) or Path(name_or_path).expanduser()
    shown = printable(shorten(name_or_path, 200))
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(
            f'"{shown}" is no prompt: {error.strerror or error}{did_you_mean(name_or_path, BUILTIN_PROMPTS)}',
            hint=f"built-in prompts: {', '.join(BUILTIN_PROMPTS)}; or name a file",
            slug="prompt",
        ) from error
    if len(data) > _LARGEST:
        raise InputError(f"{shown}: larger than a prompt may be ({_LARGEST:,} bytes)", slug="prompt")
    try:
        text = data.decode("utf-8").replace("\r\n", "\n").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown}: not UTF-8", slug="prompt") from error
    return _read(text, shown, sha256_hex(text), name_or_path in builtin)


def _read(text: str, shown: str, digest: str, is_builtin: bool) -> JudgePrompt:
    front = _FRONT.match(text)
    if front is None:
        raise InputError(
            f"{shown}: no front matter", hint='begin the file with "---", name and version lines, "---"', slug="prompt"
        )
    fields = _front_matter(front[1], shown)
    name, version = fields.get("name"), fields.get("version")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"{shown}: name must be letters, digits, dots, dashes and underscores", slug="prompt")
    if isinstance(version, bool) or not isinstance(version, int | str) or not str(version).strip():
        raise InputError(f"{shown}: version must be a number or a text", slug="prompt")
    body = text[front.end() :].strip()
    _check_placeholders(body, shown)
    return JudgePrompt(name=name, version=str(version), body=body, sha256=digest, is_builtin=is_builtin)


def _front_matter(text: str, shown: str) -> dict[Any, Any]:
    import yaml

    try:
        fields = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{shown}: the front matter is no YAML", slug="prompt") from error
    if not isinstance(fields, dict):
        raise InputError(f"{shown}: the front matter must hold name and version", slug="prompt")
    unknown = sorted(str(key) for key in fields if key not in ("name", "version"))
    if unknown:
        raise InputError(f"{shown}: unknown front matter {printable(', '.join(unknown))}", slug="prompt")
    return fields


def _check_placeholders(body: str, shown: str) -> None:
    template = Template(body)
    if not template.is_valid():
        raise InputError(f"{shown}: a lone $ in the text", hint="write $$ for a dollar sign", slug="prompt")
    found = set(template.get_identifiers())
    unknown = sorted(found - set(_PLACEHOLDERS))
    if unknown:
        names = ", ".join(f"${name}" for name in unknown)
        known = ", ".join(f"${name}" for name in _PLACEHOLDERS)
        raise InputError(f"{shown}: unknown placeholder {printable(names)}", hint=f"known: {known}", slug="prompt")
    missing = sorted(_NEEDED - found)
    if missing:
        raise InputError(f"{shown}: ${missing[0]} is missing, so the judge would see no evidence", slug="prompt")
