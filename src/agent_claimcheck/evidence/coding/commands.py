"""Finds the command line a tool call runs, whatever its argument is called.

A reader must not miss: an argument named ``command`` is no command line when the tool is an editor or only looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_claimcheck.evidence.coding.shell_effects import is_known_program
from agent_claimcheck.evidence.coding.shell_split import MAX_COMMAND_CHARS, MAX_PARTS, SHELLS, program_name
from agent_claimcheck.evidence.tool_names import NameReading, read_tool_name
from agent_claimcheck.trace.model import Step

_KEYS = ("command", "cmd", "script", "bash", "bash_command", "shell_command", "commands", "keystrokes", "input", "code")
COMMAND_KEYS = frozenset(_KEYS)
"""Arguments that may hold a command line: a call without any of them runs none."""
_LOOSE_KEYS = frozenset({"input", "code", "script", "keystrokes"})


def command_of(call: Step) -> str | None:
    """Return the command line a call runs, or ``None`` when it is not a command. Never raises."""
    args = call.args
    if not isinstance(args, dict) or COMMAND_KEYS.isdisjoint(args):
        return None
    return command_of_args(args, call.name or "")


def command_of_args(args: Mapping[str, Any] | None, tool_name: str) -> str | None:
    """Return the command line in a call's arguments; ``None`` when the tool does not run commands.

    Reads ``command``, ``cmd``, ``script``, ``bash``, ``code``, ``input``; a list of words is joined. The last ones are
    trusted only for tools whose name says that they run commands.
    """
    if not isinstance(args, Mapping) or COMMAND_KEYS.isdisjoint(args):
        return None
    name = read_tool_name(tool_name)
    if name.is_editor:
        return None
    for key in _KEYS:
        value = args.get(key)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value[:MAX_PARTS]):
            value = _join_words(value)
        if isinstance(value, str) and value.strip():
            return value if _runs_commands(name, key, value) else None
    return None


def _join_words(words: list[str]) -> str:
    if len(words) >= 3 and program_name(words[0]) in SHELLS and words[1].startswith("-") and words[1].endswith("c"):
        return words[2]
    return " ".join(words[:MAX_PARTS])[: MAX_COMMAND_CHARS + 1]


def _runs_commands(name: NameReading, key: str, value: str) -> bool:
    if name.is_shell:
        return True
    first = program_name(value[:400].split(None, 1)[0]).lower()
    if name.words == (first,):
        # An agent that turns each command line into a call named after its program: pytest(command="pytest -q").
        return is_known_program(first)
    if key in _LOOSE_KEYS or name.is_code:
        return False
    return name.kind == "unknown"
