"""Each kind of reading against the real thing: a SQLite file, an HTTP server, a git repository, a directory."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.pipeline.probes_run import ProbeFile
from agent_claimcheck.pipeline.probes_run.readers import make_reader
from agent_claimcheck.pipeline.probes_run.reading import NotFound, Reading, Unavailable

Load = Callable[[str], ProbeFile]
ID = """params.id = { from = "call.output.id", type = "string", pattern = '.*', max_length = 1000 }"""


def definition(load: Load, action: str, limits: str = "", params: str = ID) -> ProbeFile:
    head = '[roots]\nhere = "."\nrepo = "repo"\n[[probe]]\nname = "p"\nfor_tools = ["t"]'
    return load(f"{limits}\n{head}\n{params}\n{action}")


def read(
    load: Load, action: str, value: Any = None, limits: str = "", environ: Mapping[str, str] | None = None
) -> Reading:
    file = definition(load, action, limits, ID if value is not None else "")
    reader = make_reader(file.probes[0].action, {"PATH": os.environ["PATH"], **(environ or {})}, file.limits)
    try:
        return reader.read({"id": value} if value is not None else {})
    finally:
        getattr(reader, "close", lambda: None)()


# --- SQL -------------------------------------------------------------------------------------------------------------

SQL = 'sql = { url = "sqlite:///parcels.db", query = "SELECT * FROM parcels WHERE parcel_id = :id" }'


def test_a_row_becomes_an_object(load: Load, database: Path) -> None:
    row = read(load, SQL, "P-1")
    assert (row.ok, row.output) == (
        True, {"parcel_id": "P-1", "status": "in_transit", "weight": 1.5, "label": "00ff"},
    )  # fmt: skip


def test_no_row_is_not_found_and_two_rows_say_nothing(load: Load, database: Path) -> None:
    with pytest.raises(NotFound):
        read(load, SQL, "P-9")
    with pytest.raises(Unavailable, match="more than one row"):
        read(load, SQL, "P-3")
    assert len(read(load, SQL.replace(" }", ', rows = "all" }'), "P-3").output) == 2


@pytest.mark.parametrize(
    "value", ["' OR 1=1 --", "P-1'; DROP TABLE parcels; --", "P-1 UNION SELECT 1", "%", ":id", "x" * 1000]
)
def test_values_are_bound_and_change_no_query(load: Load, database: Path, value: str) -> None:
    with pytest.raises(NotFound):
        read(load, SQL, value)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM parcels").fetchone() == (4,)


def test_the_database_cannot_be_changed_or_left(load: Load, database: Path, tmp_path: Path) -> None:
    for query in ("SELECT load_extension('x')", "SELECT writefile('out', 'x')", "SELECT readfile('/etc/passwd')"):
        with pytest.raises(Unavailable):
            read(load, f'sql = {{ url = "sqlite:///parcels.db", query = "{query}" }}')
    assert not (tmp_path / "out").exists()


def test_a_missing_or_broken_database_says_nothing(load: Load, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="missing"):
        read(load, SQL, "P-1")
    assert not (tmp_path / "parcels.db").exists()
    (tmp_path / "parcels.db").write_text("no database at all, but long enough to be looked at" * 50, encoding="utf-8")
    with pytest.raises(Unavailable):
        read(load, SQL, "P-1")


def test_an_endless_query_is_stopped(load: Load, database: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    started = time.monotonic()
    with pytest.raises(Unavailable, match="timed out"):
        read(load, f'sql = {{ url = "sqlite:///parcels.db", query = "{endless}" }}', limits="limits.timeout_s = 0.2")
    assert time.monotonic() - started < 5


def test_a_url_may_come_from_the_environment(load: Load, database: Path) -> None:
    action = SQL.replace('url = "sqlite:///parcels.db"', 'url_env = "PARCELS_URL"')
    assert read(load, action, "P-1", environ={"PARCELS_URL": f"sqlite:///{database}"}).ok is True


@pytest.mark.skipif(
    find_spec("psycopg") is not None or find_spec("pg8000") is not None, reason="a PostgreSQL driver is installed"
)
def test_postgres_without_a_driver_says_what_to_install(load: Load) -> None:
    with pytest.raises(MissingExtraError, match="psycopg or pg8000"):
        read(load, SQL.replace("sqlite:///parcels.db", "postgresql://u@127.0.0.1/x"), "P-1")


# --- commands --------------------------------------------------------------------------------------------------------

COMMIT = 'command = { root = "repo", argv = ["git", "rev-parse", "--verify", "{id}"], not_found_exit = [128] }'


def python(code: str, more: str = "") -> str:
    argv = json.dumps([sys.executable, "-c", code.replace("{", "{{").replace("}", "}}")])
    return f'command = {{ root = "here", argv = {argv}{more} }}'


def test_git_knows_a_commit_or_does_not(load: Load, repository: tuple[Path, str]) -> None:
    commit = repository[1]
    assert read(load, COMMIT, commit).output == {"stdout": commit, "exit_code": 0}
    with pytest.raises(NotFound):
        read(load, COMMIT, "f" * 39)


@pytest.mark.parametrize(
    "value", ["; touch owned", "$(touch owned)", "`touch owned`", "a && touch owned", "| touch owned", "HEAD\ntouch"]
)
def test_no_value_reaches_a_shell(load: Load, repository: tuple[Path, str], value: str) -> None:
    with pytest.raises(NotFound):
        read(load, COMMIT, value)
    assert sorted(path.name for path in repository[0].iterdir()) == [".git", "notes.txt"]


def test_a_command_sees_no_undeclared_variable(load: Load) -> None:
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    environ = {"SECRET": "hunter2-canary", "REGION": "north", "PATH": f"relative{os.pathsep}{os.environ['PATH']}"}
    seen = read(load, python(code, ', env = ["REGION", "UNSET"]'), environ=environ).output
    assert set(seen) - {"LC_CTYPE"} == {"PATH", "LANG", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "REGION"}
    assert seen["REGION"] == "north"
    assert "relative" not in seen["PATH"].split(os.pathsep)


def test_a_command_gets_no_input_and_runs_in_its_root(load: Load, tmp_path: Path) -> None:
    code = "import json, os, sys; print(json.dumps([os.getcwd(), sys.stdin.read()]))"
    assert read(load, python(code)).output == [str(tmp_path.resolve()), ""]


def test_a_hanging_command_is_ended_with_its_children(load: Load, tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('child.pid', 'w').write(str(child.pid)); time.sleep(60)"
    )
    started = time.monotonic()
    with pytest.raises(Unavailable, match="timed out"):
        read(load, python(code), limits="limits.timeout_s = 1.5")
    assert time.monotonic() - started < 10
    pid = int((tmp_path / "child.pid").read_text(encoding="utf-8"))
    assert _has_ended(pid)


def _has_ended(pid: int) -> bool:
    """True when the process is gone, or a corpse that waits for a parent to notice."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout
        if not state.strip() or state.startswith("Z"):
            return True
    return False


