"""Makes the pictures of the manual: `python benchmarks/pictures.py [--to docs/img]`.

A reader must not miss: they are taken from the running product on the packaged traces, in headless Chromium and from the
printed table, so that they cannot show what it does not do.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from agent_claimcheck import Checker, load_traces
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.catalog import writer_factory
from agent_claimcheck.results.writers.contract import Destination

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import Browser, find_chromium, running_browser  # noqa: E402 - lies with the tests

COLUMNS = 132
SHOTS = {
    "review-light": (1440, 900, "light", "/?view=all&domain=crm&sort=lowest&trace=crm-02"),
    "review-dark": (1440, 900, "dark", "/?sort=closest"),
    "review-narrow": (360, 780, "light", "/?view=all&trace=crm-02"),
}


@contextmanager
def served() -> Iterator[str]:
    """Serve the packaged traces and give the address."""
    with tempfile.TemporaryDirectory(prefix="claimcheck-pictures-") as folder:
        for alias, name in (("example:mixed", "support-runs.jsonl"), ("bench:test", "nightly-runs.jsonl")):
            source = resolve_alias(alias)
            assert source is not None
            shutil.copy(source, Path(folder) / name)
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "agent_claimcheck",
                "serve",
                "support-runs.jsonl",
                "nightly-runs.jsonl",
                "--port",
                "0",
            ],
            cwd=folder,
            env={**os.environ, "XDG_CACHE_HOME": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def take(browser: Browser, address: str, name: str, to: Path) -> None:
    """Take one picture of the page when everything is read."""
    width, height, scheme, place = SHOTS[name]
    page = browser.page(width=width, height=height, scheme=scheme)
    page.go(address)
    page.until("document.querySelector('#progress').textContent === '' && !!document.querySelector('.view-count')", 60)
    page.run("localStorage.setItem('reviewer', 'Kim')")
    page.go(address + place)
    page.until("!!document.querySelector('.sheet') && document.querySelectorAll('.row').length > 3", 30)
    page.run("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 300)))")
    page.picture(to / f"{name}.png")
    page.close()


def terminal_picture() -> str:
    """Return what `check example:mixed` prints, as SVG that loads nothing."""
    printed = io.BytesIO()
    writer = writer_factory("table")(Destination(sink=printed, is_terminal=True, width=COLUMNS))
    summary = Summary()
    writer.begin()
    for result in Checker().check(load_traces("example:mixed")):
        summary.add(result)
        writer.write(result)
    writer.end(summary, exit_decision(summary, FailPolicy()))
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print("$ agent-claimcheck check example:mixed", style="bold", highlight=False)
    console.print(Text.from_ansi(printed.getvalue().decode("utf-8")))
    svg = console.export_svg(title="agent-claimcheck", unique_id="check")
    return re.sub(r"(?s)@font-face \{.*?\}\s*", "", svg).replace("Fira Code", "ui-monospace, Menlo, Consolas")


def main() -> int:
    """Write the pictures; exit 1 where there is no Chromium."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "img")
    to: Path = parser.parse_args().to
    to.mkdir(parents=True, exist_ok=True)
    (to / "check.svg").write_text(terminal_picture(), encoding="utf-8")
    executable = find_chromium()
    if executable is None:
        print("no chromium on this machine: only check.svg was made", file=sys.stderr)
        return 1
    with served() as address, running_browser(executable) as browser:
        for name in SHOTS:
            take(browser, address, name, to)
    print(f"wrote {len(SHOTS) + 1} pictures to {to}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
