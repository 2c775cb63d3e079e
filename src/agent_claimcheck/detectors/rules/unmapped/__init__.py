"""Claims that no pack maps, judged by what the record alone shows: ``claims`` is the way in."""
