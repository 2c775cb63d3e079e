"""The packs a ``Checker`` is given from Python: one path or several, as text or as ``Path``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from agent_claimcheck import Checker

PACK = Path(__file__).parents[3] / "examples" / "rules" / "custom.yaml"


@pytest.mark.parametrize("rules", [PACK, str(PACK), [PACK], (str(PACK),)], ids=["path", "text", "list", "tuple"])
def test_a_pack_is_given_by_one_path_or_by_several(rules: str | Path | Sequence[str | Path]) -> None:
    own = [pack.origin for pack in Checker(rules=rules).spec.packs if pack.is_user]
    assert own == [str(PACK)]
