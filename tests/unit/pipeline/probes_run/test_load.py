"""A probes file loads, or every fault is named with its dotted key, and nothing dangerous can be written in one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.pipeline.probes_run import ProbeFile, load_probe_file
from agent_claimcheck.pipeline.probes_run.definition import CommandRead, HttpRead, SqlRead
from agent_claimcheck.pipeline.probes_run.sql_text import read_query

ROOT = Path(__file__).resolve().parents[4]
Load = Callable[[str], ProbeFile]

ID = """params.id = { from = "call.output.id", type = "string", pattern = '[a-z]+' }"""


def probe(action: str, params: str = ID, head: str = 'for_tools = ["t"]') -> str:
    return f'[roots]\nhere = "."\n[[probe]]\nname = "p"\n{head}\n{params}\n{action}'


def command(argv: str) -> str:
    return probe(f'[probe.command]\nroot = "here"\nargv = {argv}\n')


def http(lines: str) -> str:
    return probe(f"[probe.http]\n{lines}\n")


def sql(query: str, url: str = "sqlite:///x.db") -> str:
    return probe(f"[probe.sql]\nurl = {json.dumps(url)}\nquery = {json.dumps(query)}\n")


def faults(load: Load, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(text)
    return str(caught.value)


def test_a_full_file_loads(load: Load) -> None:
    file = load(
        """
limits = { timeout_s = 2, max_output_bytes = 1000, concurrency = 2, max_runs_per_trace = 5 }
"""
        + probe(
            """
[probe.http]
base_url = "https://api.example/v1"
path = "items/{id}.json"
query = { expand = "all", key = "id:{id}" }
headers = { Authorization = { env = "TOKEN", prefix = "Bearer " }, X-Team = "blue" }
take = "data.0"
"""
        )
    )
    [definition] = file.probes
    assert file.limits.timeout_s == 2
    assert isinstance(definition.action, HttpRead)
    assert definition.action.path.fill({"id": "a"}) == "items/a.json"
    assert definition.action.take == ("data", "0")
    assert definition.params[0].sources[0].segments == ("id",)


def test_relative_places_are_relative_to_the_file(load: Load, tmp_path: Path) -> None:
    file = load(command('["git", "cat-file", "-t", "{id}"]'))
    action = file.probes[0].action
    assert isinstance(action, CommandRead)
    assert action.root.resolve() == tmp_path.resolve()
    database = load(sql("SELECT * FROM t WHERE id = :id")).probes[0].action
    assert isinstance(database, SqlRead)
    assert database.folder == tmp_path


def test_all_faults_are_named_at_once_with_file_key_and_value(load: Load, tmp_path: Path) -> None:
    message = faults(
        load,
        """
