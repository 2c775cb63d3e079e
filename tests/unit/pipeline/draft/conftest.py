"""Invented garden-plot runs: an agent that leases plots and sends letters about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Outcome, Step, Task, Trace

Build = Callable[..., Trace]


def step(i: int, kind: Any, name: str, **rest: Any) -> Step:
    role: Any = {"tool_call": "agent", "tool_result": "tool", "state_probe": "environment"}[kind]
    return Step(i=i, ts=f"2026-03-02T16:50:{i:02d}Z", kind=kind, role=role, name=name, **rest)


def lease_run(
    number: int,
    *,
    outcome: Outcome = "success",
    declared: bool = True,
    leased: bool = True,
    shown_months: int | None = None,
    probed: bool = True,
    prefix: str = "plots.",
    text: str = "I have leased the plot.",
) -> Trace:
    plot, months, lease = f"P{number:02d}", 3 + number, f"lease_{number:04d}"
    steps = [
        step(0, "tool_call", f"{prefix}search_plots", args={"area": "north"}),
        step(
            1,
            "tool_result",
            f"{prefix}search_plots",
            ok=True,
            output={"plots": [{"plot_id": plot}, {"plot_id": "P99"}]},
        ),
    ]
    if leased:
        args = {"plot_id": plot, "months": months, "tenant_email": f"t{number}@garden.test"}
        steps += [
            step(2, "tool_call", f"{prefix}create_lease", args=args),
            step(3, "tool_result", f"{prefix}create_lease", ok=True, output={"lease_id": lease, **args}),
        ]
    if probed:
        output = {
            "lease_id": lease,
            "plot_id": plot,
            "months": months if shown_months is None else shown_months,
            "tenant_email": f"t{number}@garden.test",
            "status": "active",
        }
        steps.append(
            step(
                4,
                "state_probe",
                f"{prefix}get_lease",
                ok=True,
                args={"lease_id": lease},
                output=output if leased else None,
            )
        )
    subject = {"plot_id": plot, "months": months}
    return Trace(
        trace_id=f"lease-{number}",
        source="test",
        task=Task(id=f"t{number}", domain="other", instruction=f"Lease plot {plot}."),
        steps=steps,
        final_claim=FinalClaim(text=text, claims=[Claim(type="lease_created", subject=subject)] if declared else []),
        ground_truth=GroundTruth(outcome=outcome, checked_by="human"),
    )


@pytest.fixture
def lease() -> Build:
    return lease_run
