"""The command line: flags in, exit code out. A command is imported when it is called."""
