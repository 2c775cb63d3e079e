"""Whether a call worked, as its result tells: ``reading`` is the way in."""
