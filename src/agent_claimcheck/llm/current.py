"""The client in force: ``using(client)`` makes one available to every check inside its block.

A reader must not miss: context variables are not inherited by new threads, so each open block also stands on a list
that all threads see. A thread that was started inside a block finds it there; one that was already running does not.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakSet

from agent_claimcheck.llm.client import ModelClient

_in_context: ContextVar[_Block | None] = ContextVar("agent_claimcheck_client", default=None)
_open_blocks: list[_Block] = []
_lock = threading.Lock()


class _Block:
    """One open ``using`` block: its client and the threads that were running when it was entered."""

    def __init__(self, client: ModelClient, outer: _Block | None) -> None:
        self.client = client
        self.outer = outer
        self.is_open = True
        self.older_threads: WeakSet[threading.Thread] = WeakSet(threading.enumerate())

    def encloses(self, other: _Block) -> bool:
        """True when ``other`` was entered inside this block, or is this block."""
        block: _Block | None = other
        while block is not None:
            if block is self:
                return True
            block = block.outer
        return False


@contextmanager
def using(client: ModelClient) -> Iterator[ModelClient]:
    """Make ``client`` the one that checks inside the block use; the client before it returns on exit.

    Blocks nest. Threads started inside the block inherit it until it ends.
    """
    block = _Block(client, _current_block())
    token = _in_context.set(block)
    with _lock:
        _open_blocks.append(block)
    try:
        yield client
    finally:
        with _lock:
            block.is_open = False
            _open_blocks.remove(block)
        _in_context.reset(token)


def current_client() -> ModelClient | None:
    """Return the client of the innermost open block that covers this code, or ``None``.

    When a thread was started while unrelated blocks of several threads were open, nobody can tell which one started
    it: the answer is ``None`` unless they share one client.
    """
    block = _current_block()
    return None if block is None else block.client


def _current_block() -> _Block | None:
    block = _in_context.get()
    while block is not None and not block.is_open:
        block = block.outer
    return block if block is not None else _inherited()


def _inherited() -> _Block | None:
    thread = threading.current_thread()
    with _lock:
        covering = [block for block in _open_blocks if thread not in block.older_threads]
    if not covering:
        return None
    newest = covering[-1]
    rivals = [block for block in covering if not block.encloses(newest) and block.client is not newest.client]
    return None if rivals else newest
