"""A shell run is told by the names of its tools."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.shell_runs import is_shell_run


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (["bash"], True),
        (["bash_execute", "read_text_file", "edit_file"], True),
        (["open", "edit", "goto", "submit"], True),
        (["mcp__shell__run_command"], True),
        (["str_replace_editor", "think"], True),
        (["get_order", "cancel_order"], False),
        (["send_email", "create_event", "search_web", "bash"], False),
        (["open", "search_flights", "book"], False),
        ([], False),
    ],
)
def test_shell_runs_are_told_by_their_tools(tools: list[str], expected: bool) -> None:
    assert is_shell_run(tools) is expected
