"""The written reference of all settings, made from the key table: the two example files and the manual page."""

from __future__ import annotations

import json
from typing import Any

from agent_claimcheck.core.settings import openai
from agent_claimcheck.core.settings.keys import SECTIONS, SETTINGS, Setting
from agent_claimcheck.core.settings.secrets import FALLBACK_VARIABLE
from agent_claimcheck.core.settings.values import expected

PLAIN_VARIABLES: dict[str, str] = {
    "CLAIMCHECK_API_KEY": "API key of the judge. Another variable can be named with judge.api_key_env.",
    FALLBACK_VARIABLE: "API key used when the one above is not set, and only for https://openrouter.ai.",
    openai.KEY_VARIABLE: "API key of the model that answers the run grader's questions (`attest`, `tools`).",
    openai.BASE_URL_VARIABLE: f"Base URL of that model's API. Default: {openai.DEFAULT_BASE_URL}.",
    "XDG_CACHE_HOME": "Parent of the cache directory. Default: ~/.cache.",
}
"""Environment variables that set no key of the table."""

# The value beside the note shows these well enough.
_PLAIN_KINDS = ("text", "a list of texts", "a path", "a list of paths", "true or false")


def _toml_value(value: Any) -> str:
    """Return ``value`` (number, boolean, text or a sequence of texts) as TOML."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def variables() -> dict[str, str]:
    """Return every environment variable that is read, with what it means."""
    from_table = {row.key.env: f"{row.key.doc} ({row.name})" for row in SETTINGS.values() if row.key.env}
    return {**PLAIN_VARIABLES, **from_table}


def example_toml() -> str:
    """Return ``claimcheck.toml.example``: every key with its default; keys without a default are commented out."""
    blocks = [
        "# Settings of agent-claimcheck. Copy to claimcheck.toml, or put the tables under [tool.agent-claimcheck]\n"
        "# in pyproject.toml (for example [tool.agent-claimcheck.gate]). Command-line flags win over environment\n"
        "# variables, those win over this file. Relative paths are relative to the working directory.\n"
    ]
    for section, record in SECTIONS.items():
        lines = [f"# {(record.__doc__ or '').strip()}", f"[{section}]"]
        for row in SETTINGS.values():
            if row.section == section:
                lines += _toml_lines(row)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _toml_lines(row: Setting) -> list[str]:
    note = f"# {row.key.doc}"
    if expected(row) not in _PLAIN_KINDS:
        note += f" Takes {expected(row)}."
    if row.key.env:
        note += f" Also {row.key.env}."
    if row.default is None:
        return [note, f"# {row.field} = {row.key.example}"]
    return [note, f"{row.field} = {_toml_value(row.default)}"]


def example_env() -> str:
    """Return ``.env.example``: every environment variable, commented out."""
    blocks = [
        "# Environment variables that agent-claimcheck reads. It never reads .env files itself:\n"
        "# export the variables, or let your shell or process manager load the file.\n"
    ]
    blocks += [f"# {doc}\n# {name}=\n" for name, doc in variables().items()]
    return "\n".join(blocks)


def reference_page() -> str:
    """Return the manual page of all settings as Markdown."""
    lines = [
        "# Configuration",
        "",
        "<!-- Made by docs/generate.py from src/agent_claimcheck/core/settings/sections.py. -->",
        "",
        "A value is taken from the first of these that has it: command-line flag, environment variable, settings file,",
        "default. The settings file is the one named with `--config`, else `claimcheck.toml` in the working directory,",
        "else the table `[tool.agent-claimcheck]` of `pyproject.toml` there. `.env` files are never read. An empty",
        "environment variable counts as not set. Relative paths are relative to the working directory.",
        "",
        "Unknown keys, wrong types and values out of range are errors (exit code 2). All of them are listed at once.",
        "",
        "`claimcheck.toml.example` and `.env.example` in the repository list everything below.",
    ]
    for section, record in SECTIONS.items():
        lines += ["", f"## [{section}]", "", (record.__doc__ or "").strip(), ""]
        lines += ["| key | takes | default | environment | meaning |", "|---|---|---|---|---|"]
        for row in SETTINGS.values():
            if row.section == section:
                default = "not set" if row.default is None else f"`{_toml_value(row.default)}`"
                variable = f"`{row.key.env}`" if row.key.env else ""
                lines.append(f"| `{row.field}` | {expected(row)} | {default} | {variable} | {row.key.doc} |")
    lines += ["", "## Other environment variables", "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {doc} |" for name, doc in PLAIN_VARIABLES.items()]
    lines += ["", "`NO_COLOR`, `TERM` and `GITHUB_STEP_SUMMARY` have their usual meaning."]
    return "\n".join(lines) + "\n"