[limits]
timeout_s = 0
concurency = 3
[[probe]]
name = "a"
for_tools = "t"
file = { root = "r", path = "x", read = "content" }
[[probe]]
name = "b"
[[probe]]
for_tools = ["t"]
params.x = { from = "call.result.id", type = "string" }
file = { root = "nowhere", path = "../x", read = "exists" }
name = "c"
""",
    )
    path = tmp_path / "probes.toml"
    for line in (
        'limits.concurency: is not a key of a probes file, did you mean "concurrency"?',
        'probe[0].for_tools: expected a list, got "t"',
        'probe[0].file.read: expected one of exists, json, sha256; got "content"',
        "probe[1]: must have exactly one of command, http, sql, file; it has none of them",
        "probe[1]: must say when it runs",
        "probe[2].params.x.from: must be one of claim.type",
        "probe[2].params.x.pattern: is required for a string",
    ):
        assert f"{path}: {line}" in message


def test_limits_stay_in_range(load: Load) -> None:
    for line in ("timeout_s = 601", "timeout_s = nan", "max_output_bytes = 99999999", "concurrency = 65"):
        assert "limits." in faults(load, f"[limits]\n{line}\n" + command('["git", "{id}"]'))


@pytest.mark.parametrize(
    "argv",
    [
        '["sh", "-c", "echo {id}"]',
        '["/bin/bash", "run.sh", "{id}"]',
        '["git", "bash", "{id}"]',
        '["env", "{id}"]',
        '["ssh", "host", "{id}"]',
        '["sudo", "cat", "{id}"]',
        '["xargs", "{id}"]',
        '["find", ".", "{id}"]',
        '["{id}"]',
        '["./{id}"]',
        '["python3", "{id}"]',
        '["python3.11", "-u", "{id}"]',
        '["python3", "-c", "{id}"]',
        '["psql", "--command={id}"]',
        '["git", "-c", "{id}"]',
        '["awk", "{id}"]',
        '["git", "a {id} b"]',
        '["git", "{id}{id}"]',
        '["git", "show $(echo {id})"]',
        '["git", "{other}"]',
        '["git", "{id"]',
        '["git", "a\\u0000b", "{id}"]',
        "[]",
    ],
)
def test_commands_that_could_run_text_of_a_trace_are_refused(load: Load, argv: str) -> None:
    assert "probe[0].command.argv" in faults(load, command(argv))


@pytest.mark.parametrize(
    "argv",
    ['["git", "cat-file", "-t", "{id}"]', '["git", "show", "HEAD:{id}"]', '["tool", "--id={id}"]',
     '["python3", "read.py", "{id}"]', '["tool", "{{x}}", "{id}"]'],
)  # fmt: skip
def test_values_may_be_whole_arguments_or_follow_a_name(load: Load, argv: str) -> None:
    assert load(command(argv)).probes


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('base_url = "ftp://x"\npath = "{id}"', "base_url"),
        ('base_url = "https://user:hunter2@x"\npath = "{id}"', "base_url"),
        ('base_url = "https://{id}.example"\npath = "{id}"', "base_url"),
        ('base_url = "https://x?a=1"\npath = "{id}"', "base_url"),
        ('base_url = "https://x\\\\@y"\npath = "{id}"', "base_url"),
        ('base_url = "https://x:99999"\npath = "{id}"', "base_url"),
        ('base_url = "https://x"\npath = "../{id}"', "path"),
        ('base_url = "https://x"\npath = "a?b={id}"', "path"),
        ('base_url = "https://x"\npath = "//y/{id}"', "path"),
        ('base_url = "https://x"\npath = "a"\nquery = { q = "name eq \'{id}\'" }', "query.q"),
        (
            'base_url = "https://x"\npath = "{id}"\nheaders = { Authorization = "Bearer hunter2" }',
            "headers.Authorization",
        ),
        ('base_url = "https://x"\npath = "{id}"\nheaders = { X-Api-Key = "hunter2" }', "headers.X-Api-Key"),
        ('base_url = "https://x"\npath = "{id}"\nheaders = { X-A = "a\\r\\nB: c" }', "headers.X-A"),
        ('base_url = "https://x"\npath = "{id}"\nheaders = { X-A = { env = "hunter2!" } }', "headers.X-A.env"),
        ('base_url = "http://x"\npath = "{id}"\nheaders = { X-A = { env = "TOKEN" } }', "headers.X-A"),
        ('base_url = "https://x"\npath = "{id}"\ntake = "a..b"', "take"),
    ],
)
def test_requests_that_could_leave_their_place_are_refused(load: Load, lines: str, key: str) -> None:
    message = faults(load, http(lines))
    assert f"probe[0].http.{key}: " in message
    assert "hunter2" not in message


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM t WHERE id = :id",
        "SELECT 1 WHERE :id = ''; DROP TABLE t",
        "WITH x AS (DELETE FROM t WHERE id = :id RETURNING *) SELECT * FROM x",
        "SELECT * INTO u FROM t WHERE id = :id",
        "PRAGMA table_info(:id)",
        "ATTACH 'x' AS :id",
        "SELECT * FROM t WHERE id = :ident",
        "SELECT * FROM t WHERE id = '{id}'",
        "SELECT * FROM t WHERE id = ?",
        "SELECT * FROM t WHERE id = $1",
        "SELECT 'it\\' OR :id",
        "SELECT 'open WHERE id = :id",
        "-- nothing\n",
    ],
)
def test_queries_that_are_not_one_select_are_refused(load: Load, query: str) -> None:
    assert "probe[0].sql.query" in faults(load, sql(query)) or "params.id: is used nowhere" in faults(load, sql(query))


def test_a_query_is_written_for_each_kind_of_database() -> None:
    query = read_query("SELECT a::text, '%:x', b FROM t WHERE id = :id AND b LIKE '%y' AND c = :id")
    assert query.params == ("id", "id")
    assert query.written(":{}") == "SELECT a::text, '%:x', b FROM t WHERE id = :id AND b LIKE '%y' AND c = :id"
    assert query.written("%({})s") == (
        "SELECT a::text, '%%:x', b FROM t WHERE id = %(id)s AND b LIKE '%%y' AND c = %(id)s"
    )


def test_words_in_quotes_and_comments_change_nothing(load: Load) -> None:
    query = """SELECT "delete", updated_at, 'drop; :nothing', x::text /* insert */ FROM t -- update
    WHERE id = :id AND at < '10:30' ;"""
    action = load(sql(query)).probes[0].action
    assert isinstance(action, SqlRead)
    assert action.params == ("id",)


@pytest.mark.parametrize(
    "url", ["sqlite://x.db", "sqlite:///x.db?mode=rw", "mysql://h/x", "postgresql://u:hunter2@h/x", "x.db",
            "postgresql://h/x?password=hunter2"],
)  # fmt: skip
def test_database_urls_are_checked_and_hold_no_password(load: Load, url: str) -> None:
    message = faults(load, sql("SELECT * FROM t WHERE id = :id", url))
    assert "probe[0].sql.url: " in message
    assert "hunter2" not in message


def test_a_parameter_that_does_not_reach_the_reading_is_a_fault(load: Load) -> None:
    assert "probe[0].params.id: is used nowhere" in faults(load, command('["git", "status"]'))


def test_a_parameter_needs_the_part_of_the_trace_it_is_taken_from(load: Load) -> None:
    text = probe('file = { root = "here", path = "{id}", read = "exists" }', head='for_claims = ["c"]')
    assert "probe[0].params.id.from: takes a value of a call, so the probe needs for_tools" in faults(load, text)


@pytest.mark.parametrize("path", ["/etc/{id}", "../{id}", "~/{id}", "a\\\\{id}"])
def test_file_paths_lie_below_their_root(load: Load, path: str) -> None:
    text = probe(f'file = {{ root = "here", path = "{path}", read = "exists" }}')
    assert "probe[0].file.path: must be a path below the root" in faults(load, text)


@pytest.mark.parametrize("root", ["/", "~", "a\\u0000"])
def test_roots_are_plain_directories(load: Load, root: str) -> None:
    text = f'[roots]\nall = "{root}"\n[[probe]]\nname = "p"\nfor_tools = ["t"]\ncommand = {{ root = "all", argv = ["ls"] }}'
    assert "roots.all: " in faults(load, text)


@pytest.mark.parametrize(
    "pattern",
    ["(a", "a)|(b", r"(a)\1", "(?=a)", r"\Qabc", "a" * 100_000],
    ids=["open", "stray", "back", "look", "quote", "long"],
)
def test_patterns_that_cannot_be_used_are_faults(load: Load, pattern: str) -> None:
    params = f'params.id = {{ from = "call.output.id", type = "string", pattern = {json.dumps(pattern)} }}'
    text = probe('file = { root = "here", path = "{id}", read = "exists" }', params=params)
    assert "probe[0].params.id.pattern: " in faults(load, text)


def test_a_file_of_very_many_probes_is_refused_quickly(load: Load) -> None:
    assert "at most 500 go into one file" in faults(load, '[[probe]]\nname = "p"\n' * 5000)


def test_what_is_no_probes_file_is_said(load: Load, tmp_path: Path) -> None:
    assert "is not valid TOML" in faults(load, "[[probe]\n")
    assert "required field" in faults(load, "[limits]\n")
    assert "every probe in it is still commented out" in faults(load, "# [[probe]]\n")
    assert "must be written in quotes" in faults(load, "[roots]\nx = 2030-01-01\n")
    with pytest.raises(ConfigError, match="file not found"):
        load_probe_file(tmp_path / "gone.toml")


def test_schema_is_published_valid_and_fits_the_example() -> None:
    published = (ROOT / "schemas" / "probes-file.json").read_bytes()
    assert (ROOT / "src" / "agent_claimcheck" / "_data" / "schemas" / "probes-file.json").read_bytes() == published
    schema = json.loads(published)
    Draft202012Validator.check_schema(schema)
    example = ROOT / "examples" / "probes.toml"
    assert list(Draft202012Validator(schema).iter_errors(tomllib.loads(example.read_text(encoding="utf-8")))) == []
    assert {type(definition.action).__name__ for definition in load_probe_file(example).probes} == {
        "CommandRead", "HttpRead", "SqlRead", "FileRead",
    }  # fmt: skip


@pytest.mark.parametrize("place", ["[limits]\nzzz = 1", "zzz = 1"])
def test_a_key_that_nobody_knows_is_named_beside_the_other_faults(load: Load, place: str) -> None:
    text = '[[probe]]\nname = "a"\nfor_tool = ["t"]\nparams.x = { from = "task.id", type = "string" }\n'
    message = faults(load, f"{place}\n{text}")
    for line in (
        "zzz: is not a key",
        'probe[0].for_tool: is not a key of a probes file, did you mean "for_tools"',
        "probe[0].params.x.pattern: is required for a string",
    ):
        assert line in message


def test_a_drafted_file_in_which_nothing_was_filled_in_yet_says_so(load: Load) -> None:
    drafted = "## read_order: shows what order wrote\n# [[probe]]\n# name = 'read_order'\n"
    with pytest.raises(ConfigError, match="every probe in it is still commented out") as raised:
        load(drafted)
    assert 'take the "# " away' in str(raised.value.hint)
