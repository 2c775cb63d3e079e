"""Traces, results and jobs in a bucket of each kind of store, served by real servers on loopback."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from stores import STORES, account_signature

pytest.importorskip("pyarrow", reason="needs the parquet extra")

from agent_claimcheck.core.resources import resolve_alias

ODD_NAME = "odd/run 1 +20%2F #3 ü.jsonl"


@pytest.fixture(scope="module", params=list(STORES))
def store(request):
    """Return a store with two objects of traces below ``in/``, and one with an odd name."""
    source = resolve_alias("example:mixed")
    assert source is not None
    lines = source.read_bytes().splitlines(keepends=True)
    with STORES[request.param]() as made:
        for name, part in (
            ("in/a.jsonl", lines[:5]),
            ("in/deep/b.jsonl", lines[5:]),
            ("in/notes.txt", [b"no traces"]),
            (ODD_NAME, lines[:1]),
        ):
            made.put(name, b"".join(part))
        yield made


def ids(text: str) -> list[str]:
    return [json.loads(line)["trace_id"] for line in text.splitlines()]


def test_a_directory_a_pattern_and_an_object_are_read(store, tmp_path):
    local = store.run("check", "example:mixed", "--format", "jsonl", cwd=tmp_path)
    assert len(ids(local.stdout)) == 12, local.stderr
    for place in ("in", "in/", "in/*.jsonl"):
        remote = store.run("check", store.url(place), "--format", "jsonl", cwd=tmp_path)
        assert ids(remote.stdout) == ids(local.stdout), remote.stderr
    one = store.run("check", store.url("in/a.jsonl"), "--format", "jsonl", cwd=tmp_path)
    assert ids(one.stdout) == ids(local.stdout)[:5]


def test_a_name_is_taken_as_it_is(store, tmp_path):
    for place in ("odd", ODD_NAME):
        done = store.run("check", store.url(place), "-o", "jsonl=out.jsonl", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        result = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
        assert result["file"] == f"{store.base}/{ODD_NAME}"


def test_workers_read_and_results_go_back_as_parquet(store, tmp_path):
    out = store.url("out/results.parquet")
    done = store.run("check", store.url("in"), "--jobs", "2", "--format", "jsonl", "-o", f"parquet={out}", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    report = store.run("report", out, "--html", store.url("out/report.html"), cwd=tmp_path)
    assert report.stdout.startswith("12 traces from 1 file: 3 of 9"), report.stderr
    with store.filesystem.open_input_stream("bucket/out/report.html") as page:
        assert b"<!doctype html>" in page.read()
    assert list(tmp_path.iterdir()) == []


def test_a_job_is_merged_into_the_store_and_serves_as_baseline(store, tmp_path):
    job = ("check", store.url("in"), "--job", "job", "--jobs", "1")
    assert store.run(*job, cwd=tmp_path).returncode == 1
    merged = store.run("job", "merge", "job", "--out", store.url("merged.jsonl"), cwd=tmp_path)
    assert merged.returncode == 0, merged.stderr
    same = store.run("compare", "job", store.url("merged.jsonl"), cwd=tmp_path)
    assert "0 of 12 traces in both changed their verdict" in same.stdout, same.stderr
    known = store.run("check", store.url("in"), "--baseline", store.url("merged.jsonl"), cwd=tmp_path)
    assert known.returncode == 0, known.stderr


def test_a_job_notices_that_an_object_changed(store, tmp_path):
    store.put("changing.jsonl", b"{}\n")
    place = store.url("changing.jsonl")
    store.run("check", place, "--job", "job", "--jobs", "1", cwd=tmp_path)
    again = store.run("check", place, "--job", "job", "--jobs", "1", cwd=tmp_path)
    assert "1 of 1 parts are done" in again.stderr
    store.put("changing.jsonl", b"{} \n")
    changed = store.run("check", place, "--job", "job", cwd=tmp_path)
    assert changed.returncode == 2
    assert "cannot go on" in changed.stderr


def test_what_is_not_there_is_named_without_the_query(store, tmp_path):
    for command in ("check", "report"):
        missing = store.run(command, store.url("gone.jsonl"), cwd=tmp_path)
        assert missing.returncode == 2
        assert f"{store.base}/gone.jsonl: no such file" in missing.stderr
        assert "endpoint_override" not in missing.stderr


def test_an_output_that_cannot_be_is_refused_before_anything_is_checked(store, tmp_path):
    elsewhere = store.url("x.jsonl").replace("bucket", "no-such-bucket", 1)
    both = ("-o", f"jsonl={store.url('x.jsonl')}")
    for outputs, said in (
        (("-o", f"jsonl={store.base}/{store.query}"), "names no file"),
        (("-o", f"jsonl={elsewhere}"), "no bucket or container"),
        ((*both, *both), "both go to"),
        (("-o", f"jsonl={store.url('in/a.jsonl')}"), "would overwrite"),
    ):
        done = store.run("check", store.url("in"), *outputs, cwd=tmp_path)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""


def test_a_wrong_azure_key_says_where_keys_come_from(tmp_path):
    with STORES["az"]() as store:
        refused = store.run("check", store.url("in"), cwd=tmp_path, AZURE_STORAGE_KEY="d3Jvbmc=")
        assert refused.returncode == 2
        assert "AZURE_STORAGE_SAS_TOKEN" in refused.stderr
        no_key = store.run("check", store.url("in"), cwd=tmp_path, AZURE_STORAGE_KEY="")
        assert no_key.returncode == 2
        assert "Traceback" not in no_key.stderr
        signature = {"AZURE_STORAGE_KEY": "", "AZURE_STORAGE_SAS_TOKEN": account_signature()}
        signed = store.run(
            "check",
            "example:mixed",
            "--fail-on",
            "never",
            "--out",
            store.url("signed.jsonl"),
            cwd=tmp_path,
            **signature,
        )
        assert signed.returncode == 0, signed.stderr
        short = store.run(
            "check", f"az://bucket/in{store.query}", cwd=tmp_path, AZURE_STORAGE_ACCOUNT="devstoreaccount1"
        )
        assert "no such file" in short.stderr


@pytest.mark.parametrize(
    "url",
    [
        "s3://key:secret@bucket/x",
        "gs://bucket/x?client_secret=hidden",
        "az://bucket@account.dfs.core.windows.net/x?sv=1&sig=hidden",
        "s3://",
        "az://bucket/x",
    ],
)
def test_a_url_with_keys_or_without_a_place_is_refused_unshown(url, tmp_path):
    for command in (["check", url], ["check", "example:mixed", "-o", f"jsonl={url}"]):
        done = subprocess.run(
            [sys.executable, "-m", "agent_claimcheck", *command],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "secret" not in done.stderr.replace("with its secret", "")
        assert "hidden" not in done.stderr


def test_what_must_lie_on_this_machine_is_refused_as_a_url(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "agent_claimcheck", "check", "example:mixed", "--job", "s3://bucket/job"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "must be a path on this machine" in done.stderr
    assert list(tmp_path.iterdir()) == []
