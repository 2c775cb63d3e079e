"""Replays a recorded run: records in, report files out.

A reader must not miss: equal records give equal bytes in every file, on every platform and Python version.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.lab.bench.blocks import Image
from agent_claimcheck.lab.bench.build import build_report
from agent_claimcheck.lab.bench.document import write_document
from agent_claimcheck.lab.bench.markdown import write_markdown
from agent_claimcheck.lab.bench.page import write_page
from agent_claimcheck.lab.bench.records import load_run
from agent_claimcheck.lab.bench.report import BenchReport, encode_report
from agent_claimcheck.lab.bench.requests import Rerender
from agent_claimcheck.lab.bench.rerender import renderers

MARKDOWN = "bench.md"


class Replay(Struct, frozen=True, kw_only=True):
    """A report with its files: name -> bytes. ``files["bench.md"]`` finds its pictures beside it.

    ``markdown`` is the block that goes into a README: the same, with pictures under ``results/``.
    """

    report: BenchReport
    files: dict[str, bytes]
    markdown: str


def replay_run(directory: Path, *, answers: str = "recorded", shipped: Mapping[str, Rerender] | None = None) -> Replay:
    """Build the report of the recorded run in ``directory`` from its records alone.

    ``answers`` and ``shipped`` are those of ``build_report``; ``shipped`` of ``None`` stands for the prompts of this
    package. Raises ``InputError`` for a directory that is no recorded run, for records that are wrong, and for request
    hashes that do not hold.
    """
    run = load_run(directory)
    report = build_report(run, answers=answers, shipped=renderers(run) if shipped is None else shipped)
    blocks = write_document(report)
    pictures = {Path(block.link).name: block.svg.encode() for block in blocks if isinstance(block, Image)}
    beside = [replace(block, link=Path(block.link).name) if isinstance(block, Image) else block for block in blocks]
    title = f"Bench report {report.run.get('run_name') or directory.name}"
    return Replay(
        report=report,
        files={
            MARKDOWN: write_markdown(beside).encode(),
            "bench.json": encode_report(report),
            "bench.html": write_page(blocks, title).encode(),
            **pictures,
        },
        markdown=write_markdown(blocks),
    )
