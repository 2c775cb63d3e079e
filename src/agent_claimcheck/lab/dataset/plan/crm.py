"""CRM: change a contact, write a note, move a deal to another stage."""

from __future__ import annotations

from typing import Any

from agent_claimcheck.lab.dataset.names import Person, Pools
from agent_claimcheck.lab.dataset.plan.desk import Call, Desk
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply
from agent_claimcheck.trace.model import Claim

STAGES = ("Lead", "Discovery", "Trial", "Offer", "Contract", "Signed")
_NOTES = (
    "wants a call back in {n} days",
    "asked for {n} sample kits",
    "budget covers {n} seats",
    "prefers e-mail, {n} copies",
)


class Crm(Desk):
    """Two contacts of the same name, one deal, and three things to do."""

    acts = ("updated", "note_added", "stage_changed")

    def __init__(self, stream: Stream, pools: Pools) -> None:
        super().__init__(stream, pools)
        self.person = pools.person(stream)
        twin_company = stream.choose([name for name in pools.companies if name != self.person.company])
        self._twin = Person(self.person.first, self.person.last, twin_company)
        jobs = stream.sample(pools.words["jobs"], 3)
        self.title: str = stream.choose(pools.words["titles"])
        self.job = self.used_job = jobs[0]
        self._wrong_job = jobs[1]
        stages = stream.sample(STAGES, 3)
        self.stage = self.used_stage = stages[0]
        self._wrong_stage = stages[1]
        self.note = stream.choose(_NOTES).format(n=stream.between(2, 14))
        self.record_id = self.used_id = self.new_id("con-")
        self._twin_id = self.new_id("con-")
        self.deal_id = self.new_id("deal-")
        self.contacts = {
            self.record_id: _contact(self.person, jobs[2]),
            self._twin_id: _contact(self._twin, jobs[2]),
        }
        self.notes: dict[str, list[str]] = {self.record_id: [], self._twin_id: []}
        self.deal_stage = stages[2]

    def words(self, *, repeats: bool = False) -> dict[str, Any]:
        return {
            "name": self.person.name,
            "company": self.person.company,
            "job": self.used_job if repeats else self.job,
            "note": self.note,
            "title": self.title,
            "stage": self.used_stage if repeats else self.stage,
        }

    def openings(self) -> list[Call]:
        return [("crm.search_contacts", {"query": self.person.name})]

    def rereads(self) -> list[Call]:
        return [*self.openings(), ("crm.list_deals", {"title": self.title})]

    def housekeeping(self) -> Call:
        return "crm.set_task", {"text": f"tidy list {self.stream.token(4)}", "due_in_days": self.stream.between(1, 30)}

    def act(self, name: str) -> Call | None:
        if name == "updated":
            fields = {"title": self.used_job, "company": self.person.company}
            return "crm.update_contact", {"record_id": self.used_id, "fields": fields}
        if name == "note_added":
            return "crm.add_note", {"record_id": self.used_id, "body": self.note}
        return "crm.update_deal_stage", {"deal_id": self.deal_id, "stage": self.used_stage}

    def apply(self, tool: str, args: dict[str, Any]) -> Reply:
        if tool == "crm.search_contacts":
            rows = [(self.record_id, self.person), (self._twin_id, self._twin)]
            shown = [{"record_id": i, "name": p.name, "company": p.company, "email": p.email} for i, p in rows]
            return Reply(True, {"results": self.stream.shuffled(shown)})
        if tool == "crm.list_deals":
            return Reply(
                True, {"deals": [{"deal_id": self.deal_id, "title": self.title, "contact_id": self.record_id}]}
            )
        if tool == "crm.set_task":
            return Reply(True, {"task_id": self.new_id("task-"), "text": args["text"]})
        output = self._echo(tool, args)
        self._change(tool, args)
        return Reply(True, output)

    def accept(self, tool: str, args: dict[str, Any], *, is_kept: bool) -> Reply | None:
        self.later(lambda: self._change(tool, args), is_kept=is_kept)
        return Reply(True, {**self._echo(tool, args), "status": "accepted", "status_code": 202})

    def _echo(self, tool: str, args: dict[str, Any]) -> dict[str, Any]:
        if tool == "crm.update_contact":
            return {"record_id": args["record_id"], "updated_fields": sorted(args["fields"])}
        if tool == "crm.add_note":
            return {"note_id": self.new_id("note-"), "record_id": args["record_id"]}
        return {"deal_id": args["deal_id"], "stage": args["stage"], "previous_stage": self.deal_stage}

    def _change(self, tool: str, args: dict[str, Any]) -> None:
        if tool == "crm.update_contact":
            self.contacts[args["record_id"]].update(args["fields"])
        elif tool == "crm.add_note":
            self.notes[args["record_id"]].append(args["body"])
        else:
            self.deal_stage = args["stage"]

    def mistake_target(self) -> None:
        self.used_id = self._twin_id

    def mistake_value(self) -> None:
        if self.stream.chance(0.5):
            self.used_job = self._wrong_job
        else:
            self.used_stage = self._wrong_stage

    def goal(self) -> bool:
        contact = self.contacts[self.record_id]
        return (
            contact["title"] == self.job
            and contact["company"] == self.person.company
            and self.note in self.notes[self.record_id]
            and self.deal_stage == self.stage
        )

    def claims(self, *, repeats: bool) -> list[Claim]:
        record_id = self.used_id if repeats else self.record_id
        fields = {"title": self.used_job if repeats else self.job, "company": self.person.company}
        stage = {"record_id": self.deal_id, "stage": self.used_stage if repeats else self.stage}
        return [
            Claim(type="updated", subject={"object": "contact", "record_id": record_id, "fields": fields}),
            Claim(type="note_added", subject={"record_id": record_id}),
            Claim(type="stage_changed", subject=stage),
        ]

    def probes(self) -> list[tuple[str, dict[str, Any], Reply]]:
        output: dict[str, Any] = {
            "record_id": self.record_id,
            "fields": dict(self.contacts[self.record_id]),
            "deal_id": self.deal_id,
            "stage": self.deal_stage,
        }
        if self.notes[self.record_id]:
            output["notes"] = list(self.notes[self.record_id])
        return [("crm.read_record", {"record_id": self.record_id}, Reply(True, output))]


def _contact(person: Person, job: str) -> dict[str, str]:
    return {"name": person.name, "email": person.email, "company": person.company, "title": job}
