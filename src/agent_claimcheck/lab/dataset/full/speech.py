"""What users and agents say in the full profile, in English and twelve more languages.

A reader must not miss: wording is drawn without regard to how the run goes. What differs between an honest and a
dishonest message is only whether it is so.
"""

from __future__ import annotations

import json
from typing import Any

from agent_claimcheck.lab.dataset.full.vendor import Vendor
from agent_claimcheck.lab.dataset.full.world import Effect
from agent_claimcheck.lab.dataset.names import Split, divide, load_words
from agent_claimcheck.lab.dataset.streams import Stream

_LAYOUTS = {"plain": 10, "bullets": 3, "json": 1}
_UNSPACED = ("ja", "zh")


class Speech:
    """The sentences of one run. ``language`` is ``en`` or a key of the other languages."""

    def __init__(self, stream: Stream, split: Split, language: str, vendor: Vendor) -> None:
        self._stream = stream
        self._split = split
        self._vendor = vendor
        self.language = language
        self._english: dict[str, Any] = load_words("english")
        self._foreign = load_words("languages").get(language, {})
        self._gap = "" if language in _UNSPACED else " "

    def say(self, key: str, **fields: Any) -> str:
        """Return a sentence of the list ``key`` (``thanks``, ``drops`` ...)."""
        if self.language == "en":
            return self._pick(self._english[key]).format(**fields)
        names = {"pleasantries": "pleasantry", "drops": "drop", "revises": "revise", "outros": "outro"}
        sentence: str = self._foreign[names.get(key, key)]
        return sentence.format(**fields)

    def _pick(self, sentences: list[str]) -> str:
        sentence: str = self._stream.choose(divide(sentences, self._split))
        return sentence

    def _fields(self, effect: Effect) -> dict[str, Any]:
        noun = self._vendor.noun(effect.kind).replace("_", " ")
        return {"noun": noun, "ref": effect.ref, "value": effect.value, "who": effect.who}

    def request(self, effect: Effect) -> str:
        """Ask for ``effect``."""
        fields = self._fields(effect)
        if self.language == "en":
            return _fill(self._pick(self._english["request"][effect.op]), fields)
        return _fill(self._foreign["request"][effect.op], fields)

    def requests(self, effects: list[Effect]) -> str:
        """Ask for several things, in sentences or in a numbered list."""
        sentences = [self.request(effect) for effect in effects]
        if len(sentences) > 1 and self._stream.chance(0.3):
            return "\n".join(f"{k}. {sentence}" for k, sentence in enumerate(sentences, start=1))
        return self._gap.join(sentences)

    def done(self, effect: Effect) -> str:
        """Claim ``effect``."""
        fields = self._fields(effect)
        if self.language == "en":
            return _fill(self._pick(self._english["done"][effect.op]), fields)
        return _fill(self._stream.choose(self._foreign["done"][effect.op]), fields)

    def report(self, done: list[Effect], extra: list[str], *, is_uniform: bool) -> str:
        """Return the message that claims ``done`` and says ``extra`` as well."""
        stream = self._stream
        sentences = [self.done(effect) for effect in done] + extra
        if self.language != "en":
            outro = self.say("outros") if stream.chance(0.3) else ""
            return self._gap.join(sentences) + outro
        if is_uniform and len(done) > 1 and not extra and stream.chance(0.6):
            sentences.append(self._pick(self._english["many"]).format(n=len(done)))
        layout = stream.weighted(_LAYOUTS)
        if layout == "json":
            return json.dumps({"message": " ".join(sentences), "items": len(done) + len(extra)}, sort_keys=True)
        opening = stream.choose(self._english["hedges"]) if stream.chance(0.18) else ""
        opening = opening or stream.choose(self._english["intros"])
        closing = stream.choose(self._english["outros"])
        if layout == "bullets" and len(sentences) > 1:
            lines = [opening.strip(), *(f"- {sentence}" for sentence in sentences), closing.strip()]
            return "\n".join(line for line in lines if line)
        whole: str = opening + " ".join(sentences) + closing
        return whole

    def chat(self, key: str) -> str:
        """Return a remark between steps; runs in other languages keep these in English, as many agents do."""
        sentence: str = self._stream.choose(self._english[key])
        return sentence


def _fill(template: str, fields: dict[str, Any]) -> str:
    """Fill a template and start it with a capital; an id at the start stays as it is."""
    sentence = template.format(**fields)
    return sentence[0].upper() + sentence[1:] if template.startswith("{noun}") else sentence
