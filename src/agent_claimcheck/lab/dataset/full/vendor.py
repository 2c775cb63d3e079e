"""How the tools of one run look: names, arguments, results and errors, drawn anew for every run.

A reader must not miss: the look is drawn without regard to how the run goes, so it says nothing about the label.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from agent_claimcheck.lab.dataset.full.world import Effect
from agent_claimcheck.lab.dataset.names import load_words
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply

_ARGS = {"flat": 5, "nested": 3, "changes": 3, "patch": 1}
_RESULTS = {"record": 5, "envelope": 4, "status": 3, "text": 3, "json_text": 2, "id_only": 2}
_ERRORS = {"flag": 4, "object": 3, "soft": 3, "http": 2, "text": 3}
_NAMES = {"snake": 5, "camel": 3, "dotted": 3, "noun_first": 2, "kebab": 1, "pascal": 1, "server": 2}


class Vendor:
    """The look of one run's tools. ``is_declared`` says whether results state their success in ``ok``."""

    def __init__(self, stream: Stream, domain: dict[str, Any]) -> None:
        words = load_words("full")
        self._stream = stream
        self._verbs: dict[str, str] = {key: stream.choose(verbs) for key, verbs in words["verbs"].items()}
        self._spare_verbs: dict[str, str] = {key: stream.choose(verbs) for key, verbs in words["verbs"].items()}
        self._nouns: dict[str, str] = {kind: stream.choose(nouns) for kind, nouns in domain["kinds"].items()}
        self._fields: dict[str, str] = {key: stream.choose(names) for key, names in words["fields"].items()}
        self._houses = words["verbs"]["house"]
        self._name_style = stream.weighted(_NAMES)
        self._args_style = stream.weighted(_ARGS)
        self._result_style = stream.weighted(_RESULTS)
        self._error_style = stream.weighted(_ERRORS)
        self._id_style = stream.below(4)
        self._prefix = stream.choose(domain["prefix"])
        self._server = stream.choose(list(self._nouns.values())).partition("_")[0]
        self._id_key = stream.choose(("id", "{noun}_id", "{noun}Id", "reference", "ref", "key"))
        self.is_declared = stream.chance(0.7)

    def new_id(self) -> str:
        """Return a new record id in this vendor's style."""
        stream = self._stream
        if self._id_style == 0:
            return f"{self._prefix}-{stream.token(1, '123456789')}{stream.token(3, '0123456789')}"
        if self._id_style == 1:
            return f"{self._prefix.lower()}_{stream.token(6)}"
        if self._id_style == 2:
            return f"{self._prefix}{stream.token(1, '123456789')}{stream.token(5, '0123456789')}"
        return f"{self._prefix.lower()}-{stream.token(4)}-{stream.token(4)}"

    def noun(self, kind: str) -> str:
        """Return what this vendor calls a record kind."""
        return self._nouns.get(kind, kind)

    def field(self, name: str) -> str:
        """Return what this vendor calls a field."""
        return self._fields.get(name, name)

    def tool(self, verb: str, kind: str = "", *, is_spare: bool = False) -> str:
        """Return a tool's name; ``is_spare`` gives the name of a second tool that does the same."""
        word = (self._spare_verbs if is_spare else self._verbs)[verb]
        noun = self.noun(kind)
        if is_spare and word == self._verbs[verb]:
            word = f"bulk_{word}"
        if verb == "list":
            noun += "s" if noun and not noun.endswith("s") else ""
        return self._spell(word, noun)

    def house_tool(self) -> str:
        """Return the name of a tool whose writes do not matter."""
        return self._spell(self._stream.choose(self._houses), "")

    def _spell(self, verb: str, noun: str) -> str:
        both = f"{verb}_{noun}" if noun else verb
        styles: dict[str, Callable[[], str]] = {
            "snake": lambda: both,
            "camel": lambda: _camel(both),
            "dotted": lambda: f"{noun or self._server}.{verb}",
            "noun_first": lambda: f"{noun}_{verb}" if noun else verb,
            "kebab": lambda: both.replace("_", "-"),
            "pascal": lambda: _camel(both)[0].upper() + _camel(both)[1:],
            "server": lambda: f"mcp__{self._server}__{both}",
        }
        return styles[self._name_style]()

    def id_args(self, kind: str, ref: str) -> dict[str, Any]:
        """Return the arguments that name a record."""
        return {self._id_key.format(noun=self.noun(kind)): ref}

    def args(self, effect: Effect) -> dict[str, Any]:
        """Return the arguments of the call that has ``effect``."""
        fields = self._changed_fields(effect)
        if effect.op == "create":
            return {self.noun(effect.kind): fields} if self._args_style == "nested" else fields
        named = self.id_args(effect.kind, effect.ref)
        if not fields or effect.op in ("send", "pay", "test"):
            return {**named, **fields}
        if self._args_style == "nested":
            return {self.noun(effect.kind): {**named, **fields}}
        if self._args_style == "changes":
            return {**named, "changes": fields}
        if self._args_style == "patch":
            return {**named, "ops": [{"op": "replace", "path": f"/{key}", "value": v} for key, v in fields.items()]}
        return {**named, **fields}

    def _changed_fields(self, effect: Effect) -> dict[str, Any]:
        if effect.op == "create":
            return {self.field("title"): effect.ref, self.field(effect.field): effect.value}
        if effect.op in ("set", "assign"):
            return {self.field(effect.field): effect.value}
        if effect.op == "note":
            return {"text": effect.value}
        if effect.op == "send":
            return {"to": effect.who}
        if effect.op == "pay":
            return {"to": effect.who, self.field("amount"): effect.value}
        if effect.op == "edit":
            return {"content": "# see ticket\nreturn value\n"}
        if effect.op == "commit":
            return {"message": "Mend it"}
        return {}

    def shown(self, kind: str, ref: str, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record as this vendor shows it."""
        fields = {self.field(key): value for key, value in record.items() if key not in ("kind", "red", "in_commit")}
        return {**self.id_args(kind, ref), **fields}

    def success(self, verb: str, shown: dict[str, Any], *, status: str = "") -> Reply:
        """Return the reply of a write that went well; ``status`` is set for one that was only accepted."""
        said = status or self._stream.choose(("ok", "done", "success"))
        ref = next(iter(shown.values()))
        styles: dict[str, Callable[[], Any]] = {
            "record": lambda: {**shown, "result": status} if status else shown,
            "envelope": lambda: {"success": True, "data": {**shown, "state": status} if status else shown},
            "status": lambda: {"status": said, "id": ref},
            "text": lambda: f"{verb} {ref}: {said}",
            "json_text": lambda: json.dumps({**shown, "result": said}, sort_keys=True),
            "id_only": lambda: {"id": ref, "queue": status} if status else {"id": ref},
        }
        return Reply(True if self.is_declared else None, styles[self._result_style]())

    def reading(self, output: Any) -> Reply:
        """Return the reply of a read."""
        if self._result_style == "json_text":
            output = json.dumps(output, sort_keys=True)
        elif self._result_style == "envelope":
            output = {"success": True, "data": output}
        return Reply(True if self.is_declared else None, output)

    def failure(self, text: str) -> Reply:
        """Return the reply of a call that was refused."""
        ok = False if self.is_declared else None
        code = text.split(":")[0].replace(",", "").replace(" ", "_").upper()
        styles: dict[str, Callable[[], Reply]] = {
            "flag": lambda: Reply(ok, None, text),
            "object": lambda: Reply(ok, None, {"code": code, "message": text}),
            "soft": lambda: Reply(ok, {"success": False, "error": text}),
            "http": lambda: Reply(ok, {"status": self._stream.choose((403, 409, 422, 429, 503)), "detail": text}),
            "text": lambda: Reply(ok, f"Error: {text}"),
        }
        return styles[self._error_style]()


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
