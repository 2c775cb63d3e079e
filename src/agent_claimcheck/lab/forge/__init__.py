"""Forgeries: good runs changed so that what they claim no longer holds, with honest twins as controls."""
