"""What holds for the tests of every room."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine makes examples slowly, most of all the first text of a fresh checkout, for which a table of all
# characters is built. Neither says anything about our code.
settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("unhurried")
