"""Wiring: from what a user named to traces, through a detector and the gate, to results.

The way through: ``build`` makes a specification of the settings, ``sources`` yields the traces, ``checker`` makes the results;
``grader`` does the same for the checks of conduct. ``catalog`` lists the parts by name.
"""
