"""What a diff took out of a Python file, and whether it was put back."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.diffs import DiffLine, Hunk
from agent_claimcheck.evidence.coding.lost_lines import lost_lines

_OVERWRITTEN = """
     def left(self):
         count = self._count()
-        return count
+        self.seen = True

     def used(self):
         pass
"""
_KEPT_UNDER_A_NAME = _OVERWRITTEN.replace("self.seen = True", "left = count")
_HEADLESS = """
 import os

-def left(stock):
     \"\"\"Say what is left.\"\"\"
     return stock.n
"""
_OTHER_HEAD = _HEADLESS.replace("-def left(stock):", "-def left(stock):\n+def remaining(stock):")
_OUT_OF_ITS_CLASS = """
-    def left(self):
+def left(self):
         return self.n

     def used(self):
         return 1
"""
_OUT_OF_ITS_CLASS_AS_THE_LAST = _OUT_OF_ITS_CLASS.replace("    def used(self)", "def used(self)")


def _hunk(text: str, path: str = "stock.py") -> Hunk:
    lines = [DiffLine(line[:1] or " ", line[1:]) for line in text.strip("\n").split("\n")]
    return Hunk(path, lines, True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [(_OVERWRITTEN, "overwritten"), (_HEADLESS, "head"), (_OUT_OF_ITS_CLASS, "method")],
    ids=["a return became another statement", "a body without its head", "a method at the left edge"],
)
def test_a_line_on_which_what_stays_depends_is_lost(text: str, kind: str) -> None:
    assert [lost.kind for lost in lost_lines([_hunk(text)])] == [kind]


@pytest.mark.parametrize(
    "text",
    [_KEPT_UNDER_A_NAME, _OTHER_HEAD, _OUT_OF_ITS_CLASS_AS_THE_LAST],
    ids=["the value stays under a name", "another head", "nothing of the class is left below"],
)
def test_a_line_with_another_in_its_place_is_not_lost(text: str) -> None:
    assert list(lost_lines([_hunk(text)])) == []


def test_what_another_hunk_of_the_file_puts_back_is_not_lost() -> None:
    back = _hunk("+def left(stock):\n+    return 0\n")
    assert list(lost_lines([_hunk(_HEADLESS), back])) == []
    assert [lost.path for lost in lost_lines([_hunk(_HEADLESS), _hunk("+def left(stock):", "other.py")])] == [
        "stock.py"
    ]


def test_the_last_lines_of_a_cut_hunk_say_nothing_of_a_return() -> None:
    whole = _hunk(_OVERWRITTEN)
    assert list(lost_lines([Hunk(whole.path, whole.lines, False)])) == []
