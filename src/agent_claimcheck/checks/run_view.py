"""A run as a label-free trace, so that what reads traces reads runs as well.

A reader must not miss: the steps of the view are numbered anew; ``numbers`` leads from them back to the run's own steps.
"""

from __future__ import annotations

from agent_claimcheck.checks.run import Run
from agent_claimcheck.trace.model import FinalClaim, Step, Task
from agent_claimcheck.trace.view import TraceView

_NO_TIME = "1970-01-01T00:00:00Z"  # a run has no clock, and nothing that reads it asks for one


def view_of_run(run: Run) -> tuple[TraceView, dict[int, int]]:
    """Return the view, and the run's step number for every step of the view that came from a tool call."""
    steps: list[Step] = [Step(i=0, ts=_NO_TIME, kind="message", role="user", content=run.task)]
    steps.extend(
        Step(i=number, ts=_NO_TIME, kind="message", role="user", content=text)
        for number, text in enumerate(run.later_requests, start=1)
    )
    numbers: dict[int, int] = {}
    for position, step in enumerate(run.steps):
        number = position if step.number is None else step.number
        if step.thought:
            steps.append(Step(i=len(steps), ts=_NO_TIME, kind="reasoning", role="agent", content=step.thought))
        call = step.tool_call
        if call is None:
            continue
        key = f"step-{position}"
        numbers[len(steps)] = numbers[len(steps) + 1] = number
        steps.append(
            Step(
                i=len(steps),
                ts=_NO_TIME,
                kind="tool_call",
                role="agent",
                name=call.name,
                args=call.arguments,
                call_id=key,
            )
        )
        if step.note != "no_result":
            ok = None if call.is_error is None else not call.is_error
            result = Step(
                i=len(steps),
                ts=_NO_TIME,
                kind="tool_result",
                role="tool",
                name=call.name,
                output=call.output,
                ok=ok,
                call_id=key,
            )
            steps.append(result)
    task = Task(
        id="run", domain="", instruction=run.task, system_prompt=run.system_prompt, allowed_tools=run.allowed_tools
    )
    steps.append(Step(i=len(steps), ts=_NO_TIME, kind="message", role="agent", content=run.final_answer))
    return TraceView(trace_id="run", task=task, steps=steps, final_claim=FinalClaim(text=run.final_answer)), numbers
