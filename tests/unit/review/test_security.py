"""Who is let in, what is refused, and which headers every answer has."""

from __future__ import annotations

import logging
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from agent_claimcheck.review.security import Policy, is_loopback, policy_for
from fakes import booking_trace
from review_server import Running, running_review, write_traces


def fresh(review: Running, **headers: str) -> httpx.Client:
    return httpx.Client(base_url=review.url, headers=headers, timeout=10)


def raw(review: Running, request: str) -> bytes:
    with socket.create_connection(("127.0.0.1", review.policy.port), timeout=10) as connection:
        connection.sendall(request.encode())
        return connection.recv(65536)


def test_the_page_opens_without_more_and_gives_a_session(review: Running) -> None:
    with fresh(review) as client:
        answer = client.get("/")
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"]
        assert "SameSite=Strict" in cookie and "HttpOnly" in cookie
        assert client.get("/api/state").status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/state", "/api/queue", "/api/trace?id=booking-01", "/api/reviews", "/static/main.js"]
)
def test_nothing_is_answered_without_a_session(review: Running, path: str) -> None:
    with fresh(review) as client:
        answer = client.get(path)
        assert (answer.status_code, answer.json()["error"]) == (401, "no_session")


def test_a_long_cookie_of_a_stranger_costs_no_time(review: Running) -> None:
    good = f"Host: 127.0.0.1:{review.policy.port}"
    for value in ("\\" * 60_000, '\\"' * 30_000):
        began = time.process_time()
        answer = raw(review, f'GET /api/state HTTP/1.1\r\n{good}\r\nCookie: a="{value}"\r\n\r\n')
        assert answer.split()[1] == b"401"
        assert time.process_time() - began < 1.5


def test_requests_that_never_end_shut_nobody_out(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("t-1")])
    with running_review([str(path)], tmp_path, request_s=1.0) as review:
        address = ("127.0.0.1", review.policy.port)
        good = f"Host: 127.0.0.1:{review.policy.port}\r\n"
        begun = f"POST /api/review HTTP/1.1\r\n{good}Content-Type: application/json\r\nContent-Length: 50\r\n"
        cookie = (
            f"Cookie: {review.policy.cookie}={review.client.cookies[review.policy.cookie]}\r\nOrigin: {review.url}\r\n"
        )
        stuck = [socket.create_connection(address, timeout=20) for _ in range(40)]
        for number, connection in enumerate(stuck):
            half = ("", f"GET / HTTP/1.1\r\n{good}X-More: ", f"{begun}{cookie}\r\n{{")[number % 3]
            connection.sendall(half.encode())
        ended = [connection.recv(65536) for connection in stuck]
        for connection in stuck:
            connection.close()
        assert all(data == b"" or data.startswith(b"HTTP/1.1 400") for data in ended)
        # A client that is done with its request is waited for as long as it takes.
        assert review.get("state")["total"] == 1
        with review.client.stream("GET", "/api/judge/events") as events:
            assert events.status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"]
)
def test_another_name_for_the_server_is_refused(review: Running, host: str) -> None:
    with fresh(review, host=host) as client:
        assert client.get("/").status_code == 403


def test_two_host_headers_or_none_are_refused(review: Running) -> None:
    good = f"Host: 127.0.0.1:{review.policy.port}"
    for request in (f"GET / HTTP/1.1\r\n{good}\r\nHost: evil.example\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"):
        assert raw(review, request).split()[1] in (b"400", b"403")


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1", "https://evil.example"])
def test_a_post_from_elsewhere_is_refused(review: Running, origin: str | None) -> None:
    client = review.client
    del client.headers["origin"]
    headers = {} if origin is None else {"origin": origin}
    answer = client.post("/api/review", json={"trace_id": "booking-03", "decision": "verified"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
    assert len(review.ids()) == 3


def test_a_request_another_site_made_the_browser_send_is_refused(review: Running) -> None:
    answer = review.client.get("/api/state", headers={"sec-fetch-site": "cross-site"})
    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
    assert review.client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_a_post_must_be_json(review: Running) -> None:
    answer = review.client.post("/api/review", data={"trace_id": "booking-03", "decision": "verified"})
    assert (answer.status_code, answer.json()["error"]) == (415, "content_type")


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 4000])
def test_a_body_that_is_no_review_is_refused(review: Running, body: bytes) -> None:
    answer = review.client.post("/api/review", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_a_large_body_is_refused_unread(review: Running) -> None:
    answer = review.client.post("/api/review", json={"trace_id": "x" * 9000, "decision": "verified"})
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")


def test_a_body_without_its_length_is_refused(review: Running) -> None:
    pieces = iter([b'{"trace_id": "booking-03", ', b'"decision": "verified"}'])
    answer = review.client.post("/api/review", content=pieces, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "transfer_encoding")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(review: Running, method: str) -> None:
    assert review.client.request(method, "/api/state").status_code == 405


def test_a_get_route_takes_no_post(review: Running) -> None:
    assert review.client.post("/api/state", json={}).status_code == 405


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/state", "/api/nosuch", "/nosuch"])
def test_every_answer_has_the_safe_headers(review: Running, path: str) -> None:
    headers = review.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "index.html", "", "nosuch.js"])
def test_only_the_listed_files_are_served(review: Running, name: str) -> None:
    assert review.client.get(f"/static/{name}").status_code == 404


def test_another_address_needs_the_token(tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path, host="0.0.0.0") as review:
        assert review.policy.token
        with fresh(review) as client:
            assert client.get("/").status_code == 403
            assert client.get("/", params={"token": "wrong"}).status_code == 403
            assert client.get("/api/state", params={"token": review.policy.token}).status_code == 401
            opened = client.get("/", params={"token": review.policy.token})
            assert (opened.status_code, opened.headers["location"]) == (303, "/")
            assert client.get("/api/state").status_code == 200


@pytest.mark.parametrize(
    ("host", "is_local"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False),
     ("::", False), ("192.168.0.2", False), ("localhost.evil.example", False), ("", False)],
)  # fmt: skip
def test_only_loopback_addresses_do_without_a_token(host: str, is_local: bool) -> None:
    assert is_loopback(host) is is_local
    assert (policy_for(host, 1).token is None) is is_local


def test_every_token_is_another() -> None:
    assert policy_for("0.0.0.0", 1).token != policy_for("0.0.0.0", 1).token


def test_names_of_a_loopback_server() -> None:
    policy = Policy(host="127.0.0.1", port=8765)
    assert policy.allows_host("LOCALHOST:8765") and policy.allows_host("[::1]:8765")
    assert not policy.allows_host("localhost") and not policy.allows_host("")


def test_the_store_is_for_its_owner_only(review: Running, tmp_path: Path) -> None:
    assert (tmp_path / "store.sqlite").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "store.sqlite-wal").stat().st_mode & 0o077 == 0


def test_nothing_of_a_trace_comes_into_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("secret-id", instruction="secret words")])
    with caplog.at_level(logging.DEBUG, logger="uvicorn"), running_review([str(path)], tmp_path) as review:
        review.get("trace", id="secret-id")
        review.get("queue", view="all", q="secret")
        with closing(sqlite3.connect(tmp_path / "store.sqlite")) as other:
            other.execute("DROP TABLE items")
        assert review.client.get("/api/trace", params={"id": "secret-id"}).json() == {
            "error": "internal",
            "message": "OperationalError in the server",
        }
    assert "secret" not in "".join(record.getMessage() for record in caplog.records)
