from __future__ import annotations

import time

from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import Pairing, pair


def shown(pairing: Pairing) -> list[tuple[int, list[int], bool]]:
    """(call, results, is_ambiguous) by step number."""
    return [(item.call.i, [step.i for step in item.results], item.is_ambiguous) for item in pairing.calls]


def test_a_result_answers_the_nearest_earlier_call_of_its_name(call, result):
    steps = [call(0, "a"), call(1, "b"), result(2, "b"), result(3, "a"), call(4, "a"), result(5, "a")]
    assert shown(pair(steps)) == [(0, [3], False), (1, [2], False), (4, [5], False)]


def test_a_call_without_result_keeps_its_place(call, result, message):
    pairing = pair([message(0), call(1, "a"), result(2, "b")])
    assert shown(pairing) == [(1, [], False)]
    assert pairing.calls[0].result is None
    assert [step.i for step in pairing.orphans] == [2]


def test_of_several_results_the_last_counts_and_all_are_kept(call, result):
    (only,) = pair([call(0), result(1, ok=False), result(2, ok=True)]).calls
    assert only.result is not None
    assert only.result.i == 2
    assert [step.ok for step in only.results] == [False, True]
    assert not only.is_ambiguous


def test_parallel_calls_of_one_name_are_ambiguous(call, result):
    steps = [call(0), call(1), result(2), result(3)]
    assert shown(pair(steps)) == [(0, [2], True), (1, [3], True)]


def test_parallel_calls_of_one_name_are_ambiguous_with_one_result(call, result):
    assert shown(pair([call(0), call(1), result(2)])) == [(0, [2], True), (1, [], True)]


def test_parallel_calls_of_different_names_are_clear(call, result):
    steps = [call(0, "a"), call(1, "b"), result(2, "a"), result(3, "b")]
    assert shown(pair(steps)) == [(0, [2], False), (1, [3], False)]


def test_calls_one_after_the_other_are_clear(call, result, message):
    steps = [call(0), result(1), message(2), call(3), result(4), call(5), result(6)]
    assert shown(pair(steps)) == [(0, [1], False), (3, [4], False), (5, [6], False)]


def test_a_call_that_was_given_up_does_not_cloud_the_next_one(call, result, message):
    assert shown(pair([call(0), message(1), call(2), result(3)])) == [(0, [], False), (2, [3], False)]


def test_a_late_result_makes_old_and_new_call_ambiguous(call, result, message):
    steps = [call(0), message(1), call(2), result(3), result(4)]
    assert shown(pair(steps)) == [(0, [], True), (2, [3, 4], True)]


def test_ids_settle_what_names_cannot(call, result):
    steps = [call(0, call_id="x"), call(1, call_id="y"), result(2, call_id="y"), result(3, call_id="x")]
    assert shown(pair(steps)) == [(0, [3], False), (1, [2], False)]


def test_an_id_counts_more_than_the_name(call, result):
    assert shown(pair([call(0, "a", call_id="x"), call(1, "b"), result(2, "b", call_id="x")])) == [
        (0, [2], False),
        (1, [], False),
    ]


def test_a_reused_id_means_the_latest_call(call, result):
    steps = [call(0, call_id="1"), result(1, call_id="1"), call(2, call_id="1"), result(3, call_id="1")]
    assert shown(pair(steps)) == [(0, [1], False), (2, [3], False)]


def test_an_unknown_id_is_an_orphan_where_calls_have_ids(call, result):
    pairing = pair([call(0, call_id="x"), result(1, call_id="other")])
    assert shown(pairing) == [(0, [], False)]
    assert [step.i for step in pairing.orphans] == [1]


def test_an_unknown_id_falls_back_to_the_name_where_calls_have_none(call, result):
    assert shown(pair([call(0), result(1, call_id="x")])) == [(0, [1], False)]


def test_calls_answered_by_id_leave_the_other_one_clear(call, result):
    steps = [call(0, call_id="x"), call(1), result(2, call_id="x"), result(3)]
    assert shown(pair(steps)) == [(0, [2], False), (1, [3], False)]


def test_a_result_before_its_call_is_an_orphan(call, result):
    pairing = pair([result(0, call_id="x"), call(1, call_id="x")])
    assert shown(pairing) == [(1, [], False)]
    assert len(pairing.orphans) == 1


def test_agents_are_kept_apart(call, result):
    steps = [call(0, agent_id="a"), call(1, agent_id="b"), result(2, agent_id="b"), result(3, agent_id="a")]
    assert shown(pair(steps)) == [(0, [3], False), (1, [2], False)]


def test_a_result_without_agent_belongs_to_whoever_called_last(call, result):
    assert shown(pair([call(0, agent_id="a"), result(1)])) == [(0, [1], False)]


def test_nameless_calls_and_results_pair_up(call, result):
    assert shown(pair([call(0, None), result(1, None)])) == [(0, [1], False)]


def test_probes_and_messages_are_no_results(call, message):
    probe = Step(i=1, ts="2026-01-01", kind="state_probe", role="environment", name="water", ok=True)
    pairing = pair([call(0), probe, message(2)])
    assert shown(pairing) == [(0, [], False)]
    assert pairing.orphans == []


def test_a_hundred_thousand_open_calls_end_in_time(call, result):
    """Comparing each with each would take hours; the limit is only there so that a hang fails."""
    count = 20_000
    steps = [call(i) for i in range(count)]
    steps += [result(count + i) for i in range(3 * count)]
    steps += [call(4 * count + i, call_id=str(i)) for i in range(count)]
    steps += [result(5 * count + i, call_id=str(i)) for i in range(1, count)] + [result(7 * count)]
    start = time.process_time()
    assert len(pair(steps).calls) == 2 * count
    assert time.process_time() - start < 30
