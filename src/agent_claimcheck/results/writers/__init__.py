"""Output formats: one file each, listed in ``catalog``."""
