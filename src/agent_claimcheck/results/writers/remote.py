"""A file in an object store that appears whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from typing import IO, cast

from agent_claimcheck.core.errors import InputError, OutputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.remote import open_remote_output


class RemoteFile:
    """Collects what is written on the local disk and uploads it on ``commit``; before that the store sees nothing.

    A stream to the store itself would, when it is thrown away, still be completed.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._copy = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=8 << 20))  # noqa: SIM115 - closed below

    def write(self, data: bytes, /) -> int:
        """Take ``data``, all of it. Raises ``OutputError``."""
        try:
            return self._copy.write(data)
        except OSError as error:
            raise OutputError(f"cannot write {printable(self._url)}: {error.strerror or error}") from None

    def commit(self) -> None:
        """Upload the file. Raises ``OutputError``."""
        try:
            self._copy.seek(0)
            with open_remote_output(self._url) as stream:
                shutil.copyfileobj(self._copy, stream, 8 << 20)
        except (InputError, OSError) as error:
            raise OutputError(f"cannot write {printable(self._url)}: {printable(str(error))[:300]}") from None
        finally:
            self._copy.close()

    def discard(self) -> None:
        """Throw away what was not committed. Harmless after ``commit``."""
        self._copy.close()
