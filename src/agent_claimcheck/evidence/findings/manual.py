"""The manual page of all findings, made from their docstrings."""

from __future__ import annotations

import inspect
import re

from agent_claimcheck.evidence.findings.catalog import FINDINGS, module_of

_HEAD = """# Findings

A finding is one cited reason, with a stable id and the steps that show it. It needs no rule pack. `--fail-on` takes
finding ids beside verdicts, and a suppressions file can silence one with a reason and an end date.

What a finding may do:

- **accuse**: it makes the claim `contradicted` or `unsupported`, and so the verdict `false_success`;
- **review**: it is shown with its steps and changes no verdict;
- **explain**: it is shown beside a verdict, because it says something a reader asks for. It measured at or near the base
  rate on real runs.

How often each was right on real runs: [quality](explain/quality.md). This page is made from the code.
"""

_LABELS = ("What it catches", "Why it matters", "Example", "Limits")


def findings_page() -> str:
    """Return the page as Markdown, one section a finding in catalog order."""
    parts = [_HEAD]
    for finding_id in FINDINGS:
        module = module_of(finding_id)
        text = inspect.cleandoc(module.__doc__ or "").replace("``", "`")
        title, _, body = text.partition("\n\n")
        for label in _LABELS:
            body = re.sub(rf"^{label}: ", f"- **{label}**: ", body, flags=re.MULTILINE)
        body = re.sub(r"\n(?!- \*\*|\n)", "\n  ", body)
        parts.append(f"## `{finding_id}` ({module.POWER})\n\n{title}\n\n{body.rstrip()}\n")
    return "\n".join(parts)
