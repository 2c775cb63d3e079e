"""Which names of new files say that they are thrown away."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.throw_away import asks_to_mend, beginnings_of, is_named, is_throw_away


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("reproduce_bug.py", "the totals are off by a cent please fix"),
        ("bugRepro.ts", "the menu does not open"),
        ("tmp_rows.py", "rows are lost fix it"),
        ("debug_login.js", "the login fails"),
        ("verify_fix.py", "the export fails with a KeyError"),
        ("minimal_example.py", "the export fails"),
    ],
)
def test_a_script_made_on_the_way_is_thrown_away(name: str, asked: str) -> None:
    assert is_throw_away(name, beginnings_of(asked.split()), is_mending=True)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("retry.py", "fix the client"),
        ("template.html", "fix the mails"),
        ("checkout.vue", "fix the shop"),
        ("geometry.py", "fix the area"),
        ("rate_check.py", "fix the api has no rate limiter"),
        ("validate_order.py", "bug no validation add it"),
        ("webhook_example.md", "fix docs lack an example for the webhook"),
        (".gitignore", "fix the noise"),
        ("", "fix it"),
    ],
)
def test_a_name_without_such_a_word_or_of_what_was_asked_for_is_kept(name: str, asked: str) -> None:
    assert not is_throw_away(name, beginnings_of(asked.split()), is_mending=True)


def test_where_nothing_is_to_be_mended_only_a_reproduction_is_thrown_away() -> None:
    assert is_throw_away("repro.py", beginnings_of(["make", "it", "faster"]), is_mending=False)
    assert not is_throw_away("demo.html", beginnings_of(["make", "it", "faster"]), is_mending=False)
    assert not is_throw_away("reproduce_orders.py", beginnings_of(["reproduce", "the", "orders"]), is_mending=False)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("The import crashes.", True),
        ("Fixes for #4", True),
        ("add an issue tracker model", False),
        ("Build a prefix tree", False),
    ],
)
def test_a_request_speaks_of_something_that_does_not_work(asked: str, expected: bool) -> None:
    assert asks_to_mend(asked) is expected


def test_a_request_names_a_file_by_a_word_of_its_name() -> None:
    asked = beginnings_of(["fix", "the", "link", "in", "the", "handbook"])
    assert is_named("handbook.rst", asked)
    assert not is_named("test_case.py", asked)
    assert not is_named("index.rst", asked)
