"""The confusion table of the claim finder on the hand-written sentences of ``tests/cases/claim_sentences``.

    python benchmarks/claim_sentences.py [--cases DIR]

A row is what a line expects, a column what was found: a claim, none, or text that cannot be read. Wrong classes and
wrong readings are listed below the table. The sentences were written with the finder, so this is no estimate of how
well it does elsewhere; ``claim_finder.py --labels`` is.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import piped
from agent_claimcheck.evidence.claims.finder import find_in_text

CASES = Path(__file__).parents[1] / "tests" / "cases" / "claim_sentences"
KINDS = {"-": "no claim", "?": "unread"}


def main() -> None:
    """Read all sentences and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=CASES)
    options = parser.parse_args()
    for path in sorted(options.cases.glob("*.tsv")):
        table: Counter[tuple[str, str]] = Counter()
        wrong: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            expected, text, why = line.split("\t")
            reading = find_in_text(text if text.startswith("{") else text.replace("\\n", "\n"))
            found = ",".join(sorted({claim.type for claim in reading.claims}))
            found = found or ("-" if reading.is_readable else "?")
            table[KINDS.get(expected, "claim"), KINDS.get(found, "claim")] += 1
            if found != ",".join(sorted(expected.split(","))):
                wrong.append(f"  expected {expected}, found {found}: {text} ({why})")
        print_table(path.stem, table)
        print("\n".join(wrong) + "\n" if wrong else "  all classes as expected\n")


def print_table(name: str, table: Counter[tuple[str, str]]) -> None:
    """Print one confusion table."""
    kinds = ("claim", "no claim", "unread")
    print(f"{name} ({sum(table.values())} sentences)")
    print(f"  {'expected, found':16}" + "".join(f"{kind:>10}" for kind in kinds))
    for kind in kinds:
        print(f"  {kind:16}" + "".join(f"{table[kind, other]:10}" for other in kinds))


if __name__ == "__main__":
    piped.run(main)
