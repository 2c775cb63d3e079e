"""The rules: every claim held against the calls and state probes that speak about it.

The way through: ``engine`` finds the rule of a claim, ``calls`` reads the calls that could prove it, ``probes`` what was read
back, ``doubts`` what keeps it from being verified all the same; ``unmapped`` judges claims that no pack maps, and
``detector`` makes one answer of all of them.
"""
