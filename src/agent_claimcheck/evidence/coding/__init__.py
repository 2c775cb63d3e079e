"""What runs at a shell and in a code base do: command lines, edits of files, test suites."""
