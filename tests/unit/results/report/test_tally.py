from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from agent_claimcheck.results.report.page import page_lines
from agent_claimcheck.results.report.plots import axis_end, draw_shares, draw_weeks
from agent_claimcheck.results.report.tally import (
    MOST_NAMES,
    NOT_KEPT,
    OTHERS,
    UNKNOWN,
    Report,
    Tally,
    cells,
    rows_of,
    week_of,
)
from agent_claimcheck.results.report.text import markdown_lines, terminal_lines
from agent_claimcheck.scoring.intervals import wilson

NASTY = "<script>alert(1)</script>\x1b[31m|`"


@pytest.fixture
def report(build_result):
    made = Report()
    made.files = 1
    for number, verdict in enumerate(["verified", "false_success", "false_success", "skipped", "unverifiable"]):
        made.add(
            build_result(
                verdict, f"r{number}", source="shop", model=NASTY, tools=("book", "mail"),
                started_at=f"2026-03-{1 + 7 * number:02d}T10:00:00Z",
            )
        )  # fmt: skip
    return made


def test_shares_are_of_the_traces_that_claimed(report):
    assert report.total.total == 5
    assert report.total.claimed == 4
    assert report.total.decided == 3
    assert report.total.false_share == wilson(2, 4)


def test_a_trace_counts_under_each_of_its_tools(report):
    tools = report.tables["tool"]
    assert {name: tally.total for name, tally in tools.items()} == {"book": 5, "mail": 5}


def test_weeks_come_in_order_and_unknown_times_last(report, build_result):
    report.add(build_result("verified", "undated", started_at="soon"))
    rows, left_out = rows_of(report, "week", 3)
    assert [name for name, _ in rows] == ["2026-W12", "2026-W13", "(not given)"]
    assert left_out == 3


@pytest.mark.parametrize(
    ("time", "week"),
    [
        ("2026-12-31", "2026-W53"),
        ("2027-01-03T00:00:00+02:00", "2026-W53"),
        (None, "(not given)"),
        ("x", "(not given)"),
    ],
)
def test_weeks_are_iso_weeks(time, week):
    assert week_of(time) == week


def test_a_flood_of_names_is_counted_together(build_result):
    made = Report()
    for number in range(MOST_NAMES + 50):
        made.add(build_result("verified", "r", source=f"s{number}"))
    assert len(made.tables["source"]) == MOST_NAMES + 1
    assert made.tables["source"][OTHERS].total == 50
    rows, left_out = rows_of(made, "source", 10)
    assert len(rows) == 10
    assert left_out == MOST_NAMES - 9


def test_a_group_without_claims_has_no_share():
    tally = Tally()
    tally.add("skipped", 3)
    assert cells(tally)[-3:] == ("-", "-", "-")


def test_names_from_traces_do_nothing_anywhere(report):
    terminal = "\n".join(terminal_lines(report, 20))
    assert "\x1b" not in terminal
    markdown = "\n".join(markdown_lines(report, 20))
    assert r"\<script\>" in markdown
    assert "\x1b" not in markdown
    page = "\n".join(page_lines(report, 20))
    assert "<script" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;" in page


def test_pictures_are_well_formed_and_say_what_they_show(report):
    for picture in (
        draw_shares("Shares & more", rows_of(report, "model", 5)[0], 1.0),
        draw_weeks("Weeks", rows_of(report, "week", 20)[0], 1.0),
    ):
        root = ElementTree.fromstring(picture)
        assert root.find("{http://www.w3.org/2000/svg}title").text
    assert draw_weeks("One", rows_of(report, "week", 1)[0], 1.0) == ""


def test_all_pictures_of_a_page_have_one_axis(build_result):
    made = Report()
    for number in range(200):
        verdict = "false_success" if number < 20 else "verified"
        made.add(build_result(verdict, f"r{number}", domain="rare" if number in (0, 199) else "common"))
    page = "".join(page_lines(made, 20))
    pictures = [picture.split("</svg>")[0] for picture in page.split("<svg")[1:]]
    assert len(pictures) > 2
    for picture in pictures:
        shares = [float(text[:-1]) for text in re.findall(r">(\d+\.\d%)<", picture.replace("text-anchor", ""))]
        assert max(shares) == 100.0
    few = [row for row in rows_of(made, "domain", 5)[0] if row[0] == "common"]
    assert axis_end(few) == 0.2
    assert axis_end([]) == 1.0


def test_the_terminal_lines_align(report):
    lines = list(terminal_lines(report, 20))
    assert lines[0].startswith("5 traces from 1 file: 2 of 4 claimed successes are shown to be false, 50.0%")
    tool = lines.index(next(line for line in lines if line.startswith("tool ")))
    assert len({len(line) for line in lines[tool : tool + 3]}) == 1


def test_what_version_1_does_not_keep_of_a_skipped_run_is_no_missing_name(build_result):
    made = Report()
    made.add(build_result("skipped", "a", source=None))
    made.add(build_result("verified", "b", source=None))
    assert set(made.tables["source"]) == {NOT_KEPT, UNKNOWN}
    said = "\n".join(terminal_lines(made, 20))
    assert "version 1 (--out, --format jsonl)" in said
    assert "version 1 (" in "".join(page_lines(made, 20))
    made = Report()
    made.add(build_result("skipped", "a", source="here"))
    assert "version 1" not in "\n".join(terminal_lines(made, 20)) + "".join(page_lines(made, 20))


def test_the_picture_of_many_weeks_shows_the_last_ones(build_result):
    made = Report()
    for week in range(1, 41):
        made.add(
            build_result(
                "false_success", f"r{week}", started_at=f"2025-{1 + week // 4:02d}-{1 + 7 * (week % 4):02d}T00:00:00Z"
            )
        )
    (last, *_) = [name for name, _ in reversed(rows_of(made, "week", 40)[0])]
    page = "".join(page_lines(made, 40))
    assert last in page[page.index("<svg", page.index("By week")) : page.index("</svg>", page.index("By week"))]
