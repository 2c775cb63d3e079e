"""The README block is compared between its markers, whatever form its image links have."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.bench.readme import END, START, readme_difference

LINKS = ["results/small/reliability.svg"]
BLOCK = "| a | 0.910 |\n\n![reliability](results/small/reliability.svg)\n"


def readme(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "README.md"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "link",
    [
        "results/small/reliability.svg",
        "./results/small/reliability.svg",
        "https://example.test/raw/v1/results/small/reliability.svg",
        "https://example.test/blob/v1/results/small/reliability.svg?raw=true",
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_relative_and_absolute_links_are_equal(tmp_path: Path, link: str, ends: str) -> None:
    block = BLOCK.replace(LINKS[0], link)
    text = f"# Title\n{START}\n\n{block}\n\n{END}\nmore\n".replace("\n", ends)
    assert readme_difference(readme(tmp_path, text), BLOCK, LINKS) == ""


def test_a_changed_figure_is_shown_as_a_diff(tmp_path: Path) -> None:
    path = readme(tmp_path, f"{START}\n{BLOCK.replace('0.910', '0.919')}{END}")
    found = readme_difference(path, BLOCK, LINKS).splitlines()
    assert "-| a | 0.919 |" in found
    assert "+| a | 0.910 |" in found


def test_another_picture_is_a_difference(tmp_path: Path) -> None:
    path = readme(tmp_path, f"{START}\n{BLOCK.replace('small', 'large')}{END}")
    assert "results/large" in readme_difference(path, BLOCK, LINKS)


@pytest.mark.parametrize("text", ["", START, END, f"{END}{BLOCK}{START}"])
def test_missing_markers_are_a_difference(tmp_path: Path, text: str) -> None:
    assert "has no block" in readme_difference(readme(tmp_path, text), BLOCK, LINKS)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        readme_difference(path, BLOCK, LINKS)
