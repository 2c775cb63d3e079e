"""The one style of the pages without a script: the aggregate report, the bench and the training report.

A reader must not miss: pictures on these pages draw in ``currentColor`` over a ``paper`` that the style takes away, so they
are read in the light and in the dark; as files of their own they stand on white.
"""

from __future__ import annotations

from pathlib import Path


def page_style() -> str:
    """Return the style sheet."""
    return Path(__file__).with_name("page.css").read_text("utf-8")
