"""Records the packaged run anew: offline scores of benchmark/v1, the packaged copy, and the block of the README.

    python benchmarks/recorded_run.py [--hardware TEXT]

Judge answers that lie in results/v0.1.0 stay, as long as their requests would still be sent; otherwise this stops.
Without --hardware the machine is described by what Python knows of it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path("results/v0.1.0")
PACKAGED = ROOT / "src" / "agent_claimcheck" / "_data" / "recorded" / "v0.1.0"
START, END = "<!-- bench:start -->", "<!-- bench:end -->"


def main() -> int:
    """Record, copy, and put the report into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hardware")
    options = parser.parse_args()
    hardware = ["--hardware", options.hardware] if options.hardware else []
    command = [sys.executable, "-m", "agent_claimcheck", "bench", "--offline", *hardware, "--out", str(RESULTS)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return done.returncode
    if PACKAGED.is_dir():
        shutil.rmtree(PACKAGED)
    shutil.copytree(ROOT / RESULTS, PACKAGED)
    readme = ROOT / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    readme.write_text(f"{before}{START}\n{done.stdout.decode()}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
