"""How the report prints numbers: one way for each kind of figure.

A reader must not miss: what was not measured is said so in words. It is never printed as 0.
"""

from __future__ import annotations

from agent_claimcheck.scoring.intervals import Estimate

NOT_MEASURED = "not measured"
UNDEFINED = "n/a"
_SMALLEST_TIME = 0.01
# From here on hundredths of a second or millisecond are noise.
_WHOLE_TIMES_FROM = 10.0


def share(value: float | None) -> str:
    """Print a share of 1 as per cent.

    >>> share(0.9083), share(None)
    ('90.8%', 'n/a')
    """
    return UNDEFINED if value is None else f"{100 * value:.1f}%"


def score(value: float | None) -> str:
    """Print a figure in [0, 1] with three decimals."""
    return UNDEFINED if value is None else f"{value:.3f}"


def interval(estimate: Estimate | None) -> str:
    """Print a value with its 95 % interval.

    >>> interval(Estimate(value=0.91, ci_low=0.8478, ci_high=0.963))
    '0.910 [0.848, 0.963]'
    """
    return UNDEFINED if estimate is None else f"{estimate.value:.3f} [{estimate.ci_low:.3f}, {estimate.ci_high:.3f}]"


def signed_interval(estimate: Estimate | None) -> str:
    """Print a difference with its 95 % interval, plus signs included."""
    if estimate is None:
        return UNDEFINED
    return f"{estimate.value:+.3f} [{estimate.ci_low:+.3f}, {estimate.ci_high:+.3f}]"


def counted(estimate: Estimate | None, count: int, n: int) -> str:
    """Print a count of n with the interval of its share.

    >>> counted(Estimate(value=0.0, ci_low=0.0, ci_high=0.0507), 0, 72)
    '0/72 [0.0%, 5.1%]'
    """
    return UNDEFINED if estimate is None else f"{count}/{n} [{share(estimate.ci_low)}, {share(estimate.ci_high)}]"


def usd(value: float | None) -> str:
    """Print dollars with three decimals."""
    return NOT_MEASURED if value is None else f"${value:.3f}"


def duration(value: float | None) -> str:
    """Print a time in its own unit: hundredths while it is short, whole numbers later.

    >>> duration(0.004), duration(0.118), duration(345.1), duration(None)
    ('<0.01', '0.12', '345', 'not measured')
    """
    if value is None:
        return NOT_MEASURED
    if value < _SMALLEST_TIME:
        return f"<{_SMALLEST_TIME}"
    return f"{value:.2f}" if value < _WHOLE_TIMES_FROM else f"{value:.0f}"
