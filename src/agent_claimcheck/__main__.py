"""``python -m agent_claimcheck``."""

from agent_claimcheck.cli.app import main

if __name__ == "__main__":
    main()
