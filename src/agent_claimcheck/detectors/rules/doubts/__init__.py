"""Doubts: why a claim, or a run, that state probes bear out is not *verified* all the same."""
