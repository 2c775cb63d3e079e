"""The self-contained report."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from click.testing import CliRunner

from agent_claimcheck.cli.commands.check import check
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.results.page.document import document_trace, one_trace_page
from fakes import booking_trace
from review_server import write_traces

BLOCK = re.compile(r'<script type="application/json" data-block="(\w+)">(.*?)</script>', re.DOTALL)
HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>"


def report_of(tmp_path: Path, *arguments: str) -> str:
    out = tmp_path / "r.html"
    result = CliRunner().invoke(check, [*arguments, "-o", f"html={out}"])
    assert result.exit_code in (0, 1), result.output
    return out.read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[dict[str, object]]:
    return [json.loads(data) for found, data in BLOCK.findall(page) if found == kind]


def test_totals_and_every_trace_with_its_steps_are_in_it(tmp_path: Path) -> None:
    page = report_of(tmp_path, "example:mixed")
    assert len(blocks(page, "row")) == len(blocks(page, "trace")) == 12
    assert all(trace["timeline"] for trace in blocks(page, "trace"))
    (summary,) = blocks(page, "summary")
    assert summary["headline"] == "12 traces: 3 verified, 3 false_success, 3 unverifiable, 3 skipped"


def test_grouped_runs_are_reported_without_steps(tmp_path: Path) -> None:
    page = report_of(tmp_path, "example:mixed", "--group", "task")
    assert len(blocks(page, "row")) == 12
    assert not any("timeline" in trace for trace in blocks(page, "trace"))


def test_the_policy_of_the_page_allows_exactly_its_own_script_and_styles(tmp_path: Path) -> None:
    page = report_of(tmp_path, "example:mixed")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    allowed = set(re.findall(r"'(sha256-[^']+)'", policy[1]))
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(scripts) == len(styles) == 1
    used = {
        f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}" for text in (*scripts, *styles)
    }
    assert allowed == used
    assert "default-src 'none'" in policy[1] and "unsafe" not in policy[1]


def test_the_script_declares_every_name_once_and_imports_nothing(tmp_path: Path) -> None:
    script = re.findall(r'<script type="module">(.*?)</script>', report_of(tmp_path, "example:mixed"), re.DOTALL)[0]
    assert not re.search(r"(?m)^\s*(import|export)\b", script)
    names = re.findall(r"(?m)^(?:async )?(?:function|const|let|class) (\w+)", script)
    assert len(names) == len(set(names))


def test_nothing_of_a_trace_becomes_markup(tmp_path: Path) -> None:
    trace = booking_trace("x", instruction=HOSTILE, final=HOSTILE + " I booked it.", output={HOSTILE: HOSTILE})
    page = report_of(tmp_path, str(write_traces(tmp_path / "t.jsonl", [trace])))
    assert "<img" not in page and "<!--" not in page and "alert(1)</" not in page
    assert blocks(page, "trace")[0]["instruction"] == HOSTILE


def test_a_page_of_one_trace_takes_any_name() -> None:
    trace = booking_trace("<b>{{style}}</title>\ud800")
    page = one_trace_page(Checker().check_one(trace), trace).decode("utf-8")
    assert "<b>" not in page
    assert page.count("<style>") == 1 and page.count("</title>") == 1


def test_a_label_is_not_in_the_report() -> None:
    trace = booking_trace("a", outcome="failure")
    assert b"ground_truth" not in b"".join(document_trace(Checker().check_one(trace), trace))
