"""Object stores on loopback, each served by a real server: what the tests put there and how a URL leads there."""

from __future__ import annotations

import base64
import hmac
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

_AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""Known to everybody: the emulator's documented account has no other."""

_GOOGLE = """
import sys
from gcp_storage_emulator.server import create_server
server = create_server("127.0.0.1", 0, in_memory=True)
server.start()
print(server._api._httpd.server_address[1], flush=True)
sys.stdin.read()
server.stop()
"""


class Store(NamedTuple):
    """``filesystem`` has a bucket ``bucket``; ``base`` is its URL, ``query`` follows each URL."""

    filesystem: Any
    base: str
    query: str
    environ: dict[str, str]

    def url(self, name: str) -> str:
        return f"{self.base}/{name}{self.query}"

    def put(self, name: str, data: bytes) -> None:
        with self.filesystem.open_output_stream(f"bucket/{name}") as stream:
            stream.write(data)

    def run(self, *args: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "agent_claimcheck", *args],
            capture_output=True, text=True, cwd=cwd, env={**os.environ, **self.environ, **environ}, check=False,
        )  # fmt: skip


@contextmanager
def amazon() -> Iterator[Store]:
    pytest.importorskip("moto", reason="needs moto[server], see requirements/optional.txt")
    from moto.server import ThreadedMotoServer
    from pyarrow import fs

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    store = fs.S3FileSystem(
        access_key="test", secret_key="test", region="us-east-1", scheme="http", endpoint_override=f"{host}:{port}",
        allow_bucket_creation=True,
    )  # fmt: skip
    store.create_dir("bucket")
    keys = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    yield Store(store, "s3://bucket", f"?scheme=http&endpoint_override={host}:{port}&region=us-east-1", keys)
    server.stop()


@contextmanager
def google() -> Iterator[Store]:
    pytest.importorskip("gcp_storage_emulator", reason="needs gcp-storage-emulator, see requirements/optional.txt")
    from pyarrow import fs

    # In a process of its own: the client does not let go of the interpreter while it waits for the server.
    with _server([sys.executable, "-c", _GOOGLE]) as process:
        assert process.stdout is not None
        place = f"127.0.0.1:{int(process.stdout.readline())}"
        store = fs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override=place, project_id="test")
        store.create_dir("bucket")
        yield Store(store, "gs://anonymous@bucket", f"?scheme=http&endpoint_override={place}", {})


@contextmanager
def azure() -> Iterator[Store]:
    program = shutil.which("azurite-blob")
    if program is None:
        pytest.skip("needs azurite-blob on the PATH: npm install --global azurite")
    from pyarrow import fs

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"]
    with _server([program, "--blobHost", "127.0.0.1", "--blobPort", str(port), *options]) as process:
        assert process.stdout is not None
        while "successfully listens" not in (line := process.stdout.readline()):
            assert line, "azurite ended"
        place = f"127.0.0.1:{port}"
        store = fs.AzureFileSystem(
            "devstoreaccount1", account_key=_AZURITE_KEY, blob_storage_authority=place, dfs_storage_authority=place,
            blob_storage_scheme="http", dfs_storage_scheme="http",
        )  # fmt: skip
        store.create_dir("bucket")
        base = "az://bucket@devstoreaccount1.dfs.core.windows.net"
        yield Store(store, base, f"?scheme=http&endpoint_override={place}", {"AZURE_STORAGE_KEY": _AZURITE_KEY})


def account_signature() -> str:
    """Return a shared access signature for everything in the account of the Azure server."""
    rights = {
        "sv": "2019-12-12",
        "ss": "b",
        "srt": "sco",
        "sp": "rwdlac",
        "se": "2099-12-31T00:00:00Z",
        "spr": "https,http",
    }
    signed = ("devstoreaccount1", rights["sp"], "b", "sco", "", rights["se"], "", rights["spr"], rights["sv"], "")
    made = hmac.digest(base64.b64decode(_AZURITE_KEY), "\n".join(signed).encode(), "sha256")
    return urlencode({**rights, "sig": base64.b64encode(made).decode()})


@contextmanager
def _server(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


STORES: dict[str, Callable[[], Any]] = {"s3": amazon, "gs": google, "az": azure}
