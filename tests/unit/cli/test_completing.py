"""The tab key: names of detectors and formats where an option takes one of them."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from agent_claimcheck.cli.app import app


@pytest.mark.parametrize(
    ("words", "begun", "wanted"),
    [
        (["check", "--detector"], "cascade-o", {"cascade-offline"}),
        (["check", "-o"], "ju", {"junit="}),
        (["check", "-o"], "git", {"github"}),
        (["explain", "--from"], "claude", {"claude-code"}),
        (["check", "--detector"], "nobody", set()),
    ],
)
def test_names_that_begin_so_are_offered(words: list[str], begun: str, wanted: set[str]) -> None:
    shell = ShellComplete(app, {}, "agent-claimcheck", "_AGENT_CLAIMCHECK_COMPLETE")
    assert {item.value for item in shell.get_completions(words, begun)} == wanted
