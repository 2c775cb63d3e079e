"""``stats``: print a success rate with its interval, or how two rates compare."""

from __future__ import annotations

import click


@click.command(name="stats", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("successes", type=int)
@click.argument("n", type=int)
@click.argument("other", type=int, nargs=-1, metavar="[SUCCESSES2 N2]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(successes: int, n: int, other: tuple[int, ...], as_json: bool) -> None:
    """Print the success rate of SUCCESSES out of N with its 95 % Wilson interval.

    With a second pair both rates are compared by a two-proportion z test.
    """
    from agent_claimcheck.checks.jsontext import to_json_text
    from agent_claimcheck.core.errors import UsageError
    from agent_claimcheck.scoring.proportions import compare_rates, percent_text, rate_with_interval

    if len(other) not in (0, 2):
        raise UsageError("a second rate takes two numbers: SUCCESSES2 N2", slug="counts")
    pairs = [(successes, n), *([(other[0], other[1])] if other else [])]
    rates = [(rate_with_interval(*pair), pair[1]) for pair in pairs]
    comparison = compare_rates(successes, n, other[0], other[1]) if other else None
    if as_json:
        rows = [{"rate": e.value, "low": e.ci_low, "high": e.ci_high, "n": size} for e, size in rates]
        compared = None if comparison is None else {
            "difference": comparison.difference, "z": comparison.z, "is_real": comparison.is_real
        }  # fmt: skip
        click.echo(to_json_text(rows[0] if compared is None else {"rates": rows, "comparison": compared}))
        return
    for estimate, size in rates:
        click.echo(percent_text(estimate, size))
    if comparison is not None:
        z = "-" if comparison.z is None else f"{comparison.z:.2f}"
        word = "real" if comparison.is_real else "within chance"
        click.echo(f"difference {comparison.difference:+.0%}, z = {z}: {word}")
