"""Field paths and templates."""

from __future__ import annotations

import pytest

from agent_claimcheck.packs.paths import SyntaxFault, find_templates, split_path


@pytest.mark.parametrize(
    ("path", "segments", "from_args"),
    [
        ("a", ("a",), False),
        ("a.b.0.-1", ("a", "b", "0", "-1"), False),
        ("args.a.b", ("a", "b"), True),
        ("args", ("args",), False),
        ('"args".x', ("args", "x"), False),
        ('args."a.b"', ("a.b",), True),
        ('x."a.b".c', ("x", "a.b", "c"), False),
        ("größe", ("größe",), False),
    ],
)
def test_paths_split(path: str, segments: tuple[str, ...], from_args: bool) -> None:
    assert split_path(path) == (segments, from_args)


@pytest.mark.parametrize(
    "path", ["", ".", "a.", ".a", "a..b", "args.", '"a', '"a"b', 'a"b', '""', "a. b", "x." * 40 + "x"]
)
def test_bad_paths_are_refused(path: str) -> None:
    with pytest.raises(SyntaxFault):
        split_path(path)


def test_templates_are_found_with_their_spans() -> None:
    text = 'id {subject.a.0} of {args."x.y"} {plain} {}'
    found = find_templates(text)
    assert [(t.root, t.segments) for t in found] == [("subject", ("a", "0")), ("args", ("x.y",))]
    assert [text[t.start : t.end] for t in found] == ["{subject.a.0}", '{args."x.y"}']


@pytest.mark.parametrize("text", ["{subject}", "{args.}", "{result.id}", "{subjects}", "{subject.a..b}"])
def test_bad_templates_are_refused(text: str) -> None:
    with pytest.raises(SyntaxFault):
        find_templates(text)
