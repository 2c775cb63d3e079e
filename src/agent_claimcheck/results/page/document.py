"""The self-contained page: one HTML file with its styles, its script and the data, for somebody without the server.

A reader must not miss: the data lies in inert JSON blocks in which ``<`` is escaped, and the content policy in the page
allows one script and one style sheet by their hashes. Nothing in a trace can run, and nothing is fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.page.present import present, top_reason
from agent_claimcheck.trace.model import Trace

_MODULES = ("words", "dom", "badges", "values", "timeline", "claims", "inspector", "report")
"""The modules of the page that the report uses, each after those it needs."""
_STYLES = ("tokens", "page", "inspector", "report")
_LINE = 160

_IMPORT = re.compile(r'(?m)^import [^;]*? from "\./[a-z_]+\.js";\n')
_EXPORT = re.compile(r"(?m)^export (?=function|const|class|async)")


def document_start(title: str) -> bytes:
    """Return everything up to the first trace."""
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return (
        _shell()
        .replace("{{style}}", style)
        .replace("{{policy}}", policy)
        .replace("{{title}}", _escaped(title))
        .encode("utf-8", "replace")
    )


def document_trace(result: CheckResult, trace: Trace | None) -> Iterator[bytes]:
    """Yield the two data blocks of one trace: its row and everything the inspector shows."""
    row = {
        "trace_id": result.trace_id,
        "title": shorten(printable(result.trace_id), _LINE),
        "verdict": result.verdict,
        "record": result.record,
        "domain": shorten(printable(result.domain), _LINE),
        "source": shorten(printable(result.source or ""), _LINE),
        "p": result.p_success,
        "why": shorten(printable(top_reason(result)), _LINE),
        "findings": sorted({finding.id for finding in result.findings}),
        "claims": sorted({shorten(printable(claim.type), _LINE) for claim in result.claims}),
    }
    yield _block("row", row)
    yield _block("trace", present(result, trace))


def document_end(summary: dict[str, Any]) -> bytes:
    """Return everything after the last trace. ``summary`` holds ``headline`` and ``last_line``."""
    return _block("summary", summary) + f'<script type="module">{_script()}</script>\n</body>\n</html>\n'.encode()


def one_trace_page(result: CheckResult, trace: Trace | None) -> bytes:
    """Return a page about one trace alone."""
    title = f"{shorten(printable(result.trace_id), _LINE)} – agent-claimcheck"
    return b"".join([document_start(title), *document_trace(result, trace), document_end({})])


def _block(kind: str, value: Any) -> bytes:
    # "<" is the only character that could end the block or open a comment in it; in JSON it stands in texts only.
    data = encode(value).replace(b"<", b"\\u003c")
    return b'<script type="application/json" data-block="%s">%s</script>\n' % (kind.encode(), data)


def _static(name: str) -> str:
    folder = Path(__file__).parent.parent.parent / "review" / "static"
    return (folder / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _shell() -> str:
    return _static("report.html")


@lru_cache(maxsize=1)
def _style() -> str:
    return "\n".join(_static(f"{name}.css") for name in _STYLES)


@lru_cache(maxsize=1)
def _script() -> str:
    """Return the modules as one script: their imports of each other are what they declare."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _static(f"{name}.js"))) for name in _MODULES)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
