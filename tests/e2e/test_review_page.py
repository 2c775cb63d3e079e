"""The review page in a real browser: journeys a reviewer makes, and what a hostile trace cannot do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from agent_claimcheck.cli.commands.check import check
from agent_claimcheck.cli.commands.train import train
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.results.page.document import one_trace_page
from agent_claimcheck.trace.model import Step
from browser import Browser, Page
from fakes import booking_trace, model_server, says
from review_server import RULES, Running, running_review, write_traces

pytestmark = pytest.mark.browser

HOSTILE = (
    "</script><script>window.hacked=1</script><img src=http://evil.example/x onerror='window.hacked=1'>"
    "<style>*{display:none}</style><a href=javascript:window.hacked=1>Verified</a> \u202edesrever\u202c \x1b[2J {{7*7}}"
)
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


def runs(count: int) -> list[Any]:
    return [booking_trace(f"run-{n:02d}", instruction=f"Book room number {n} for May.") for n in range(count)]


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Running]:
    path = write_traces(tmp_path / "t.jsonl", runs(14))
    with running_review([str(path)], tmp_path) as running:
        yield running


def opened(browser: Browser, review: Running, address: str = "/", **look: Any) -> Page:
    page = browser.page(**look)
    page.go(review.url + address)
    page.until("!!document.querySelector('.sheet, .empty, .figures')")
    return page


def title(page: Page) -> str:
    return page.text(".sheet h2")


def decide(page: Page, key: str) -> str:
    """Press a key that decides and wait for the next trace; returns the trace that was decided."""
    before = title(page)
    page.press(key)
    page.until(f"document.querySelector('.sheet h2')?.textContent !== {json.dumps(before)}")
    return before


def finish(page: Page, review: Running, *, errors: int = 0) -> None:
    """Check that nothing went wrong and nothing else was asked for."""
    assert page.errors[: len(page.errors) - errors] == []
    assert {url.split("/")[2] for url in page.requests if url.startswith("http")} <= {
        review.url.removeprefix("http://")
    }
    page.close()


def test_ten_decisions_by_keyboard_undo_restart_and_train_on_them(chromium: Browser, tmp_path: Path) -> None:
    path = str(write_traces(tmp_path / "t.jsonl", runs(14)))
    with running_review([path], tmp_path) as review:
        page = opened(chromium, review)
        decided = [decide(page, "v" if n % 2 else "f") for n in range(10)]
        assert decided == [f"run-{n:02d}" for n in range(10)]
        page.until("document.querySelector('.view-count').textContent === '4'")
        page.press("u")
        page.until("document.querySelector('.sheet h2').textContent === 'run-09'")
        assert review.ids() == ["run-09", "run-10", "run-11", "run-12", "run-13"]
        finish(page, review)
    with running_review([path], tmp_path) as review:
        page = opened(chromium, review)
        assert title(page) == "run-09"
        assert page.run("document.querySelectorAll('.row').length") == 5
        decide(page, "v")
        finish(page, review)
    trained = CliRunner().invoke(train, [str(tmp_path / "reviews.jsonl"), "--out", str(tmp_path / "model")])
    assert (trained.exit_code, trained.exception) == (0, None), trained.output
    model = json.loads((tmp_path / "model" / "lr-v1.json").read_text())
    assert model["n_train"] == 10


def test_a_note_and_a_kind_of_failure_go_with_the_decision(chromium: Browser, review: Running, tmp_path: Path) -> None:
    page = opened(chromium, review)
    page.click(".reviewer")
    page.type("Kim")
    page.press("Enter")
    page.run("document.activeElement.blur()")
    page.press("4")
    page.press("n")
    page.until("document.activeElement.id === 'note'")
    page.type("v f j: the room differs")
    page.press("Escape")
    decide(page, "f")
    details = json.loads((tmp_path / "reviews.jsonl").read_text())["ground_truth"]["details"]
    told = {key: details[key] for key in ("note", "failure_kind", "reviewer")}
    assert told == {"note": "v f j: the room differs", "failure_kind": "wrong_value", "reviewer": "Kim"}
    finish(page, review)


def test_j_k_and_s_move_through_the_queue(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review)
    for key, expected in (("j", "run-01"), ("s", "run-02"), ("k", "run-01"), ("k", "run-00"), ("k", "run-00")):
        page.press(key)
        page.until(f"document.querySelector('.sheet h2').textContent === '{expected}'")
        page.until(f"document.querySelector('.row[aria-current] .row-name').textContent === '{expected}'")
    finish(page, review)


def test_search_filter_and_deep_link_lead_to_the_same_trace(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review, "/?view=all")
    page.press("/")
    page.until("document.activeElement.id === 'search'")
    page.type("number 11")
    page.until("document.querySelectorAll('.row').length === 1")
    page.press("Escape")
    page.press("j")
    page.until("document.querySelector('.sheet h2')?.textContent === 'run-11'")
    link = str(page.run("location.pathname + location.search"))
    assert "q=number+11" in link and "trace=run-11" in link
    again = opened(chromium, review, link)
    assert title(again) == "run-11"
    assert again.run("document.querySelectorAll('.row').length") == 1
    finish(page, review)
    finish(again, review)


def test_the_back_button_takes_a_choice_back(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review)
    assert title(page) == "run-00"
    page.run("document.querySelectorAll('.row')[3].click()")
    page.until("document.querySelector('.sheet h2').textContent === 'run-03'")
    page.run("setTimeout(() => history.back())")
    page.until("document.querySelector('.sheet h2').textContent === 'run-00'")
    finish(page, review)


def test_filters_by_chip_and_menu(chromium: Browser, tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        page = opened(chromium, review, "/?view=all")
        page.run("[...document.querySelectorAll('#narrow .chip')].find((c) => c.textContent.includes('False')).click()")
        page.until("document.querySelectorAll('.row').length === 3")
        page.click(".more-filters summary")
        page.run(
            "(() => { const labels = [...document.querySelectorAll('.filter-grid label')];"
            " const menu = labels.find((label) => label.textContent.startsWith('Domain')).querySelector('select');"
            " menu.value = 'crm'; menu.dispatchEvent(new Event('change')); })()"
        )
        page.until("document.querySelectorAll('.row').length === 1")
        page.run("document.querySelector('#narrow > .chips:last-child .chip').click()")
        page.until("document.querySelectorAll('.row').length === 3")
        finish(page, review)


def test_the_list_loads_further_pages_as_one_scrolls(chromium: Browser, tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", runs(120))
    with running_review([str(path)], tmp_path) as review:
        page = opened(chromium, review)
        for wanted in (100, 120):
            page.run("document.getElementById('list-end').scrollIntoView()")
            page.until(f"document.querySelectorAll('.row').length >= {wanted}")
        names = page.run("[...document.querySelectorAll('.row-name')].map((name) => name.textContent)")
        assert len(set(names)) == len(names) == 120
        finish(page, review)


def test_claims_are_marked_and_lead_to_their_steps(chromium: Browser, tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        page = opened(chromium, review, "/?view=all&trace=crm-02")
        assert page.text("mark") != ""
        page.click("mark .mark-link")
        page.until("document.activeElement.dataset.claim === '1'")
        page.click("[data-claim='1'] .steps .step-link")
        page.until("document.activeElement.dataset.step !== undefined")
        assert page.run("document.querySelectorAll('.check-fail').length") == 1
        assert page.text(".check-fail del") + page.text(".check-fail ins") == "7011322890"
        page.press("r")
        page.until("document.querySelector('.raw')?.textContent.includes('agent-trace/v2')")
        finish(page, review)


@pytest.mark.parametrize(
    ("output", "labels"),
    [("shut", ["result 1 error · not ok · 0 ms"]), ("bed 3", ["result 1 error · not ok · 0 ms", "result 1"])],
)
def test_an_error_and_an_output_name_their_step_and_the_same_words_stand_once(
    chromium: Browser, tmp_path: Path, output: str, labels: list[str]
) -> None:
    ts = "2031-02-03T10:00:00Z"
    call = Step(i=0, ts=ts, kind="tool_call", role="agent", name="water", args={"bed": 3})
    result = Step(i=1, ts=ts, kind="tool_result", role="tool", name="water", ok=False, error="shut", output=output)
    run = replace(runs(1)[0], steps=[call, result])
    with running_review([str(write_traces(tmp_path / "t.jsonl", [run]))], tmp_path) as review:
        page = opened(chromium, review, "/?view=all")
        shown = page.run(
            "[...document.querySelectorAll('.pair-results .value-label')].map((label) => label.textContent)"
        )
        assert [" ".join(label.split()) for label in shown] == labels
        finish(page, review)


def test_two_reviewers_do_not_get_the_same_trace(chromium: Browser, review: Running) -> None:
    one = opened(chromium, review)
    two = opened(chromium, review)
    assert title(one) == "run-00"
    two.until("document.querySelector('.sheet h2').textContent !== 'run-00'")
    decide(one, "v")
    one.until("document.querySelector('.sheet h2').textContent === 'run-02'")
    finish(one, review)
    finish(two, review)


def test_another_reviewers_decision_is_refused_and_told(chromium: Browser, review: Running) -> None:
    other = review.new_client()
    other.post("/api/lease", json={"trace_id": "run-05", "reviewer": "Ana"}).raise_for_status()
    page = opened(chromium, review, "/?trace=run-05")
    assert "Ana has this trace open" in page.text(".sheet-banner")
    assert page.run("document.querySelector('.button-good').disabled")
    page.press("v")
    assert len(review.ids()) == 14
    other.close()
    finish(page, review)


def test_a_server_that_went_away_is_told(chromium: Browser, tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", runs(2))
    with running_review([str(path)], tmp_path) as review:
        page = opened(chromium, review)
    page.press("v")
    page.until("document.querySelector('.toast.is-wrong')?.textContent.includes('does not answer')")
    assert title(page) == "run-00"
    page.close()


def test_a_file_without_runs_is_not_shown_as_an_empty_queue(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"")
    with running_review([str(tmp_path / "t.jsonl")], tmp_path) as review:
        page = opened(chromium, review)
        page.until("document.querySelector('.empty strong')?.textContent === 'No traces'")
        assert "holds no traces" in page.text(".empty")
        finish(page, review)


def test_a_trace_that_is_not_here_is_said_to_be_so(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review, "/?trace=nosuch")
    page.until("document.querySelector('.inspector').textContent.includes('not here')")
    assert page.run("document.querySelectorAll('.toast').length") == 0
    page.click(".inspector .button")
    page.until("!!document.querySelector('.sheet')")
    assert page.run("document.querySelectorAll('.row').length") == 14
    page.close()


def test_the_judge_panel_estimates_asks_and_shows_the_answer(chromium: Browser, tmp_path: Path) -> None:
    with model_server(always=lambda request: says()) as server:
        overrides = {
            **RULES, "judge.base_url": server.base_url, "judge.model": "stub", "judge.price_in_per_m": 1.0,
            "judge.price_out_per_m": 1.0,
        }  # fmt: skip
        made = load_settings(None, overrides, {"XDG_CACHE_HOME": str(tmp_path), "CLAIMCHECK_API_KEY": "k"}, tmp_path)
        with running_review(["example:mixed"], tmp_path, settings=made) as review:
            page = opened(chromium, review)
            page.run("[...document.querySelectorAll('#actions button')].find((b) => b.textContent === 'Judge').click()")
            page.until("document.querySelector('dialog')?.textContent.includes('At most')")
            assert "3 paid calls to stub" in page.text("dialog")
            page.click("dialog .button-main")
            page.until("document.querySelector('dialog').textContent.includes('Done: 3 of 3')")
            page.press("Escape")
            page.until("document.querySelector('.view-count').textContent === '0'")
            finish(page, review)


def test_without_a_judge_the_panel_says_what_to_set(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review)
    page.run("[...document.querySelectorAll('#actions button')].find((b) => b.textContent === 'Judge').click()")
    page.until("document.querySelector('dialog')?.textContent.includes('CLAIMCHECK_MODEL')")
    finish(page, review)


def test_reports_are_shown(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "bench.json").write_text(json.dumps({"detectors": {"rules": {"n": 120, "auroc": {"value": 0.91}}}}))
    path = write_traces(tmp_path / "t.jsonl", runs(1))
    with running_review([str(path)], tmp_path, reports=(folder,)) as review:
        page = opened(chromium, review, "/?view=reports")
        assert "0.91" in page.text(".figures")
        finish(page, review)


def test_the_page_fits_a_narrow_screen(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review, "/?view=all", width=360, height=740)
    fits = "document.documentElement.scrollWidth <= 360"
    assert page.run(fits)
    page.click(".row")
    page.until("!!document.querySelector('.is-reading .sheet')")
    assert page.run(fits)
    page.click(".back")
    page.until("!document.querySelector('.is-reading')")
    assert page.run("document.querySelector('.row').getBoundingClientRect().height > 0")
    finish(page, review)


def test_everything_can_be_reached_with_the_tab_key(chromium: Browser, review: Running) -> None:
    page = opened(chromium, review)
    page.run("document.activeElement.blur()")
    seen: list[str] = []
    for _ in range(60):
        page.press("Tab")
        seen.append(
            str(
                page.run(
                    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
                )
            )
        )
    told = " | ".join(seen)
    for name in ("Skip to the trace", "Queue", "Reviewer name", "Judge", "Export", "Search traces", "Order", "run-00"):
        assert name in told, name
    finish(page, review)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address", ["/?view=all&trace=crm-02", "/?view=all&trace=booking-03", "/?view=reviewed", "/?q=nosuch"]
)
def test_accessibility(chromium: Browser, tmp_path: Path, scheme: str, address: str) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        page = opened(chromium, review, address, scheme=scheme)
        page.run("document.querySelectorAll('details.more-filters, details.fewer').forEach((d) => (d.open = true))")
        assert violations(page) == []
        page.press("?")
        page.until("!!document.querySelector('dialog[open]')")
        assert violations(page) == []
        finish(page, review)


def test_accessibility_of_the_self_contained_report(chromium: Browser, tmp_path: Path) -> None:
    CliRunner().invoke(check, ["example:mixed", "-o", f"html={tmp_path / 'r.html'}"])
    page = chromium.page()
    page.go((tmp_path / "r.html").as_uri())
    page.until("document.querySelectorAll('.report-item').length === 12")
    page.run("document.querySelectorAll('.report-item')[5].open = true")
    page.until("!!document.querySelector('.sheet')")
    assert violations(page) == []
    page.click(".report-bar .field")
    page.type("false_success crm")
    page.until("document.querySelectorAll('.report-item').length === 1")
    assert page.errors == []
    assert [url for url in page.requests if not url.startswith("file:")] == []
    page.close()


def violations(page: Page) -> list[str]:
    """Return what axe-core finds, where it is at hand (AXE_PATH), else what our own checks find."""
    place = Path(os.environ.get("AXE_PATH", Path(__file__).parent / "vendor" / "axe.min.js"))
    if not place.is_file():
        found: list[str] = page.run(CONTRAST)
        return found
    # The devtools door is not bound by the page's policy, which would refuse the script.
    page.run(place.read_text(encoding="utf-8") + ";0")
    found = page.run(
        "axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map((v) => v.id + ': ' +"
        " v.nodes.map((n) => n.target.join(' ') + ' ' + n.failureSummary).join(' | ')))"
    )
    return found


def test_a_hostile_trace_is_only_text(chromium: Browser, tmp_path: Path) -> None:
    values = {HOSTILE: HOSTILE}
    final = f"I booked the room. {HOSTILE}"
    trace = booking_trace(HOSTILE, instruction=HOSTILE, final=final, output=values, args=values)
    with running_review([str(write_traces(tmp_path / "t.jsonl", [trace]))], tmp_path) as review:
        page = opened(chromium, review, "/?view=all")
        page.until("!!document.querySelector('.sheet')")
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('.desk img, .desk script, .desk style, .desk iframe').length") == 0
        assert page.run("[...document.querySelectorAll('a')].every((a) => a.origin === location.origin || a.download)")
        assert "\u202e" not in page.text(".inspector")
        finish(page, review)
    out = tmp_path / "one.html"
    out.write_bytes(one_trace_page(Checker().check_one(trace), trace))
    page = chromium.page()
    page.go(out.as_uri())
    page.until("!!document.querySelector('.sheet')")
    assert page.run("window.hacked") is None
    assert (page.errors, [url for url in page.requests if not url.startswith("file:")]) == ([], [])
    page.close()
