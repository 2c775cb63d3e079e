"""Takes a node away from a Ray cluster in the middle of a check and counts what comes back: every trace exactly once.

    python benchmarks/ray_node_loss.py --times 5

A cluster of two nodes with one core each is started on this machine; ``check --engine ray --address`` runs on it. At a
random moment one node is killed, with the tasks that run there, and another takes its place a second later. Ends with 1
when a single trace is missing or comes twice. Needs the extra ``ray``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from crash import make_input


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how many runs (default: 5)")
    parser.add_argument("--copies", type=int, default=6000, help="copies of the example traces (default: 6000)")
    parser.add_argument(
        "--between", type=float, nargs=2, default=(4, 9), help="seconds after which a node is lost (default: 4 9)"
    )
    options = parser.parse_args()

    from ray.cluster_utils import Cluster

    faults = lost = 0
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "traces.jsonl"
        ids = make_input(source, options.copies)
        for _ in range(options.times):
            cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
            nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
            out = Path(name) / "out.jsonl"
            run = subprocess.Popen(
                _command(source, cluster.address, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(random.uniform(*options.between))
            if run.poll() is None:
                cluster.remove_node(nodes[0], allow_graceful=False)
                lost += 1
                time.sleep(1)
                cluster.add_node(num_cpus=1)
            code = run.wait()
            found = Counter(json.loads(line)["trace_id"] for line in out.open("rb"))
            wrong = [one for one in ids if found[one] != 1] + [one for one in found if one not in set(ids)]
            faults += len(wrong)
            print(f"exit {code}, {sum(found.values())} results of {len(ids)} traces, {len(wrong)} wrong", flush=True)
            cluster.shutdown()
    print(f"{options.times} runs, {lost} lost a node; traces missing or repeated: {faults}")
    sys.exit(1 if faults or not lost else 0)


def _command(source: Path, address: str, out: Path) -> list[str]:
    check = [sys.executable, "-m", "agent_claimcheck", "check", str(source), "--detector", "rules"]
    return [*check, "--engine", "ray", "--address", address, "-o", f"jsonl={out}"]


if __name__ == "__main__":
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    main()
