"""``doctor``: what a user's traces, packs and settings lack for the claims to be checked."""
