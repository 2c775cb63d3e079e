"""How long the command takes before it does anything, and what it imports for that.

    python benchmarks/start_up.py --rounds 10

Runs ``--help`` and ``check example:mixed --detector rules`` in processes of their own, after a first run that compiles
the modules. CPU seconds, the best of ``--rounds``; then the number of imported modules, and which of the heavy ones
(numpy, sklearn, httpx, starlette, rich, re2, yaml) are among them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

COMMANDS = (("--help",), ("check", "example:mixed", "--detector", "rules"))
HEAVY = ("numpy", "sklearn", "httpx", "starlette", "rich", "re2", "yaml")
_LIST_MODULES = """
import sys
from agent_claimcheck.cli.app import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("modules:", *sorted(sys.modules), file=sys.stderr)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10, help="the best of so many runs counts (default: 10)")
    rounds = parser.parse_args().rounds
    bare = min(cpu_seconds("-c", "") for _ in range(rounds))
    print(f"python itself: {bare:.3f} s")
    for command in COMMANDS:
        cpu_seconds("-m", "agent_claimcheck", *command)
        seconds = min(cpu_seconds("-m", "agent_claimcheck", *command) for _ in range(rounds))
        modules = imported(command)
        heavy = [name for name in HEAVY if name in modules]
        print(f"{' '.join(command)}: {seconds:.3f} s, {len(modules)} modules, heavy: {', '.join(heavy) or 'none'}")


def cpu_seconds(*arguments: str) -> float:
    """Run Python with ``arguments`` and return the CPU seconds its process took."""
    # Without this one the modules would be compiled again in every process.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *arguments], stdin=quiet, stdout=quiet, stderr=quiet, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def imported(command: tuple[str, ...]) -> set[str]:
    """Return the names of all modules that ``command`` leaves imported."""
    done = subprocess.run([sys.executable, "-c", _LIST_MODULES, *command], capture_output=True, text=True, check=False)
    for line in done.stderr.splitlines():
        if line.startswith("modules:"):
            return set(line.split()[1:])
    raise SystemExit(f"the command said nothing of its modules: {done.stderr[-300:]}")


if __name__ == "__main__":
    main()
