"""The case file as text for a model: ``evidence_text`` is the way in."""
