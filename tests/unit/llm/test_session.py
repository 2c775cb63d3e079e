"""The door for paid calls, against a server that fails in every way."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.budget import Budget
from agent_claimcheck.llm.cache import AnswerCache
from agent_claimcheck.llm.ledger import Ledger
from agent_claimcheck.llm.prices import Price, fixed_price, reservation_usd
from agent_claimcheck.llm.providers.contract import ModelRequest
from agent_claimcheck.llm.providers.select import wire_format
from agent_claimcheck.llm.session import ModelAnswer, ModelSession, Question, Route
from agent_claimcheck.llm.transport import LARGEST_REPLY, Sender
from fakes import Clock, CutsOff, Drips, Sends, Status, Waits, model_server, says

PRICE = fixed_price(1.0, 2.0)
REQUEST = ModelRequest(model="m", text="How are you?", temperature=0.0, max_tokens=100)
QUESTION = Question(request=REQUEST, trace_id="t", prompt="p")


class Door:
    """A session with everything it writes in one directory."""

    def __init__(
        self,
        base_url: str,
        directory: Path,
        *,
        price: Price | None = PRICE,
        key: Secret | None = None,
        max_usd: float = 1.0,
        timeout_s: float = 5.0,
        caches: bool = True,
    ) -> None:
        self.clock = Clock()
        self.ledger_file = directory / "ledger.jsonl"
        self.session = ModelSession(
            Route(base_url=base_url, wire=wire_format(base_url), key=key, price=price),
            Sender(timeout_s=timeout_s),
            Budget(max_usd=max_usd, ledger=Ledger(self.ledger_file)),
            AnswerCache(directory / "cache") if caches else None,
            wait=self.clock.wait,
        )

    def ask(self, question: Question = QUESTION) -> ModelAnswer:
        return self.session.ask(question, lambda text: text.startswith("{"))

    @property
    def ledger(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.ledger_file.read_text(encoding="utf-8").splitlines()]

    @property
    def reserved(self) -> float:
        return reservation_usd(self.session.request_bytes(REQUEST), 100, PRICE)


OpenDoor = Callable[..., Door]


@pytest.fixture
def open_door(tmp_path: Path) -> Iterator[OpenDoor]:
    """Doors that are closed after the test. Those of one name share their cache and ledger."""
    doors: list[Door] = []

    def make(base_url: str, name: str = "one", **options: Any) -> Door:
        doors.append(Door(base_url, tmp_path / name, **options))
        return doors[-1]

    yield make
    for door in doors:
        door.session.close()


def test_answer_is_booked_at_the_list_price(open_door: OpenDoor) -> None:
    with model_server(says(tokens_in=1000, tokens_out=100)) as server:
        door = open_door(server.base_url)
        answer = door.ask()
    assert (answer.code, answer.attempts, answer.cached, answer.model) == ("ok", 1, False, "stub-1")
    assert answer.cost_usd == pytest.approx(0.0012)
    (line,) = door.ledger
    assert (line["tokens_in"], line["tokens_out"], line["status"]) == (1000, 100, "ok")
    assert line["actual_usd"] == pytest.approx(0.0012)
    assert line["reserved_usd"] == pytest.approx(door.reserved)


def test_what_the_provider_says_it_cost_is_booked(open_door: OpenDoor) -> None:
    with model_server(says(cost=0.5)) as server:
        assert open_door(server.base_url).ask().cost_usd == 0.5


def test_second_question_is_answered_from_the_cache_without_key_price_or_server(open_door: OpenDoor) -> None:
    with model_server() as server:
        first = open_door(server.base_url).ask()
        door = open_door(server.base_url, price=None)
        again = door.ask()
        assert len(server.asked) == 1
    assert (again.code, again.text, again.cost_usd, again.cached) == ("cached", first.text, 0.0, True)
    assert (door.ledger[-1]["status"], door.ledger[-1]["actual_usd"]) == ("cached", 0.0)


def test_answer_that_cannot_be_read_is_not_kept(open_door: OpenDoor) -> None:
    with model_server(says("Sorry, I cannot."), says()) as server:
        door = open_door(server.base_url)
        assert door.ask().text == "Sorry, I cannot."
        assert door.ask().code == "ok"
        assert len(server.asked) == 2


def test_samples_and_servers_have_their_own_answers(open_door: OpenDoor) -> None:
    with model_server() as one, model_server() as other:
        door = open_door(one.base_url)
        door.ask()
        assert door.ask(Question(request=REQUEST, trace_id="t", prompt="p", sample=1)).code == "ok"
        assert door.ask(Question(request=REQUEST, trace_id="t", prompt="p", prompt_version="2")).code == "ok"
        assert open_door(other.base_url).ask().code == "ok"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_busy_server_is_asked_again_as_it_wishes(open_door: OpenDoor, status: int) -> None:
    with model_server(Status(status, {"Retry-After": "3"}), Status(status), says()) as server:
        door = open_door(server.base_url)
        answer = door.ask()
    assert (answer.code, answer.attempts) == ("ok", 3)
    assert door.clock.waited == [3.0, 1.0]
    assert len(door.ledger) == 1


def test_no_wish_is_longer_than_ten_seconds(open_door: OpenDoor) -> None:
    with model_server(Status(429, {"Retry-After": "86400"}), Status(429, {"Retry-After": "soon"})) as server:
        door = open_door(server.base_url)
        door.ask()
    assert door.clock.waited == [10.0, 1.0]


@pytest.mark.parametrize(
    ("status", "code", "attempts"),
    [(429, "http_429", 3), (502, "http_5xx", 3), (401, "http_4xx", 1), (404, "http_4xx", 1)],
)
def test_refused_call_costs_nothing(open_door: OpenDoor, status: int, code: str, attempts: int) -> None:
    with model_server(always=lambda request: Status(status)) as server:
        door = open_door(server.base_url)
        answer = door.ask()
        assert len(server.asked) == attempts
    assert (answer.code, answer.text, answer.cost_usd, answer.attempts) == (code, None, 0.0, attempts)
    assert [(line["status"], line["actual_usd"]) for line in door.ledger] == [(code, 0.0)]
    assert door.session.budget.outstanding_usd == 0


@pytest.mark.parametrize("move", [Waits(), Drips()])
def test_timeout_after_sending_counts_as_spent(open_door: OpenDoor, move: Waits | Drips) -> None:
    with model_server(always=lambda request: move) as server:
        door = open_door(server.base_url, timeout_s=0.15)
        answer = door.ask()
    assert (answer.code, answer.attempts) == ("timeout", 3)
    assert answer.cost_usd == pytest.approx(3 * door.reserved)
    assert [line["status"] for line in door.ledger] == ["timeout"] * 3
    assert door.session.budget.spent_usd == pytest.approx(3 * door.reserved)


def test_cut_off_reply_counts_as_spent(open_door: OpenDoor) -> None:
    with model_server(CutsOff(), says(tokens_in=0, tokens_out=0)) as server:
        door = open_door(server.base_url)
        answer = door.ask()
    assert answer.code == "ok"
    assert answer.cost_usd == pytest.approx(door.reserved)
    assert [line["status"] for line in door.ledger] == ["network", "ok"]


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'"text"',
        b"",
        b" " * (LARGEST_REPLY + 1),
    ],
    ids=["html", "binary", "deep", "no choice", "no text", "no object", "empty", "huge"],
)
def test_reply_of_another_form_is_no_answer_and_counts_as_spent(open_door: OpenDoor, body: bytes) -> None:
    with model_server(Sends(body)) as server:
        door = open_door(server.base_url)
        answer = door.ask()
        assert len(server.asked) == 1
    assert (answer.code, answer.text) == ("invalid_response", None)
    assert answer.cost_usd == pytest.approx(door.reserved)


def test_redirect_is_not_followed_so_the_key_stays(open_door: OpenDoor) -> None:
    with model_server() as thief:
        with model_server(Status(307, {"Location": f"{thief.base_url}/chat/completions"})) as server:
            answer = open_door(server.base_url, key=Secret("sk-1")).ask()
            assert server.asked[0].headers["Authorization"] == "Bearer sk-1"
        assert thief.received == []
    assert (answer.code, answer.cost_usd) == ("invalid_response", 0.0)


def test_server_that_is_not_there_costs_nothing(open_door: OpenDoor) -> None:
    with model_server() as server:
        url = server.base_url
    door = open_door(url)
    answer = door.ask()
    assert (answer.code, answer.cost_usd, answer.attempts) == ("network", 0.0, 3)


def test_server_on_this_machine_needs_no_key_and_others_do(open_door: OpenDoor) -> None:
    with model_server() as server:
        open_door(server.base_url).ask()
        assert "Authorization" not in server.asked[0].headers
    far = open_door("https://api.example.test/v1", "far")
    assert far.ask().code == "no_api_key"
    assert far.ledger == []


def test_unknown_price_sends_nothing(open_door: OpenDoor) -> None:
    with model_server() as server:
        assert open_door(server.base_url, price=None).ask().code == "unknown_price"
        assert server.received == []


def test_free_model_is_a_known_price(open_door: OpenDoor) -> None:
    with model_server() as server:
        answer = open_door(server.base_url, price=fixed_price(0.0, 0.0), max_usd=0.0).ask()
    assert (answer.code, answer.cost_usd) == ("ok", 0.0)


def test_spent_budget_sends_nothing_and_writes_no_line(open_door: OpenDoor) -> None:
    with model_server() as server:
        door = open_door(server.base_url, max_usd=0.00001)
        assert door.ask().code == "budget_exhausted"
        assert server.received == []
    assert door.ledger == []


def test_no_money_for_another_attempt_keeps_the_first_reason(open_door: OpenDoor) -> None:
    with model_server(CutsOff(), says()) as server:
        probe = open_door(server.base_url)
        door = open_door(server.base_url, "b", max_usd=probe.reserved * 1.5)
        assert door.ask().code == "network"
        assert len(server.asked) == 1


def test_stopped_session_sends_nothing(open_door: OpenDoor) -> None:
    with model_server() as server:
        door = open_door(server.base_url)
        door.session.stop()
        assert door.ask().code == "stopped"
        assert server.received == []


def test_an_interruption_in_the_middle_of_stopping_keeps_nobody_from_leaving(open_door: OpenDoor) -> None:
    session = open_door("http://127.0.0.1:9/v1").session

    def ctrl_c(frame: FrameType, event: str, _: object) -> Any:
        """Interrupts where a lock has just been taken and nothing gives it back yet."""
        if event == "return" and frame.f_code is threading.Condition.__enter__.__code__:
            sys.settrace(None)
            raise KeyboardInterrupt
        return ctrl_c

    before = sys.gettrace()
    sys.settrace(ctrl_c)
    try:
        with pytest.raises(KeyboardInterrupt):
            session.stop()
    finally:
        sys.settrace(before)
    leaving = threading.Thread(target=session.abandon, daemon=True)
    leaving.start()
    leaving.join(10)
    assert not leaving.is_alive()
    assert session.is_stopped


def test_no_message_holds_a_body_or_a_key(open_door: OpenDoor) -> None:
    with model_server(always=lambda request: Status(400)) as server:
        door = open_door(server.base_url, key=Secret("sk-secret"))
        answer = door.ask()
    everything = repr(answer) + repr(door.session.route) + door.ledger_file.read_text(encoding="utf-8")
    assert "sk-secret" not in everything
    assert "How are you" not in everything


def test_reservation_counts_bytes_so_no_script_is_undercounted() -> None:
    plain = reservation_usd(b"x" * 1000, 0, PRICE)
    greek = reservation_usd(("ω" * 1000).encode(), 0, PRICE)
    assert greek == pytest.approx(2 * plain)
    assert plain == pytest.approx(1000 / 2.5 * 1.0 / 1e6 * 1.1)
