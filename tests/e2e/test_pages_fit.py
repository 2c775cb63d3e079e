"""What the pages show at the sizes and in the colours people have: nothing cut off, and what is sorted by is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from agent_claimcheck.cli.commands.bench import bench
from agent_claimcheck.cli.commands.check import check
from agent_claimcheck.cli.commands.report import report as report_command
from agent_claimcheck.cli.commands.train import train
from agent_claimcheck.detectors.contract import DetectorOutput
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.results.v2 import encode_v2
from browser import Browser
from fakes import booking_trace
from review_server import running_review, write_traces

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "height"), [(905, 800), (1000, 800), (1024, 768), (1440, 900)])
def test_the_review_page_fits_the_window_whatever_its_bar_takes(
    chromium: Browser, tmp_path: Path, width: int, height: int
) -> None:
    traces = [booking_trace(f"run-{n:02d}") for n in range(30)]
    with running_review([str(write_traces(tmp_path / "t.jsonl", traces))], tmp_path) as review:
        page = chromium.page(width=width, height=height)
        page.go(f"{review.url}/?trace=run-25")
        page.until("!!document.querySelector('.row[aria-current]') && !!document.querySelector('.decide')")
        box = "document.querySelector('{}').getBoundingClientRect()"
        assert page.run("document.documentElement.scrollHeight") == height
        assert page.run("scrollY") == page.run(f"{box.format('.top')}.top") == 0
        assert page.run(f"{box.format('.decide')}.bottom") <= height
        assert page.run(f"{box.format('.row[aria-current]')}.bottom") <= height + 1  # the browser rounds scrolling
        page.close()


def test_a_row_says_which_score_it_is_sorted_by(chromium: Browser, tmp_path: Path) -> None:
    traces = [booking_trace("contradicted"), booking_trace("learned")]
    first, second = (replace(Checker("rules").check_one(trace), verdict="unverifiable") for trace in traces)
    learned = DetectorOutput(detector="classifier", p_success=0.6, abstain=True, details={"score": 0.99})
    given = [
        replace(first, p_success=0.03, abstain=False),
        replace(second, p_success=0.6, abstain=True, detectors=[learned]),
    ]
    (tmp_path / "r.jsonl").write_bytes(b"".join(encode_v2(result) + b"\n" for result in given))
    path = write_traces(tmp_path / "t.jsonl", traces)
    with running_review([str(path)], tmp_path, results=tmp_path / "r.jsonl") as review:
        page = chromium.page()
        for sort, shown in (("closest", ["0.03", "sorted by 0.99"]), ("lowest", ["0.03", "0.60"])):
            page.go(f"{review.url}/?sort={sort}")
            page.until("document.querySelectorAll('.row').length === 2")
            assert page.run("[...document.querySelectorAll('.row-score')].map((s) => s.textContent)") == shown
        page.close()


def test_a_report_puts_the_accused_first_and_a_link_opens_one_run(chromium: Browser, tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    CliRunner().invoke(check, ["example:mixed", "-o", f"html={report}"])
    page = chromium.page()
    page.go(report.as_uri())
    page.until("document.querySelectorAll('.report-item').length === 12")
    names = page.run("[...document.querySelectorAll('.row-name')].map((name) => name.textContent)")
    assert names[:4] == ["booking-02", "crm-02", "coding-02", "booking-03"]
    assert page.run("document.querySelector('.report-line .tone-bad').textContent") == "FAIL"

    page.run("document.querySelectorAll('.report-item')[1].open = true")
    page.until("location.hash === '#trace=crm-02'")
    address = page.run("location.href")
    page.close()

    page = chromium.page()
    page.go(address)
    page.until("document.querySelector('.report-item[open] .sheet h2')?.textContent === 'crm-02'")
    page.run("location.hash = 'trace=coding-04'")
    page.until("document.querySelectorAll('.report-item[open] .sheet').length === 2")
    assert json.dumps(page.errors) == "[]"
    page.close()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The pages without a script: of `report`, of `train` and of `bench`."""
    folder = tmp_path_factory.mktemp("reports")
    CliRunner().invoke(check, ["bench:test", "-o", f"jsonl={folder / 'r.jsonl'}"])
    CliRunner().invoke(report_command, [str(folder / "r.jsonl"), "--html", str(folder / "all.html")])
    CliRunner().invoke(train, ["bench:train", "--out", str(folder / "train")])
    CliRunner().invoke(bench, ["--from-recorded", "recorded:v0.1.0", "--out", str(folder / "bench")])
    return [folder / "all.html", folder / "train" / "report.html", folder / "bench" / "bench.html"]


def test_pictures_are_read_in_the_dark_and_on_a_phone(chromium: Browser, reports: list[Path]) -> None:
    for scheme, ink in (("light", "rgb(27, 31, 36)"), ("dark", "rgb(230, 233, 238)")):
        for report in reports:
            page = chromium.page(width=400, height=800, scheme=scheme)
            page.go(report.as_uri())
            assert page.run("document.querySelectorAll('svg').length") > 1
            papers = "[...document.querySelectorAll('svg .paper')].map((paper) => getComputedStyle(paper).fill)"
            words = "[...document.querySelectorAll('svg text')].map((text) => getComputedStyle(text).fill)"
            shrunk = "[...document.querySelectorAll('svg')].filter((s) => s.clientWidth < s.viewBox.baseVal.width)"
            assert set(page.run(papers)) <= {"none"}
            assert set(page.run(words)) == {ink}
            assert page.run(f"{shrunk}.length") == 0
            assert page.errors == []
            page.close()


def test_what_is_wider_than_a_phone_says_so_and_scrolls_by_itself(chromium: Browser, reports: list[Path]) -> None:
    for report in reports:
        page = chromium.page(width=400, height=800)
        page.go(report.as_uri())
        cut = "[...document.querySelectorAll('table, svg')].filter((e) => e.getBoundingClientRect().right > 400)"
        assert page.run("document.documentElement.scrollWidth") == 400
        assert page.run(f"{cut}.length") > 1
        assert page.run(f"{cut}.every((e) => getComputedStyle(e.parentElement).backgroundImage.includes('gradient'))")
        page.close()


def test_no_table_is_cut_on_a_desk(chromium: Browser, reports: list[Path]) -> None:
    for report in reports:
        page = chromium.page(width=1280, height=800)
        page.go(report.as_uri())
        boxes = "[...document.querySelectorAll('.wide')]"
        assert page.run(f"{boxes}.filter((box) => box.scrollWidth > box.clientWidth).length") == 0
        page.close()
