from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.errors import InputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def test_keys_are_sorted_and_nothing_is_padded() -> None:
    value = {"b": [1, 2.5, None], "a": {"z": True, "y": "ü"}}
    assert canonical_json(value) == '{"a":{"y":"ü","z":true},"b":[1,2.5,null]}'.encode()


@given(JSON)
def test_canonical_json_reads_back_equal(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(JSON)
def test_canonical_json_is_written_as_the_standard_library_writes_it(value: Any) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical_json(value) == text.encode("utf-8", "backslashreplace")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, {"a": [math.nan]}, {1: 1, "a": 2}, {1, 2}, b"x"])
def test_values_that_are_not_json_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        canonical_json(value)


def test_deep_values_are_refused_and_do_not_crash() -> None:
    deep: list[Any] = []
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(InputError, match="nested too deep"):
        canonical_json(deep)


def test_lone_surrogates_are_escaped() -> None:
    assert canonical_json("\ud800") == b'"\\ud800"'


def test_sha256_takes_text_and_bytes() -> None:
    assert sha256_hex("abc") == sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert len(sha256_hex("\ud800")) == 64
