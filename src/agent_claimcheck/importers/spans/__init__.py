"""Spans of tracers: ``containers`` and ``genai`` read them, ``transcript`` makes runs of them."""
