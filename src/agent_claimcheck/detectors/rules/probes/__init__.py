"""What was read of a record afterwards: by state probes (``reading`` by the pack's rule, ``refuting`` where no call proves the
claim) and by the agent itself (``own_reading``).
"""
