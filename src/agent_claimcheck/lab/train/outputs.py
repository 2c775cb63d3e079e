"""The files that training writes: classifiers, calibrators, and the report as Markdown, HTML and pictures."""

from __future__ import annotations

from agent_claimcheck.detectors.classifier.artifact import CLASSIFIER_FILE, LR_FILE, encode_artifact
from agent_claimcheck.lab.bench.blocks import Image
from agent_claimcheck.lab.bench.markdown import write_markdown
from agent_claimcheck.lab.bench.page import write_page
from agent_claimcheck.lab.train.fit import Trained
from agent_claimcheck.lab.train.quality import Quality
from agent_claimcheck.lab.train.report import TITLE, report_blocks
from agent_claimcheck.scoring.artifact import CALIBRATION_FILE, encode_calibration

TEXT_FILE = "text-v1.json"


def training_files(trained: Trained, quality: Quality, skipped: dict[str, int]) -> dict[str, bytes]:
    """Return every file by name. ``lr-v1.json`` and ``calibration.json`` are the documented ones."""
    blocks = report_blocks(trained, quality, skipped)
    files = {
        LR_FILE: encode_artifact(trained.lr),
        CLASSIFIER_FILE: encode_artifact(trained.ours),
        CALIBRATION_FILE: encode_calibration(trained.calibration),
        "report.md": write_markdown(blocks, TITLE).encode("utf-8"),
        "report.html": write_page(blocks, TITLE).encode("utf-8"),
    }
    files.update({block.link: block.svg.encode("utf-8") for block in blocks if isinstance(block, Image)})
    if trained.text is not None:
        files[TEXT_FILE] = encode_artifact(trained.text)
    return files
