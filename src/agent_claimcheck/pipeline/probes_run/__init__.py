"""Runs the user's own read-only checks per claim or per record and turns what they read into state probes.

The way through: ``load`` reads the probes file, ``planning`` says which readings a trace asks for and checks every value
on the way, one reader per kind reads, ``session`` runs them and writes probes. A reader must not miss: text of a trace
is hostile, and the only door for it into a probe is ``parameters``.
"""

from __future__ import annotations

from agent_claimcheck.pipeline.probes_run.definition import ProbeFile
from agent_claimcheck.pipeline.probes_run.load import load_probe_file
from agent_claimcheck.pipeline.probes_run.session import ProbeSession

__all__ = ["ProbeFile", "ProbeSession", "load_probe_file"]