def test_a_flood_of_output_is_cut_off(load: Load) -> None:
    with pytest.raises(Unavailable, match="more than 1000 bytes"):
        read(load, python("while True: print('x' * 1000)"), limits="limits.max_output_bytes = 1000")


def test_other_exit_codes_and_missing_programs_say_nothing(load: Load) -> None:
    with pytest.raises(Unavailable, match="exit code 3") as caught:
        read(load, python("import sys; print('no such', file=sys.stderr); sys.exit(3)"))
    assert "no such" not in caught.value.reason
    assert "no such" in caught.value.detail
    with pytest.raises(Unavailable, match="not installed"):
        read(load, 'command = { root = "here", argv = ["surely-no-such-program"] }')
    with pytest.raises(Unavailable, match="root is no directory"):
        read(load, 'command = { root = "repo", argv = ["git"] }')


def test_json_output_is_read_and_a_part_of_it_taken(load: Load) -> None:
    assert read(load, python('print(\'{"a": [{"b": 1}]}\')', ', take = "a.0.b"')).output == {"value": 1}
    with pytest.raises(NotFound):
        read(load, python("print('{\"a\": []}')", ', take = "a.0.b"'))
    with pytest.raises(Unavailable):
        read(load, python("print('{}')", ', take = "a.0.b"'))


# --- HTTP ------------------------------------------------------------------------------------------------------------


def http(api: Any, lines: str = 'path = "items/{id}"') -> str:
    return f'http.base_url = "{api.url}/v1"\n' + "\n".join(f"http.{line}" for line in lines.splitlines())


def test_a_record_is_read(load: Load, api: Any) -> None:
    api.answer("/v1/items/P-1", {"data": {"id": "P-1", "status": "sent"}})
    found = read(
        load, http(api, 'path = "items/{id}"\nquery = { expand = "all", key = "id:{id}" }\ntake = "data"'), "P-1"
    )
    assert found.output == {"id": "P-1", "status": "sent"}
    assert api.seen[0][0] == "/v1/items/P-1?expand=all&key=id%3AP-1"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("a/b?c#d", "/v1/items/a%2Fb%3Fc%23d"),
        ("a&b=c", "/v1/items/a%26b%3Dc"),
        ("%2e%2e%2fadmin", "/v1/items/%252e%252e%252fadmin"),
        ("@evil.example", "/v1/items/%40evil.example"),
        ("a b;$(id)", "/v1/items/a%20b%3B%24%28id%29"),
        ("a\r\nX-Evil: 1", "/v1/items/a%0D%0AX-Evil%3A%201"),
    ],
)
def test_a_value_stays_one_part_of_the_path(load: Load, api: Any, value: str, path: str) -> None:
    with pytest.raises(NotFound):
        read(load, http(api), value)
    assert [request[0] for request in api.seen] == [path]
    assert "x-evil" not in api.seen[0][1]


@pytest.mark.parametrize("value", ["..", ".", "../admin", "a/../../admin", "..\\admin"])
def test_a_value_cannot_climb(load: Load, api: Any, value: str) -> None:
    with pytest.raises(Unavailable, match="climb"):
        read(load, http(api), value)
    assert api.seen == []


