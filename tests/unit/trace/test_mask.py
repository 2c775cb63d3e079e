from __future__ import annotations

import time

import pytest

from agent_claimcheck.trace.mask import Masker
from agent_claimcheck.trace.model import Artifact, Claim, FinalClaim, Task

# Put together here, so that no scanner takes the tests for a leak.
SK = "sk-" + "proj-a1B2c3D4e5F6g7H8"
GITHUB = "ghp_" + "a1b2" * 9
AWS = "AKIA" + "ABCDEFGH12345678"
JWT = ".".join(["eyJ" + "hbGciOiJIUzI1", "eyJ" + "zdWIiOiIxMjM0", "c2lnbmF0dXJlMTIz"])
PEM = "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to ann.b+c@mail.example.org!", "write to <email-1>!"),
        ("jürgen@straße.example", "<email-1>"),
        ("call +49 30 1234567 now", "call <phone-1> now"),
        ("call (415) 555-0132 or 415-555-0132", "call <phone-1> or <phone-1>"),
        ("card 4111 1111 1111 1111.", "card <card-1>."),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN <iban-1>"),
        (f"key {SK},", "key <key-1>,"),
        (f"{GITHUB} and {AWS}", "<key-1> and <key-2>"),
        (f"jwt {JWT}", "jwt <token-1>"),
        ("Authorization: Bearer abcdef123456XYZ", "Authorization: Bearer <token-1>"),
        ('{"password": "hunter22"}', '{"password": "<secret-1>"}'),
        ("https://x.test/?api_key=abcd1234&page=2", "https://x.test/?api_key=<secret-1>&page=2"),
        (f"before {PEM} after", "before <key-1> after"),
        (PEM[:60], "<key-1>"),
    ],
)
def test_secrets_and_personal_data_are_replaced(text, masked):
    assert Masker().mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-03T10:30:00-05:00",
        "2026-05-03 10:30:00.123456+02:00",
        "Thu Apr 7 15:00:00 2026 +0200",
        "order 1234567890123456",
        "evt_f4facc23",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sk-learn-style-estimator-names",
        "a@b and @decorator",
        "password is required",
        "192.168.0.1 1.2.3.4",
        "3.14159265358979",
        "<email-1> wrote to <secret-1>",
        "",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert Masker().mask_text(text) == text


def test_one_value_has_one_stand_in():
    masker = Masker()
    assert masker.mask_text("a@x.test b@x.test A@X.test") == "<email-1> <email-2> <email-1>"
    assert masker.mask_value({"to": ["b@x.test"], "c@x.test": 1}) == {"to": ["<email-2>"], "<email-3>": 1}
    assert masker.mask_text("+49 30 1234567 +49-30-123-4567") == "<phone-1> <phone-1>"


def test_the_text_in_a_secret_field_goes_whole():
    value = {"password": "x y", "client_secret": "z", "max_tokens": 5, "token_count": "12", "password_set": "yes"}
    assert Masker().mask_value(value) == {
        "password": "<secret-1>",
        "client_secret": "<secret-2>",
        "max_tokens": 5,
        "token_count": "12",
        "password_set": "yes",
    }


def test_claim_and_evidence_still_agree_in_a_masked_trace(trace, call, result):
    address = "ann@x.test"
    masked = Masker().mask_trace(
        trace(
            call(0, args={"to": address}, call_id=address),
            result(1, output={"sent_to": [address]}, error=None),
            task=Task(id="t", domain="other", instruction=f"Write to {address}", system_prompt=f"As {address}"),
            final_claim=FinalClaim(text=f"Sent to {address}.", claims=[Claim(type="sent", subject={"to": address})]),
            meta={"user": address},
            artifacts=[Artifact(id="a", text=address)],
        )
    )
    assert masked.steps[0].args == {"to": "<email-1>"}
    assert masked.steps[1].output == {"sent_to": ["<email-1>"]}
    assert masked.task.instruction == "Write to <email-1>"
    assert masked.task.system_prompt == "As <email-1>"
    assert masked.final_claim.text == "Sent to <email-1>."
    assert masked.final_claim.claims[0].subject == {"to": "<email-1>"}
    assert masked.meta == {"user": "<email-1>"}
    assert masked.artifacts is not None
    assert masked.artifacts[0].text == "<email-1>"
    assert masked.steps[0].call_id == address


def test_stand_ins_are_never_masked_again(trace, call):
    masked = {"to": "<email-7>", "password": "<secret-9>", "note": "password: <secret-9>"}
    assert Masker().mask_trace(trace(call(0, args=masked))).steps[0].args == masked


@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "a@", "1", "1 ", "1-", "+1", "+1 23 ", "eyJ", "eyJaaaaaaaa.", "-eyJ", "sk-", "sk-1", "AB12", "AB12 ",
     "(415) ", "bearer ", "password=", "password  ", "-----BEGIN PRIVATE" " KEY-----", "x@y.", "w@w-"],
)  # fmt: skip
def test_masking_ends_in_time_on_hostile_text(piece):
    """A pattern that backtracks would take hours; the limit is only there so that a hang fails."""
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    Masker().mask_text(text)
    assert time.process_time() - start < 30
