"""Answers of models kept on disk, so that a repeated question costs nothing.

A reader must not miss: only answers that could be read are kept, and a file that cannot be read back is no answer.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex


class KeptAnswer(Struct, frozen=True, kw_only=True):
    """One answer as kept: its text, the usage the provider reported, and the model that answered."""

    content: str
    usage: dict[str, Any] | None = None
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0


class AnswerCache:
    """A directory of answers, one file each. Any number of processes may share it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._decoder = msgspec.json.Decoder(KeptAnswer)

    def get(self, key: str) -> KeptAnswer | None:
        """Return the answer kept under ``key``, or ``None``."""
        try:
            return self._decoder.decode((self.directory / f"{key}.json").read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def put(self, key: str, answer: KeptAnswer) -> None:
        """Keep ``answer``. The file appears whole or not at all; a full or read-only disk keeps nothing."""
        part = self.directory / f".{key}.{secrets.token_hex(4)}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_bytes(msgspec.json.encode(answer))
            part.replace(self.directory / f"{key}.json")
        except (OSError, UnicodeEncodeError):
            with suppress(OSError):
                part.unlink()


def cache_key(*, model: str, base_url: str, prompt_version: str, request: bytes, sample: int = 0) -> str:
    """Return the name under which an answer is kept: a hash of everything the answer depends on.

    ``base_url`` belongs to it, because two servers may call different models by one name; so does ``sample``, the
    number of the repetition.
    """
    head = f"{model}\n{base_url}\n{prompt_version}\n{sample}\n".encode("utf-8", "replace")
    return sha256_hex(head + request)
