"""Whether a text names the owner of an e-mail address: "Ann Lee" for ``ann.lee@…``."""

from __future__ import annotations

import re

_FEWEST, _SHORTEST = 2, 2
"""Words of an address that make a name, and letters of such a word, at least."""


def is_owner_named(address: str, text: str) -> bool:
    """True when the name before the ``@`` has several words, and all of them stand in ``text``."""
    words = [word for word in re.split(r"[._-]", address.partition("@")[0].casefold()) if len(word) >= _SHORTEST]
    low = text.casefold()
    return len(words) >= _FEWEST and all(re.search(rf"(?<![\w.@]){re.escape(word)}(?![\w.@]*@)", low) for word in words)
