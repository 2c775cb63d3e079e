"""Secrets and personal data replaced by stable stand-ins such as ``<email-1>``, for traces that leave the house.

A reader must not miss: the same value gets the same stand-in everywhere in one ``Masker``, so a claim and the result
that proves it still agree. What no pattern knows (names, addresses, binary data) stays; this is no proof of privacy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from agent_claimcheck.trace.model import FinalClaim, Trace


class _Kind(NamedTuple):
    """What to look for. ``hint`` must occur for the pattern to be tried; ``is_real`` rules out lookalikes.

    Every pattern starts where a run of its characters starts and reads each run once, so all are linear.
    """

    name: str
    hint: Callable[[str], bool]
    pattern: re.Pattern[str]
    is_real: Callable[[str], bool] = lambda value: True


def _has(*words: str) -> Callable[[str], bool]:
    return lambda text: any(word in text for word in words)


def _has_digits(text: str) -> bool:
    return any(digit in text for digit in "0123456789")


def _passes_luhn(value: str) -> bool:
    digits = [int(char) for char in reversed(value) if char.isdigit()]
    total = sum(digits[0::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return total % 10 == 0 and len(set(digits)) > 1


def _is_iban(value: str) -> bool:
    plain = value.replace(" ", "")
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


# The order matters: what is most certain comes first, and a stand-in is never masked again.
_KINDS = (
    _Kind(
        "key",
        _has("PRIVATE KEY-----"),
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)", re.DOTALL
        ),
    ),
    _Kind("token", _has("eyJ"), re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+", re.ASCII)),
    _Kind(
        "key",
        _has("sk", "pk", "rk", "gh", "github_pat_", "xox", "AKIA", "ASIA", "AIza", "glpat-", "hf_", "npm_"),
        re.compile(
            r"(?<![\w-])(?:[spr]k[-_](?=[\w-]*\d)[\w-]{16,}+|gh[pousr]_\w{20,}+|github_pat_\w{20,}+"
            r"|xox[abeoprs]-[\w-]{10,}+|A(?:KI|SI)A[0-9A-Z]{16}(?!\w)|AIza[\w-]{35}(?![\w-])|glpat-[\w-]{20,}+"
            r"|hf_\w{20,}+|npm_\w{30,}+)",
            re.ASCII,
        ),
    ),
    _Kind(
        "token",
        lambda text: "earer" in text or "EARER" in text,
        re.compile(r"(?i:(?<=\bbearer )|(?<=\bbearer\t))[\w.~+/=-]{12,}+", re.ASCII),
    ),
    _Kind(
        "secret",
        _has("=", ":"),
        re.compile(
            r"(?i:(?<=password)|(?<=passwd)|(?<=secret)|(?<=api_key)|(?<=api-key)|(?<=apikey)|(?<=access_token))"
            r"(?P<before>[\"']?\s{0,3}[:=]\s{0,3}[\"']?)(?P<value>[^\s\"'<>,;&]{4,}+)"
        ),
    ),
    _Kind(
        "email",
        _has("@"),
        re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?!\w)"),
    ),
    _Kind(
        "iban",
        _has_digits,
        re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)", re.ASCII),
        _is_iban,
    ),
    _Kind("card", _has_digits, re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])", re.ASCII), _passes_luhn),
    _Kind(
        "phone",
        _has_digits,
        re.compile(
            r"(?<![\w:.-])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{2,4}\)?){2,5}(?!\w)"
            r"|(?<!\w)\(\d{3}\) ?\d{3}-\d{4}(?!\w)|(?<![\w.-])\d{3}-\d{3}-\d{4}(?![\w-])",
            re.ASCII,
        ),
    ),
)
_SECRET_FIELD = re.compile(
    r"(?:.*[_-])?(?:password|passwd|pwd|secret|api[_-]?key|(?:access|auth|refresh|id)[_-]?token|private[_-]?key"
    r"|authorization|cookie)",
    re.IGNORECASE,
)
_STAND_IN = re.compile(r"<[a-z]+-[0-9]+>")


class Masker:
    """Replaces secrets and personal data; numbers its stand-ins in the order in which values first appear."""

    def __init__(self) -> None:
        self._stand_ins: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def mask_text(self, text: str) -> str:
        """Return ``text`` with e-mail addresses, phone numbers, card and account numbers, keys and tokens replaced.

        >>> Masker().mask_text("Mail ann@example.org or +49 30 1234567, not Ann@example.org.")
        'Mail <email-1> or <phone-1>, not <email-1>.'
        """
        for kind in _KINDS:
            if kind.hint(text):
                text = kind.pattern.sub(partial(self._replace, kind), text)
        return text

    def mask_value(self, value: Any) -> Any:
        """Return a JSON value with all texts and keys masked; the text in a field such as ``password`` goes whole."""
        if isinstance(value, str):
            return self.mask_text(value)
        if isinstance(value, list):
            return [self.mask_value(item) for item in value]
        if isinstance(value, dict):
            return {self.mask_text(key): self._mask_field(key, item) for key, item in value.items()}
        return value

    def mask_trace(self, trace: Trace) -> Trace:
        """Return ``trace`` with everything masked that people, tools and environments said.

        Ids, times, names of tools and the data of binary artifacts stay as they are.
        """
        return msgspec.structs.replace(
            trace,
            task=self._mask_record(trace.task, _TASK_FIELDS),
            steps=[self._mask_record(step, _STEP_FIELDS) for step in trace.steps],
            final_claim=self._mask_final(trace.final_claim),
            ground_truth=self._mask_record(trace.ground_truth, _TRUTH_FIELDS),
            meta=self.mask_value(trace.meta),
            artifacts=None
            if trace.artifacts is None
            else [self._mask_record(artifact, _ARTIFACT_FIELDS) for artifact in trace.artifacts],
        )

    def _mask_final(self, final: FinalClaim) -> FinalClaim:
        claims = [self._mask_record(claim, _CLAIM_FIELDS) for claim in final.claims]
        text = None if final.text is None else self.mask_text(final.text)
        return msgspec.structs.replace(final, text=text, claims=claims)

    def _mask_record(self, record: Any, fields: tuple[str, ...]) -> Any:
        if record is None:
            return None
        changed = {}
        for name in fields:
            value = getattr(record, name)
            if value is not None:
                changed[name] = self.mask_value(value)
        return msgspec.structs.replace(record, **changed)

    def _mask_field(self, key: str, value: Any) -> Any:
        if isinstance(value, str) and value and _SECRET_FIELD.fullmatch(key) and not _STAND_IN.fullmatch(value):
            return self._stand_in("secret", value)
        return self.mask_value(value)

    def _replace(self, kind: _Kind, match: re.Match[str]) -> str:
        if "value" in match.re.groupindex:
            return match["before"] + self._stand_in(kind.name, match["value"])
        value = match[0]
        return self._stand_in(kind.name, value) if kind.is_real(value) else value

    def _stand_in(self, kind: str, value: str) -> str:
        same = re.sub(r"[ .()-]", "", value) if kind in ("phone", "card", "iban") else value
        key = (kind, same.lower() if kind == "email" else same)
        known = self._stand_ins.get(key)
        if known is None:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            known = self._stand_ins[key] = f"<{kind}-{self._counts[kind]}>"
        return known


_TASK_FIELDS = ("instruction", "system_prompt", "user_script")
_STEP_FIELDS = ("content", "args", "output", "error", "raw_args", "blocks")
_CLAIM_FIELDS = ("subject", "quote")
_TRUTH_FIELDS = ("details",)
_ARTIFACT_FIELDS = ("name", "text", "path", "uri", "metadata")
