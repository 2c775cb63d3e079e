"""Is a run that of a shell or coding agent? Told from the names of the tools it called.

A reader must not miss: much hangs on the answer. In a shell run only what the last message says counts as claimed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from agent_claimcheck.evidence.claims.vocabulary import english

_NAME_TAIL = 200


def is_shell_run(tool_names: Iterable[str]) -> bool:
    """True when the tools of a run (call names, repeats allowed) are those of a shell or coding agent.

    At least one sure sign (a shell, a patch tool, two file editors) and shell-like names for most calls are needed, so
    an API agent that once opens a shell keeps the rule of API runs.
    """
    signs = [_sign_of(name[-_NAME_TAIL:]) for name in tool_names if isinstance(name, str)]
    like = [sign for sign in signs if sign.is_like]
    if 2 * len(like) <= len(signs):
        return False
    return any(sign.is_sure for sign in like) or len({sign.name for sign in like if sign.is_editor}) > 1


class _ToolSign(Struct, frozen=True):
    """What a tool's name says about its run: is it one of a shell's or an editor's tools, and does it settle it?"""

    name: str
    is_like: bool
    is_sure: bool
    is_editor: bool


@lru_cache(maxsize=4096)
def _sign_of(tool_name: str) -> _ToolSign:
    sets = english().sets
    name = tool_name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower().replace("-", "_")
    is_sure = any(sign in name for sign in sets.sure_shell_tools)
    return _ToolSign(name, is_sure or name in sets.shell_tools, is_sure, name in sets.editors)
