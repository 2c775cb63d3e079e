"""Reads and checks the inputs in the background, while the page is already in use.

A reader must not miss: traces are stored in small groups, so a decision never waits long for the store, and a store that
was filled to the end from the very same inputs and settings is used again as it is.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from agent_claimcheck import __version__
from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.errors import ClaimcheckError, InputError, UsageError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.probes_run import ProbeSession
from agent_claimcheck.pipeline.sources import ProbeSource, SourceOptions, list_files, read_sources
from agent_claimcheck.results.read import read_results
from agent_claimcheck.review.store.store import Pair, Store
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.streams import STDIN

_GROUP = 64
"""Traces stored in one transaction."""
_GROUP_S = 0.25
"""Seconds after which a group is stored even if it is small, so that the first traces appear at once."""
_PAUSE_S = 0.002
"""Seconds left to the page after each group; one process serves both."""
_MESSAGES = 50
_MESSAGE = 300


class ScoringPlan(Struct, frozen=True, kw_only=True):
    """What is read and how it is checked.

    ``results`` is a file whose results are used where it has one. ``live`` makes readings of the environment on the way.
    ``on_problem`` hears of everything that cannot be read, from a thread of its own.
    """

    inputs: tuple[str, ...]
    spec: CheckerSpec
    reading: SourceOptions = SourceOptions()
    probes: Path | None = None
    live: ProbeSession | None = None
    results: Path | None = None
    rules: tuple[Path, ...] = ()
    on_problem: Callable[[str], None] | None = None

    def need_results(self) -> None:
        """Raise ``UsageError`` where ``results`` holds none: better before anything is served."""
        if self.results is None:
            return
        try:
            found = next(iter(read_results(self.results)), None)
        except InputError as error:
            raise UsageError(f"--results {error.message}", hint=error.hint, slug="results") from None
        if found is None:
            raise UsageError(f"--results {printable(str(self.results))} holds no results", slug="results")


class Scoring:
    """Fills ``store`` in a thread of its own."""

    def __init__(self, plan: ScoringPlan, store: Store) -> None:
        self._plan = plan
        self._store = store
        self._stopping = threading.Event()
        self._known = threading.Event()
        """Set once a trace was read, or there is nothing more to read."""
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)
        self._state = "reading"
        self._done = 0
        self._problems = 0
        self._messages: list[str] = []
        self._told: list[str] = []

    def start(self) -> None:
        """Begin, unless the store is already complete."""
        if self._store.fact("complete") == "yes":
            self._state = "done"
            self._done = int(self._store.fact("read") or 0)
            self._known.set()
            self._tell_again(int(self._store.fact("problems") or 0))
            return
        self._thread.start()

    def stop(self) -> None:
        """Stop soon and wait for it."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until everything is read; False when the time ran out."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def has_traces(self) -> bool:
        """Wait until a trace was read or everything was; False when there was none."""
        self._known.wait()
        return self._state == "reading" or self._done > 0

    def progress(self) -> dict[str, Any]:
        """Return ``state`` (reading, done, failed or stopped), traces ``read``, ``problems`` and some ``messages``."""
        return {
            "state": self._state,
            "read": self._done,
            "problems": self._problems,
            "messages": list(self._messages),
        }

    def _run(self) -> None:
        try:
            self._read_all()
        except (ClaimcheckError, OSError) as error:
            self._announce(str(error))
            self._say(str(error))
            self._state = "failed"
        finally:
            self._known.set()

    def _read_all(self) -> None:
        if self._plan.results is not None:
            self._keep_results(self._plan.results)
        with Checker(spec=self._plan.spec) as checker:
            for group in _grouped(self._pairs(checker)):
                self._store.add(group)
                self._done += len(group)
                if self._stopping.is_set():
                    self._state = "stopped"
                    return
                time.sleep(_PAUSE_S)
        while left := self._store.take_some(_GROUP):
            self._store.add([(None, result) for result in left])
            self._done += len(left)
        self._store.set_fact("read", str(self._done))
        self._store.set_fact("problems", str(self._problems))
        self._store.set_fact("told", canonical_json(self._told).decode())
        self._store.set_fact("complete", "yes")
        self._state = "done"

    def _keep_results(self, path: Path) -> None:
        found = read_results(path, self._problem)
        while group := list(islice(found, _GROUP)):
            self._store.give(group)

    def _pairs(self, checker: Checker) -> Iterator[Pair]:
        if self._plan.results is None:
            yield from checker.check_pairs(self._traces())
            return
        for trace in self._traces():
            given = self._store.take(trace.trace_id)
            yield trace, given if given is not None else checker.check_one(trace)

    def _traces(self) -> Iterator[Trace]:
        live = self._plan.live
        probes = ProbeSource(self._plan.probes, live)
        for item in probes.joined(read_sources(self._plan.inputs, self._plan.reading)):
            if isinstance(item, Trace):
                self._known.set()
                yield item
            elif isinstance(item, TraceProblem):
                if item.severity == "error":
                    self._problem(str(item))
                else:
                    self._announce(str(item))
            elif item.report.lost:
                self._announce(item.report.line())
        for warning in (*probes.warnings(), *(live.notes() if live else ())):
            self._say(warning)

    def _problem(self, text: str) -> None:
        self._problems += 1
        if len(self._told) < _MESSAGES:
            self._told.append(shorten(printable(text), _MESSAGE))
        self._announce(text)
        self._say(text)

    def _tell_again(self, problems: int) -> None:
        """Tell what the first reading of a store that is used again could not read."""
        self._problems = problems
        for text in json.loads(self._store.fact("told") or "[]"):
            self._announce(text)
            self._say(text)
        if more := problems - len(self._messages):
            self._announce(f"... and {more} more problems in the input")

    def _announce(self, text: str) -> None:
        if self._plan.on_problem is not None:
            self._plan.on_problem(text)

    def _say(self, text: str) -> None:
        if len(self._messages) < _MESSAGES:
            self._messages.append(shorten(printable(text), _MESSAGE))


