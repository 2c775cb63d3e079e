"""Runs one program with an argument vector: no shell, no input, no inherited secrets, in its root.

A reader must not miss: the program sees ``PATH``, ``LANG`` and the variables the probes file names, nothing else. When
the time is up or too much is printed, the whole process group is ended.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping

from agent_claimcheck.evidence.values.payload import ABSENT
from agent_claimcheck.pipeline.probes_run.definition import CommandRead, Limits
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue
from agent_claimcheck.pipeline.probes_run.reading import NotFound, Reading, Unavailable, found, json_or_none, taken

_PIECE = 65_536


class CommandReader:
    """Runs the program of one probe. ``environ`` is where the variables named in the file are looked up."""

    def __init__(self, action: CommandRead, environ: Mapping[str, str], limits: Limits) -> None:
        self._action = action
        self._limits = limits
        self._environment = _child_environment(action.env, environ)

    def read(self, values: Mapping[str, TypedValue]) -> Reading:
        """Return what the program printed. Raises ``NotFound`` or ``Unavailable``."""
        code, out, err = self._run(argument_vector(self._action, values))
        detail = err.decode("utf-8", "replace")
        if code in self._action.not_found_exit:
            raise NotFound(f"exit code {code}")
        if code != 0:
            raise Unavailable(f"the command ended with exit code {code}", detail)
        value = json_or_none(out)
        if not isinstance(value, dict | list):
            if self._action.take:
                raise Unavailable("the command printed no JSON")
            return found({"stdout": out.decode("utf-8", "replace").rstrip("\n"), "exit_code": code})
        value = taken(value, self._action.take)
        if value is ABSENT or value in ({}, []):
            raise NotFound("the answer is empty")
        return found(value)

    def _run(self, argv: list[str]) -> tuple[int, bytes, bytes]:
        root = self._action.root
        if not root.is_dir():
            raise Unavailable("the root is no directory")
        program = shutil.which(argv[0], path=self._environment["PATH"])
        if program is None:
            raise Unavailable("the program is not installed")
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed program, checked arguments, no shell
                [program, *argv[1:]],
                cwd=root,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Unavailable("the program cannot be started", str(error)) from None
        try:
            out, err = self._collect(process)
        except Unavailable:
            _end(process)
            raise
        return process.wait(), out, err

    def _collect(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        assert process.stdout is not None and process.stderr is not None
        deadline = time.monotonic() + self._limits.timeout_s
        kept = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        with process.stdout, process.stderr, selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while selector.get_map():
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    raise Unavailable(f"timed out after {self._limits.timeout_s:g} s")
                for key, _ in selector.select(remaining):
                    piece = os.read(key.fd, _PIECE)
                    if not piece:
                        selector.unregister(key.fileobj)
                        continue
                    kept[key.fd] += piece
                    if len(kept[key.fd]) > self._limits.max_output_bytes:
                        raise Unavailable(f"the command printed more than {self._limits.max_output_bytes} bytes")
            out, err = kept.values()
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Unavailable(f"timed out after {self._limits.timeout_s:g} s") from None
        return bytes(out), bytes(err)


def _child_environment(names: tuple[str, ...], environ: Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment of a program: absolute ``PATH`` entries, ``LANG``, and the variables in ``names``."""
    paths = [entry for entry in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(entry)]  # noqa: PTH117 - text in, text out
    # A reading must not write: git would otherwise refresh its index, and ask for a password.
    plain = {"PATH": os.pathsep.join(paths), "LANG": "C.UTF-8", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    return plain | {name: environ[name] for name in names if name in environ}


def argument_vector(action: CommandRead, values: Mapping[str, TypedValue]) -> list[str]:
    """Return the program and its arguments with the values in their places."""
    texts = {name: str(value) for name, value in values.items()}
    return [part.fill(texts) for part in action.argv]


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
