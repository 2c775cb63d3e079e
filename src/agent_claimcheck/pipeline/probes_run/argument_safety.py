"""Why an argument of a command could make text of a trace run as code: such a probes file is refused when it is loaded.

A reader must not miss: no shell and no program that runs others, no value as the program, as its script or behind an option
that takes code.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from agent_claimcheck.pipeline.probes_run.definition import SlottedText

_SHELLS = frozenset(
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox", "cmd", "powershell", "pwsh"]
)
_RUNNERS = frozenset(
    ["ssh", "su", "sudo", "doas", "runuser", "xargs", "parallel", "script", "watch", "env", "nice", "nohup", "timeout",
     "time", "setsid", "stdbuf", "strace", "chroot", "unshare", "find", "npx", "uvx", "pipx"]
)  # fmt: skip
_INTERPRETERS = frozenset(
    ["python", "pypy", "node", "deno", "bun", "perl", "ruby", "php", "lua", "awk", "gawk", "mawk", "sed", "make", "npm",
     "osascript", "java", "uv"]
)  # fmt: skip
_CODE_OPTIONS = frozenset(
    ["-c", "-e", "-r", "-x", "-exec", "--eval", "--exec", "--execute", "--command", "--print", "-Command"]
)


def misuse_of(argv: list[SlottedText], index: int) -> str:
    """Say why an argument could make text of a trace run as code, an empty text when it cannot."""
    argument = argv[index]
    text = argument.literals[0]
    if not argument.params:
        name = _program(text)
        if name in _SHELLS or (index == 0 and name in _RUNNERS):
            return "would run its arguments as commands, through a shell or another program"
        return ""
    if index == 0:
        return "is the program and takes no value of a trace"
    before = argv[index - 1]
    is_after_option = not before.params and before.literals[0] in _CODE_OPTIONS
    is_script = _program(argv[0].literals[0]).rstrip("0123456789.") in _INTERPRETERS and all(
        not earlier.params and earlier.literals[0].startswith("-") for earlier in argv[1:index]
    )
    if is_after_option or is_script or text.rstrip("=:") in _CODE_OPTIONS:
        return "puts a value where the program expects code"
    return ""


def _program(text: str) -> str:
    return PurePosixPath(text).name.lower().removesuffix(".exe")
