"""The list of formats in the documentation is the list of the catalog."""

from __future__ import annotations

import re
from pathlib import Path

from agent_claimcheck.importers.catalog import IMPORTERS

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


def test_every_format_is_in_the_table_and_nothing_else() -> None:
    listed = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(IMPORTERS)
