"""Calls to models: ``session`` is the one door for those that cost money. Nothing here knows a trace."""