def test_a_query_value_stays_one_value(load: Load, api: Any) -> None:
    api.answer("/v1/items", [1])
    read(load, http(api, 'path = "items"\nquery = { id = "{id}" }'), "1&admin=true#x")
    assert api.seen[0][0] == "/v1/items?id=1%26admin%3Dtrue%23x"


def test_redirects_stay_on_the_host(load: Load, api: Any) -> None:
    api.answer("/v1/items/a", b"", 302, Location="/v1/other")
    api.answer("/v1/other", {"id": "a"})
    assert read(load, http(api), "a").output == {"id": "a"}
    api.answer("/v1/items/b", b"", 302, Location=api.url.replace("127.0.0.1", "localhost") + "/v1/other")
    with pytest.raises(Unavailable, match="another host"):
        read(load, http(api), "b")
    api.answer("/v1/items/c", b"", 302, Location="/v1/items/c")
    with pytest.raises(Unavailable, match="too often"):
        read(load, http(api), "c")
    assert len(api.seen) == 2 + 1 + 4


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 503])
def test_other_answers_say_nothing(load: Load, api: Any, status: int) -> None:
    api.answer("/v1/items/a", {"error": "no such item"}, status)
    with pytest.raises(Unavailable, match=f"HTTP {status}") as caught:
        read(load, http(api), "a")
    assert "no such" not in caught.value.reason


@pytest.mark.parametrize("body", [{}, [], None])
def test_an_empty_answer_is_not_found(load: Load, api: Any, body: Any) -> None:
    api.answer("/v1/items/a", body)
    with pytest.raises(NotFound):
        read(load, http(api), "a")


def test_large_compressed_and_strange_answers_say_nothing_or_stay_text(load: Load, api: Any) -> None:
    api.answer("/v1/items/large", b"x" * 5000)
    api.answer("/v1/items/packed", b"\x1f\x8b", content_encoding="gzip")
    api.answer("/v1/items/deep", b"[" * 5000 + b"]" * 5000)
    api.answer("/v1/items/binary", b"\xff\xfe\x00")
    limits = "limits.max_output_bytes = 1000"
    with pytest.raises(Unavailable, match="larger than 1000 bytes"):
        read(load, http(api), "large", limits)
    with pytest.raises(Unavailable, match="compressed"):
        read(load, http(api), "packed", limits)
    assert set(read(load, http(api), "deep").output) == {"status", "text"}
    assert read(load, http(api), "binary").output["status"] == 200


def test_a_closed_port_says_nothing(load: Load, api: Any) -> None:
    port = api.url.rpartition(":")[2]
    action = http(api).replace(port, "1")
    with pytest.raises(Unavailable, match="no connection"):
        read(load, action, "a")


def test_proxies_and_netrc_are_not_used(load: Load, api: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hunter2-canary\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    api.answer("/v1/items/a", {"id": "a"})
    assert read(load, http(api), "a").ok is True
    assert "authorization" not in api.seen[0][1]


# --- files -----------------------------------------------------------------------------------------------------------


def file(read_: str, more: str = "") -> str:
    return f'file = {{ root = "here", path = "{{id}}", read = "{read_}"{more} }}'


def test_files_are_found_read_and_hashed(load: Load, tmp_path: Path) -> None:
    data = b'{"a": {"b": [1, 2]}}'
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "x.json").write_bytes(data)
    assert read(load, file("exists"), "deep/x.json").output == {
        "path": "deep/x.json", "exists": True, "kind": "file", "size": len(data),
    }  # fmt: skip
    assert read(load, file("exists"), "deep").output["kind"] == "directory"
    assert read(load, file("json", ', take = "a.b.-1"'), "deep/x.json").output == {"value": 2}
    assert read(load, file("sha256"), "deep/x.json").output["sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("kind", ["exists", "json", "sha256"])
def test_a_missing_file_is_not_found(load: Load, tmp_path: Path, kind: str) -> None:
    (tmp_path / "plain").write_text("x", encoding="utf-8")
    for path in ("gone.json", "gone/x.json", "plain/x.json"):
        with pytest.raises(NotFound):
            read(load, file(kind), path)


@pytest.mark.parametrize("value", ["../../etc/passwd", "/etc/passwd", "link/passwd", "link", "a\x00b", "x" * 1000])
def test_nothing_outside_the_root_is_seen(load: Load, tmp_path: Path, value: str) -> None:
    (tmp_path / "link").symlink_to("/etc")
    for kind in ("exists", "json", "sha256"):
        with pytest.raises(Unavailable):
            read(load, file(kind), value)


def test_pipes_directories_large_and_broken_files_say_nothing(load: Load, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large.json").write_text('"' + "x" * 5000 + '"', encoding="utf-8")
    (tmp_path / "broken.json").write_text('{"a": ', encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 5000 + "]" * 5000, encoding="utf-8")
    (tmp_path / "nan.json").write_text('{"a": NaN}', encoding="utf-8")
    for name in ("pipe", ".", "large.json", "broken.json", "deep.json", "nan.json"):
        with pytest.raises(Unavailable):
            read(load, file("json"), name, "limits.max_output_bytes = 1000")