def store_key(plan: ScoringPlan) -> str | None:
    """Return a name for what ``plan`` would put into a store, ``None`` for what may have changed by the next start.

    That is standard input, and the environment that probes read.

    Raises ``InputError`` for a missing file.
    """
    if STDIN in plan.inputs or plan.live is not None:
        return None
    options = plan.reading.importing
    said = {
        "version": __version__,
        "code": _newest_part(),
        "inputs": [_state_of(Path(name)) for name in list_files(plan.inputs)],
        "beside": [_state_of(path) for path in (plan.probes, plan.results, *plan.rules) if path is not None],
        "reading": [plan.reading.format_name, options.infer_status, options.subagents],
        "detector": plan.spec.detector,
        "gate": [plan.spec.thresholds.verified, plan.spec.thresholds.false_success],
        "claims": [plan.spec.scope, sorted(plan.spec.non_success_types)],
        "packs": [pack.name for pack in plan.spec.packs],
    }
    return sha256_hex(canonical_json(said))[:32]


def _newest_part() -> int:
    """Return when the newest file of this package was changed, in ns: other rules give other results."""
    root = Path(__file__).parent.parent
    return max(
        (path.stat().st_mtime_ns for kind in ("*.py", "*.yaml", "*.txt") for path in root.rglob(kind)), default=0
    )


def _state_of(path: Path) -> list[Any]:
    try:
        state = path.stat()
    except OSError:
        return [str(path)]
    return [str(path.resolve()), state.st_size, state.st_mtime_ns]


def _grouped(pairs: Iterator[Pair]) -> Iterator[list[Pair]]:
    group: list[Pair] = []
    began = time.monotonic()
    for pair in pairs:
        group.append(pair)
        if len(group) >= _GROUP or time.monotonic() - began >= _GROUP_S:
            yield group
            group, began = [], time.monotonic()
    if group:
        yield group
