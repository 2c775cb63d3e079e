"""The run grader's questions of conduct: each takes one ``Run`` and returns one ``CheckReport``."""
