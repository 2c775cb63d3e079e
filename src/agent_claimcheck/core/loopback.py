"""Which addresses are this machine: a server here needs no key, and no proxy stands before it."""

from __future__ import annotations

from urllib.parse import urlsplit

_HOSTS = ("localhost", "127.0.0.1", "::1")


def is_loopback_url(url: str) -> bool:
    """Return whether ``url`` names a server on this machine. Raises ``ValueError`` for what is no URL.

    >>> is_loopback_url("http://127.0.0.1:8080/v1"), is_loopback_url("https://127.0.0.1.example.test/v1")
    (True, False)
    """
    return urlsplit(url).hostname in _HOSTS
