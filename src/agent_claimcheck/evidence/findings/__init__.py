"""Findings: one file each, listed in ``catalog`` with the facts of a run that it needs. Its docstring is its manual page."""
