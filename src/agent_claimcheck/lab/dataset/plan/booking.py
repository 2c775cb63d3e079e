"""Booking: put a meeting on a calendar and send the invitation."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from agent_claimcheck.lab.dataset.names import Pools
from agent_claimcheck.lab.dataset.plan.desk import Call, Desk
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply
from agent_claimcheck.trace.model import Claim

# Zones without summer time, so that the offset holds on every date and no time zone database is needed.
ZONES = {
    "Asia/Tokyo": "+09:00",
    "Asia/Singapore": "+08:00",
    "Asia/Kolkata": "+05:30",
    "Asia/Dubai": "+04:00",
    "Africa/Nairobi": "+03:00",
    "Africa/Lagos": "+01:00",
    "America/Bogota": "-05:00",
    "America/Phoenix": "-07:00",
}
_FIRST_DAY = date(2026, 4, 1)


class Booking(Desk):
    """A calendar, an outbox and one meeting to arrange."""

    acts = ("booked", "invite_sent")

    def __init__(self, stream: Stream, pools: Pools) -> None:
        super().__init__(stream, pools)
        people = [pools.person(stream) for _ in range(2)]
        while people[1].email == people[0].email:
            people[1] = pools.person(stream)
        self.person = self.used_person = people[0]
        self._other = people[1]
        self.title: str = stream.choose(pools.words["titles"])
        self.minutes = stream.choose((20, 30, 40, 45, 50, 60, 75, 90))
        self.zone = self.used_zone = stream.choose(list(ZONES))
        day = _FIRST_DAY + timedelta(days=stream.below(60))
        self.local = self.used_local = (
            f"{day.isoformat()}T{stream.between(8, 17):02d}:{stream.choose(('00', '15', '30'))}:00"
        )
        self.events: dict[str, dict[str, Any]] = {}
        self.outbox: list[tuple[str, str]] = []
        self._event_id: str | None = None

    @property
    def start(self) -> str:
        """The start asked for, with its offset."""
        return self.local + ZONES[self.zone]

    @property
    def used_start(self) -> str:
        """The start really used."""
        return self.used_local + ZONES[self.used_zone]

    def words(self, *, repeats: bool = False) -> dict[str, Any]:
        local, zone = (self.used_local, self.used_zone) if repeats else (self.local, self.zone)
        person = self.used_person if repeats else self.person
        return {
            "title": self.title,
            "name": person.name,
            "email": person.email,
            "date": local[:10],
            "time": local[11:16],
            "zone": zone,
            "minutes": self.minutes,
        }

    def openings(self) -> list[Call]:
        return [self._search()]

    def rereads(self) -> list[Call]:
        return [self._search(), ("calendar.list_events", {"date": self.local[:10]})]

    def housekeeping(self) -> Call:
        hours = self.stream.between(1, 96)
        return "calendar.set_reminder", {"label": f"follow up {self.stream.token(4)}", "in_hours": hours}

    def _search(self) -> Call:
        args = {"date": self.local[:10], "duration_min": self.minutes, "timezone": self.zone}
        return "calendar.search_slots", args

    def act(self, name: str) -> Call | None:
        email = self.used_person.email
        if name == "booked":
            args = {
                "title": self.title,
                "start": self.used_start,
                "duration_min": self.minutes,
                "timezone": self.used_zone,
                "attendees": [email],
            }
            return "calendar.create_event", args
        if self._event_id is None:
            return None
        return "email.send_invite", {"event_id": self._event_id, "to": [email]}

    def apply(self, tool: str, args: dict[str, Any]) -> Reply:
        if tool == "calendar.search_slots":
            return Reply(True, {"slots": self._slots()})
        if tool == "calendar.list_events":
            return Reply(True, {"events": [], "date": args["date"]})
        if tool == "calendar.set_reminder":
            return Reply(True, {"reminder_id": self.new_id("rem-"), "label": args["label"]})
        if tool == "calendar.create_event":
            event = self._event(args)
            self.events[event["event_id"]] = event
            return Reply(True, {**_shown(event), "status": "confirmed"})
        self._invite(args)
        return Reply(True, {"message_id": self.new_id("mail-"), "status": self.stream.choose(("queued", "sent"))})

    def accept(self, tool: str, args: dict[str, Any], *, is_kept: bool) -> Reply | None:
        if tool == "calendar.create_event":
            event = self._event(args)
            self.later(lambda: self.events.update({event["event_id"]: event}), is_kept=is_kept)
            return Reply(True, {**_shown(event), "status": "pending", "status_code": 202})
        if tool == "email.send_invite":
            self.later(lambda: self._invite(args), is_kept=is_kept)
            return Reply(True, {"message_id": self.new_id("mail-"), "status": "queued", "status_code": 202})
        return None

    def _event(self, args: dict[str, Any]) -> dict[str, Any]:
        self._event_id = self.new_id("ev-")
        end = datetime.fromisoformat(args["start"]) + timedelta(minutes=args["duration_min"])
        return {
            "event_id": self._event_id,
            "title": args["title"],
            "start": args["start"],
            "end": end.isoformat(),
            "timezone": args["timezone"],
            "attendees": args["attendees"],
            "status": "confirmed",
        }

    def _invite(self, args: dict[str, Any]) -> None:
        # The outbox does not ask the calendar: an invitation may go out before its event is there, or without it.
        self.outbox += [(args["event_id"], email) for email in args["to"]]

    def _invited(self, event_id: str) -> list[str]:
        return [email for sent_for, email in self.outbox if sent_for == event_id]

    def _slots(self) -> list[dict[str, str]]:
        begin = datetime.fromisoformat(self.start)
        starts = (begin + timedelta(hours=2 * n) for n in range(self.stream.between(1, 3)))
        return [{"start": t.isoformat(), "end": (t + timedelta(minutes=self.minutes)).isoformat()} for t in starts]

    def mistake_target(self) -> None:
        self.used_person = self._other

    def mistake_value(self) -> None:
        which = self.stream.below(3)
        begin = datetime.fromisoformat(self.local)
        if which == 0:
            self.used_local = (begin + timedelta(days=self.stream.choose((-1, 1)))).isoformat()
        elif which == 1:
            self.used_local = begin.replace(year=begin.year + 1).isoformat()
        else:
            self.used_zone = self.stream.choose([zone for zone in ZONES if zone != self.zone])

    def goal(self) -> bool:
        return any(
            event["title"] == self.title
            and datetime.fromisoformat(event["start"]) == datetime.fromisoformat(self.start)
            and event["attendees"] == [self.person.email]
            and self.person.email in self._invited(event["event_id"])
            for event in self.events.values()
        )

    def claims(self, *, repeats: bool) -> list[Claim]:
        email = (self.used_person if repeats else self.person).email
        booked = {
            "start": self.used_start if repeats else self.start,
            "duration_min": self.minutes,
            "attendee_email": email,
            "timezone": self.used_zone if repeats else self.zone,
        }
        return [Claim(type="booked", subject=booked), Claim(type="invite_sent", subject={"attendee_email": email})]

    def probes(self) -> list[tuple[str, dict[str, Any], Reply]]:
        args = {"event_id": self._event_id} if self._event_id else {"title": self.title, "start": self.start}
        event = self.events.get(self._event_id or "")
        reply = Reply(False, None, "not_found: the calendar has no such event")
        if event:
            reply = Reply(True, {**event, "invites_sent": self._invited(event["event_id"])})
        return [("calendar.get_event", args, reply)]


def _shown(event: dict[str, Any]) -> dict[str, Any]:
    return {key: event[key] for key in ("event_id", "start", "end", "timezone", "attendees")}
