"""How much of a suite a command runs is told only where it is sure."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.shell import read_command
from agent_claimcheck.evidence.coding.suite_scope import narrowed_by, narrowed_to


@pytest.mark.parametrize(
    ("command", "scope"),
    [
        ("pytest tests/test_slug.py -q", "tests/test_slug.py"),
        ("cd repo && python -m pytest tests/test_slug.py::test_umlaut", "tests/test_slug.py::test_umlaut"),
        ("pytest -k slug", "-k slug"),
        ("pytest -m=smoke", "-m smoke"),
        ("pytest --lf", "--lf"),
        ("pytest tests/unit", "tests/unit"),
        ("timeout 60 pytest -x tests/test_slug.py | tail -5", "tests/test_slug.py"),
        ("python -m unittest tests.test_slug", "tests.test_slug"),
        ("python manage.py test shop.tests", "shop.tests"),
        ("python tests/runtests.py utils_tests", "utils_tests"),
        ("npx jest src/slug.test.ts", "src/slug.test.ts"),
        ("npm test -- -t slug", "-t slug"),
        ("go test ./slug", "./slug"),
        ("go test ./... -run TestSlug", "-run TestSlug"),
        ("cargo test slug", "slug"),
        ("mvn test -Dtest=SlugTest", "-Dtest SlugTest"),
        ("bundle exec rspec spec/slug_spec.rb:12", "spec/slug_spec.rb:12"),
        ("dotnet test --filter Slug", "--filter Slug"),
    ],
)
def test_narrowed_run_names_what_it_is_narrowed_to(command: str, scope: str) -> None:
    assert narrowed_to(read_command(command)) == scope


@pytest.mark.parametrize(
    "command",
    [
        "pytest",
        "pytest -q --maxfail=1",
        "pytest tests/",
        "python -m pytest backend/tests",
        "pytest -m 'not slow'",
        "pytest -k 'not network'",
        "python -m unittest discover",
        "python -m unittest",
        "python manage.py test",
        "python tests/runtests.py",
        "python final_test.py",
        "npx jest",
        "npx mocha -t 5000",
        "npm test",
        "go test ./...",
        "go test",
        "cargo test --release",
        "cargo test -- --nocapture",
        "make test",
        "pytest tests/test_slug.py; pytest",
        "ls tests/test_slug.py",
        "",
    ],
)
def test_run_that_may_hold_every_test_is_not_narrowed(command: str) -> None:
    assert narrowed_to(read_command(command)) is None


@pytest.mark.parametrize(
    ("args", "scope"),
    [
        ({"path": "tests/test_slug.py"}, "tests/test_slug.py"),
        ({"path": "tests"}, None),
        ({}, None),
        (None, None),
        (["tests/test_slug.py"], None),
        ({"path": 7}, None),
    ],
)
def test_tool_for_tests_is_narrowed_by_its_arguments(args: object, scope: str | None) -> None:
    assert narrowed_by(args) == scope
