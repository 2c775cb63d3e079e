"""Traces and results in an S3 bucket, served by a real server on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs the parquet extra")
pytest.importorskip("moto", reason="needs moto[server], see requirements/optional.txt")

from agent_claimcheck.core.resources import resolve_alias

KEYS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(scope="module")
def bucket():
    """Return the query that leads to the server, after two objects were put below ``bucket/in/``."""
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
    source = resolve_alias("example:mixed")
    assert source is not None
    lines = source.read_bytes().splitlines(keepends=True)
    for name, part in (("in/a.jsonl", lines[:5]), ("in/deep/b.jsonl", lines[5:]), ("in/notes.txt", [b"no traces"])):
        with store.open_output_stream(f"bucket/{name}") as stream:
            stream.write(b"".join(part))
    yield f"?scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    server.stop()


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agent_claimcheck", *args],
        capture_output=True, text=True, cwd=cwd, env={**os.environ, **KEYS}, check=False,
    )  # fmt: skip


def ids(text: str) -> list[str]:
    return [json.loads(line)["trace_id"] for line in text.splitlines()]


def test_a_directory_a_pattern_and_an_object_are_read(bucket, tmp_path):
    local = run("check", "example:mixed", "--format", "jsonl", cwd=tmp_path)
    assert len(ids(local.stdout)) == 12, local.stderr
    for place in ("s3://bucket/in", "s3://bucket/in/*.jsonl"):
        remote = run("check", place + bucket, "--format", "jsonl", cwd=tmp_path)
        assert ids(remote.stdout) == ids(local.stdout), remote.stderr
    one = run("check", f"s3://bucket/in/a.jsonl{bucket}", "--format", "jsonl", cwd=tmp_path)
    assert ids(one.stdout) == ids(local.stdout)[:5]


def test_workers_read_and_results_go_back_as_parquet(bucket, tmp_path):
    out = f"s3://bucket/out/results.parquet{bucket}"
    done = run(
        "check", f"s3://bucket/in{bucket}", "--jobs", "2", "--format", "jsonl", "-o", f"parquet={out}", cwd=tmp_path
    )
    assert done.returncode == 1, done.stderr
    report = run("report", out, cwd=tmp_path)
    assert report.stdout.startswith("12 traces from 1 file: 3 of 9"), report.stderr


def test_a_job_notices_that_an_object_changed(bucket, tmp_path):
    place = f"s3://bucket/in/a.jsonl{bucket}"
    assert run("check", place, "--job", "job", "--jobs", "1", cwd=tmp_path).returncode in (0, 1)
    again = run("check", place, "--job", "job", "--jobs", "1", cwd=tmp_path)
    assert "1 of 1 parts are done" in again.stderr
    from pyarrow import fs

    store, path = fs.FileSystem.from_uri(f"s3://test:test@bucket/in/a.jsonl{bucket}")
    with store.open_output_stream(path) as stream:
        stream.write(b"{}\n")
    changed = run("check", place, "--job", "job", cwd=tmp_path)
    assert changed.returncode == 2
    assert "cannot go on" in changed.stderr


def test_what_is_not_there_is_named_without_the_query(bucket, tmp_path):
    missing = run("check", f"s3://bucket/gone.jsonl{bucket}", cwd=tmp_path)
    assert missing.returncode == 2
    assert "s3://bucket/gone.jsonl" in missing.stderr
