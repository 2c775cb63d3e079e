"""A file in an object store that appears whole or not at all."""

from __future__ import annotations

import tempfile
from typing import IO, cast

from agent_claimcheck.core.errors import InputError, OutputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.remote import require_place, shown_name, upload


class RemoteFile:
    """Collects what is written on the local disk and uploads it on ``commit``; before that the store sees nothing.

    A stream to the store itself would, when it is thrown away, still be completed.
    """

    def __init__(self, url: str) -> None:
        """Raises ``OutputError`` when it is plain that nothing can be written there."""
        try:
            require_place(url)
        except InputError as error:
            raise OutputError(f"cannot write {error.message}", hint=error.hint) from None
        self._url = url
        self._shown = printable(shown_name(url))
        self._copy = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=8 << 20))  # noqa: SIM115 - closed below

    def write(self, data: bytes, /) -> int:
        """Take ``data``, all of it. Raises ``OutputError``."""
        try:
            return self._copy.write(data)
        except OSError as error:
            raise OutputError(f"cannot write {self._shown}: {error.strerror or error}") from None

    def commit(self) -> None:
        """Upload the file. Raises ``OutputError``."""
        try:
            self._copy.seek(0)
            upload(self._copy, self._url)
        except InputError as error:
            raise OutputError(f"cannot write {error.message}", hint=error.hint) from None
        except OSError as error:
            raise OutputError(f"cannot write {self._shown}: {error.strerror or error}") from None
        finally:
            self._copy.close()

    def discard(self) -> None:
        """Throw away what was not committed. Harmless after ``commit``."""
        self._copy.close()
