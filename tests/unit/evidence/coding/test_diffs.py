"""Unified diffs are read as far as they were printed."""

from __future__ import annotations

from agent_claimcheck.evidence.coding.diffs import read_hunks

_DIFF = """Here is the change:
diff --git a/shop/stock.py b/shop/stock.py
index 3f1..8aa 100644
--- a/shop/stock.py
+++ b/shop/stock.py\t2026-03-02
@@ -3,3 +3,3 @@ class Stock:
     def left(self):
-        return 1
+        return 2

@@ -20,2 +20,1 @@
-    old = 1
     new = 2
\\ No newline at end of file
done
"""


def test_hunks_keep_the_marks_and_the_text_of_their_lines() -> None:
    first, second = read_hunks(_DIFF)
    assert first.path == second.path == "shop/stock.py"
    assert [(line.mark, line.text.strip()) for line in first.lines] == [
        (" ", "def left(self):"),
        ("-", "return 1"),
        ("+", "return 2"),
        (" ", ""),
    ]
    assert [line.mark for line in second.lines] == ["-", " "]
    assert first.is_whole and second.is_whole


def test_indentation_counts_the_characters_in_front() -> None:
    first, _ = read_hunks(_DIFF)
    assert [line.indent for line in first.lines[:2]] == [4, 8]


def test_a_cut_diff_ends_in_a_hunk_that_is_not_whole() -> None:
    cut = _DIFF[: _DIFF.index("+        return 2")]
    (hunk,) = read_hunks(cut + "...[812 characters removed]...")
    assert not hunk.is_whole
    assert [line.mark for line in hunk.lines] == [" ", "-"]


def test_two_files_are_told_apart() -> None:
    other = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"
    assert [hunk.path for hunk in read_hunks(_DIFF + other)] == ["shop/stock.py", "shop/stock.py", "x.py"]


def test_text_without_a_diff_has_no_hunks() -> None:
    assert list(read_hunks("@@ -1,2 +1,2 @@ alone")) == []
    assert list(read_hunks("+++ attention +++")) == []
