"""How numbers are printed, and how text is kept text."""

from __future__ import annotations

import doctest

import pytest

from agent_claimcheck.lab.bench import blocks, figures
from agent_claimcheck.lab.bench.blocks import Code, Details, Heading, Image, Strong, Table, line
from agent_claimcheck.lab.bench.markdown import write_markdown
from agent_claimcheck.lab.bench.page import write_page


@pytest.mark.parametrize("module", [blocks, figures])
def test_examples_hold(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0.0, "<0.01"), (0.0099, "<0.01"), (0.01, "0.01"), (9.994, "9.99"), (10.2, "10"), (5803.976, "5804")],
)
def test_times_lose_decimals_as_they_grow(value: float, printed: str) -> None:
    assert figures.duration(value) == printed


def test_what_was_not_measured_is_never_printed_as_zero() -> None:
    assert figures.usd(None) == figures.duration(None) == "not measured"
    assert figures.interval(None) == figures.share(None) == figures.score(None) == "n/a"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b <0.01 & c", "a_b <0.01 & c"),
        ("actual \\ verdict", "actual \\ verdict"),
        ("a|b", "a\\|b"),
        ("\\|", "\\\\\\|"),
        ("<b>", "&lt;b>"),
        ("&lt;", "&amp;lt;"),
        ("[x](y)", "[x\\](y)"),
        ("0.9 [0.8, 1.0]", "0.9 [0.8, 1.0]"),
        ("two\nlines", "two\\nlines"),
    ],
)
def test_markdown_text_stays_text(text: str, written: str) -> None:
    assert write_markdown([line(text)]) == f"{written}\n"


@pytest.mark.parametrize(("text", "written"), [("a", "`a`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```")])
def test_code_spans_hold_backticks(text: str, written: str) -> None:
    assert write_markdown([line(Code(text))]) == f"{written}\n"


def test_every_block_has_both_forms() -> None:
    table = Table(("k", "v"), (("a", "1"),))
    document = [Heading("H"), line("x ", Strong("y")), table, Details("more", table), Image("alt", "a b.svg", "<svg/>")]
    markdown, page = write_markdown(document), write_page(document, "<t>")
    assert "### H" in markdown and "**y**" in markdown and "| a | 1 |" in markdown and "![alt](a%20b.svg)" in markdown
    assert "<details><summary>more</summary>" in markdown
    assert "<h2>H</h2>" in page and "<strong>y</strong>" in page and "<td>1</td>" in page and "<svg/>" in page
    assert "<title>&lt;t&gt;</title>" in page


def test_a_document_of_its_own_begins_with_its_title() -> None:
    assert write_markdown([Heading("H"), line("x")], "The <t>itle") == "# The &lt;t>itle\n\n## H\n\nx\n"
    assert write_markdown([Heading("H")]) == "### H\n"


def test_columns_of_words_are_marked_as_such() -> None:
    table = Table(("k", "v", "use"), (("a", "1", "applied"),), words=("use",))
    assert '<th scope="col" class="words">use</th>' in write_page([table], "t")
    assert '<td>1</td><td class="words">applied</td>' in write_page([table], "t")
