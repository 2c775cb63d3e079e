"""An amount of money that the agent tells, and that the records which the run returned contradict.

What it catches: "a refund of $25 has been issued" where the change itself booked 21; "an additional $114 has been charged", or
"the additional cost has been covered", where it paid 114 back; refunds of 14.96, 71.59 and 1,058.79 that are told one by one,
and "total refunds: $1,145.54".
Why it matters: the change was made, so the claim looks supported, and the user plans with the wrong sum.
Example: the price difference was worked out for one passenger and booked for two.
Limits: what was booked is known only where the record was read before and the change added one entry with an amount, or
filled in one amount. Roundings, parts, multiples ("per passenger"), fees, estimates and several bookings give nothing. A total is held
against the amounts told under the same name ("refund") in the same message: each of these must stand in a result, the
total in none, and no choice of told amounts may give it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import SEVERITY_OF
from agent_claimcheck.evidence.money.booked import CENT, Booking, bookings, is_priced
from agent_claimcheck.evidence.money.told import amounts_in, said_moved, said_paid, wrong_total

ID = "told_amount"
POWER: Power = "review"

_MAY_TELL = ("$", "€", "£", "usd", "eur", "gbp", "payment", "additional c", "extra c")
_MOVED = ("refund", "mburs", "d bac", "charge", "deb", "deducted", "add", "extra", "payment")
"""What stands in a text that ``said_moved`` or ``said_paid`` may read, told without the letters that have odd capitals."""
_LONGEST = 20_000


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding."""
    low = evidence.closing_low
    for word in _MAY_TELL:
        if word in low:
            break
    else:
        return
    closing = evidence.closing
    if closing is None:
        return
    total = wrong_total(evidence)
    if total is not None:
        yield _finding(evidence, total.reason, (*total.steps, closing.step), total.line)
        return
    if not any(_tells_of_a_move(message.text) for message in evidence.messages):
        return
    for booking in bookings(evidence):
        report = next((m for m in evidence.messages if m.step is None or m.step > booking.step), None)
        if report is None or len(report.text) > _LONGEST:
            continue
        conflict = _conflict(booking, report.text, evidence)
        if conflict is not None:
            line, reason = conflict
            yield _finding(evidence, reason, (booking.before, booking.step, report.step), line)
            return


def _tells_of_a_move(text: str) -> bool:
    """True when money is told as moved; the patterns are asked where a part of one of their words stands."""
    low = text.lower()
    for part in _MOVED:
        if part in low:
            return next(said_moved(text), None) is not None or said_paid(text) is not None
    return False


def _conflict(booking: Booking, text: str, evidence: Evidence) -> tuple[str, str] | None:
    """Return the clause that the booking contradicts, and the reason."""
    moved = [said for said in said_moved(text) if said.may_be_of(booking.record, booking.currency)]
    if not moved:
        paid = said_paid(text) if booking.is_back and abs(booking.amount) > CENT else None
        return (paid, f"a payment is told; the record shows {abs(booking.amount):g} paid back") if paid else None
    same = [said for said in moved if said.is_amount(booking.amount)]
    for said in same:
        if booking.is_back is not None and said.is_back is not booking.is_back:
            told, booked = ("paid back", "charged") if said.is_back else ("charged", "paid back")
            return said.line, f"{said.amount:g} is told as {told}; the record shows it {booked}"
    if same or booking.may_be_meant(amounts_in(text), [said.amount for said in moved]):
        return None
    if any(is_priced(one.amount, evidence) for one in moved):
        return None
    return moved[0].line, f"{moved[0].amount:g} is told; the record shows that {abs(booking.amount):g} was booked"


def _finding(evidence: Evidence, reason: str, steps: tuple[int | None, ...], line: str) -> Finding:
    return Finding(
        id=ID,
        power=POWER,
        severity=SEVERITY_OF[POWER],
        subject="amount",
        reason=reason,
        evidence=line[:200],
        steps=tuple(dict.fromkeys(step for step in steps if step is not None)),
        claim=evidence.last_claim[0],
    )
