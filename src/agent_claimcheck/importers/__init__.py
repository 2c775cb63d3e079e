"""Foreign formats to traces: one file a format in ``formats``, listed in ``catalog``.

The way through: ``sniff`` asks which format a file is in, the format's own file says where its runs lie, ``messages`` and
``spans`` read what most formats share, ``builder`` makes the trace and says what was lost.
"""
