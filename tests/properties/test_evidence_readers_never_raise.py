"""Whatever JSON or text a trace holds, the readers of receipts, effects and values answer and stay in their ranges."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coding.suite_summaries import read_test_summary
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.effects import read_effect
from agent_claimcheck.evidence.receipts.reading import ReceiptSource, read_receipt, read_text_status
from agent_claimcheck.evidence.receipts.result_text import ReceiptState
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.undoing import undoes
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.moments import ZoneContext, zones_in
from agent_claimcheck.evidence.values.value_text import extract_values, walk_values
from agent_claimcheck.trace.model import Step, ToolDef

KEYS = """error status success ok failed id command message stdout exit_code code results path content type text dateTime
timeZone issue resourceType to method query start data"""
WORDS = st.sampled_from(KEYS.split())
PHRASES = """Error: x|2 failed, 1 passed|queued|2026-05-04T15:00:00Z|12:61|Traceback (most recent call last)|$1,2|0 errors
{"success": false}|exit code 1|<<[]>>|P|PT|May 99|a@b.c|www.|#|$((|cat <<EOF"""
TEXTS = st.text(max_size=60) | st.sampled_from(PHRASES.replace("\n", "|").split("|"))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.just(10**4000))
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | TEXTS, inner, max_size=5),
    max_leaves=12,
)
ARGS = st.none() | st.dictionaries(WORDS | TEXTS, JSON, max_size=5)
TOOLS = "bash get_x create_event str_replace_editor run_tests sql"
NAMES = st.none() | st.text(max_size=30) | st.sampled_from(TOOLS.split())


def step(kind: str, **fields: Any) -> Step:
    return Step(i=1, ts="2026-01-01T00:00:00Z", kind=kind, role="tool", **fields)  # type: ignore[arg-type]


@settings(max_examples=150)
@given(NAMES, ARGS, JSON, st.none() | st.booleans(), st.none() | TEXTS | st.dictionaries(WORDS, JSON, max_size=3))
def test_receipts_and_effects(
    name: str | None, args: dict[str, Any] | None, output: Any, ok: bool | None, error: Any
) -> None:
    call, result = (
        step("tool_call", name=name, args=args),
        step("tool_result", name=name, output=output, ok=ok, error=error),
    )
    receipt = read_receipt(call, result)
    assert receipt.state in get_args(ReceiptState)
    assert receipt.source in get_args(ReceiptSource)
    assert 0.0 <= receipt.confidence <= 1.0
    if ok is False:
        assert receipt.state == "failed"
    effect = read_effect(call, result, ToolDef(name=name or "x", description=str(name)))
    assert effect.kind in ("read", "write", "unknown")
    assert class_covers("booked", effect) in (True, False, None)
    assert same_target(effect.target, effect.target) in (True, None)
    assert not undoes(effect, effect) or effect.kind != "read"
    assert not effect.is_file_change or effect.kind == "write"


@settings(max_examples=150)
@given(st.text(max_size=400) | TEXTS, NAMES, ARGS)
def test_texts(text: str, name: str | None, args: dict[str, Any] | None) -> None:
    assert read_text_status(text, tool_name=name or "", args=args).state in get_args(ReceiptState)
    assert read_command(text).kind in ("read", "write", "unknown")
    summary = read_test_summary(text)
    assert summary is None or summary.passed >= 0
    assert isinstance(zones_in(text), list)
    for value in extract_values(text):
        assert text[value.span[0] : value.span[1]] == value.raw


@settings(max_examples=200)
@given(JSON, JSON, st.sampled_from([None, "datetime", "email", "number", "string"]))
def test_comparison_is_symmetric(a: Any, b: Any, as_: Any) -> None:
    context = ZoneContext(("Europe/Berlin",))
    assert compare(a, b, as_, context) == compare(b, a, as_, context)
    assert len(list(walk_values(a))) <= 20_000


@settings(max_examples=150)
@given(st.text(max_size=80) | TEXTS)
def test_equal_texts_are_equal(text: str) -> None:
    assert compare(text, text) == "equal"
    assert compare(text, f" {text} ", "string") == "equal"
