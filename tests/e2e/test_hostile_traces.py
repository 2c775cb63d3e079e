"""A thousand hostile traces, each opened in a real browser: nothing runs, nothing is fetched, nothing breaks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.trace.model import Step, Trace
from browser import Browser
from fakes import booking_trace
from review_server import running_review, write_traces

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNT = 1000
PIECES = (
    "<script>window.hacked=1</script>", "<img src=http://evil.example/x onerror=window.hacked=1>", "</pre></article>",
    "<svg onload=window.hacked=1>", "javascript:window.hacked=1", "\u202edesrever", "\x1b[2J\x07", "\x00", "e\u0301" * 400,
    "Z" * 30_000, "\n" * 500, "{{constructor}}", "${alert(1)}", "__proto__", "<style>*{display:none!important}</style>",
    "<base href=http://evil.example/>", "<meta http-equiv=refresh content='0;url=http://evil.example'>", "👩‍👩‍👧‍👦", "\ufeff",
    "http://evil.example/?q=1", "&lt;b&gt;", "]]>", "<!--", "' onclick='window.hacked=1", "I booked the room. ", "\u2028",
)  # fmt: skip


def text(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 5)))


def value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randint(0, 6 if depth < 4 else 3)
    if kind == 0:
        return rng.choice([None, True, False, 0, -1e308, 2**53, 1e-300])
    if kind < 4:
        return text(rng)
    if kind == 4:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    return {text(rng)[:200]: value(rng, depth + 1) for _ in range(rng.randint(0, 4))}


def hostile(number: int) -> Trace:
    rng = random.Random(number)
    base = booking_trace(
        f"{number} {rng.choice(PIECES)[:60]}", instruction=text(rng), final=text(rng), outcome="failure"
    )
    steps: list[Step] = []
    for i in range(rng.randint(0, 12)):
        kind, role = rng.choice(
            [("message", "user"), ("message", "agent"), ("tool_call", "agent"), ("tool_result", "tool"),
             ("state_probe", "environment")]
        )  # fmt: skip
        fields: dict[str, Any] = {"content": text(rng) if rng.random() < 0.7 else None}
        if kind != "message":
            args = {text(rng)[:100]: value(rng)} if kind != "tool_result" and rng.random() < 0.7 else None
            fields |= {"name": rng.choice(["rooms.book", text(rng)[:300]]), "args": args, "output": value(rng)}
            fields |= {"ok": rng.choice([True, False, None]), "error": rng.choice([None, text(rng), {"e": text(rng)}])}
        steps.append(Step(i=i, ts="2026-05-01T09:00:00Z", kind=kind, role=role, **fields))  # type: ignore[arg-type]
    return replace(base, source=text(rng)[:100], steps=steps)


def test_a_thousand_hostile_traces_open_as_text_only(chromium: Browser, tmp_path: Path) -> None:
    traces = [hostile(number) for number in range(COUNT)]
    path = write_traces(tmp_path / "t.jsonl", traces)
    with running_review([str(path)], tmp_path) as review:
        assert review.get("state")["total"] == COUNT
        page = chromium.page()
        page.go(review.url + "/?view=all&sort=oldest")
        page.until("!!document.querySelector('.sheet')")
        for trace in traces:
            # The page's own way to a trace: its address changes and it is told so.
            page.run(
                f"history.pushState(null, '', '/?view=all&trace=' + encodeURIComponent({json.dumps(trace.trace_id)}));"
                "dispatchEvent(new PopStateEvent('popstate'))"
            )
            number = trace.trace_id.split(" ", 1)[0]
            page.until(f"document.querySelector('.sheet h2')?.textContent.startsWith('{number} ')", 20)
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('.desk img, .desk script, .desk style, .desk iframe').length") == 0
        assert page.errors == []
        assert {url.split("/")[2] for url in page.requests} == {review.url.removeprefix("http://")}
        page.close()
