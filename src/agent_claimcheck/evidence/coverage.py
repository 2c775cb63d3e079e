"""Could a call have done what a claim says? Classes of action, grouped in families.

A reader must not miss: "no" is an accusation's first half, so it is said only where the two families have nothing to
do with each other. In doubt the answer is ``None``.
"""

from __future__ import annotations

from typing import Protocol

_FAMILIES: dict[str, str] = {
    word: family
    for family, words in {
        "create": "created added recorded registered saved uploaded imported exported drafted copied logged opened generated written posted_record "
                  "documented noted listed filed entered implemented stored attached built made commented inserted enrolled signed_up subscribed",
        "obtain": "booked reserved scheduled ordered purchased bought rented placed checked_out rebooked",
        "change": "updated changed modified edited fixed corrected renamed moved rescheduled upgraded downgraded exchanged swapped set reset restored replaced "
                  "resolved configured adjusted extended renewed applied enabled disabled activated deactivated marked paused assigned converted merged_record "
                  "closed completed_record confirmed accepted approved rejected rated refactored improved optimized implemented_change resumed started stopped",
        "remove": "deleted removed cancelled canceled archived unsubscribed cleared dropped unlinked withdrawn revoked dismissed unassigned",
        "revert": "reverted undone rolled_back",
        "money": "paid charged transferred wired deposited donated sold credited debited",
        "refund": "refunded reimbursed returned",
        "speak": "sent emailed mailed notified messaged replied responded forwarded shared posted published invited announced texted escalated reminded",
        "code": "committed pushed merged deployed released staged tagged shipped_code",
        "install": "installed",
        "uninstall": "uninstalled",
        "grant": "granted authorized signed",
        "ship": "shipped dispatched delivered",
        "process": "processed submitted requested queued handled executed performed issued arranged transferred_case",
        "test": "tests_passed tests_run tested verified passed",
        "fetch": "downloaded",
    }.items()
    for word in words.split()
}  # fmt: skip

_ANY_WRITE = frozenset(
    {
        "completed",
        "done",
        "finished",
        "performed",
        "executed",
        "handled",
        "processed",
        "arranged",
        "taken_care_of",
        "success",
        "succeeded",
    }
)
"""Claims that name no action: any write could be meant."""
_SYNONYMS = {
    "canceled": "cancelled", "reserved": "booked", "purchased": "ordered", "bought": "ordered", "removed": "deleted", "modified": "updated",
    "edited": "updated", "changed": "updated", "corrected": "fixed", "emailed": "sent", "mailed": "sent", "messaged": "sent", "texted": "sent",
    "notified": "sent", "replied": "sent", "responded": "sent", "forwarded": "sent", "published": "posted", "wired": "transferred",
    "reimbursed": "refunded", "charged": "paid", "released": "deployed", "activated": "enabled", "deactivated": "disabled", "written": "created",
    "made": "created", "generated": "created", "inserted": "added", "undone": "reverted", "rebooked": "rescheduled", "moved": "moved",
    "tested": "tests_passed", "tests_run": "tests_passed", "passed": "tests_passed", "set": "updated", "adjusted": "updated",
}  # fmt: skip
_APART: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("speak", "remove"), ("speak", "refund"), ("speak", "money"), ("speak", "obtain"), ("speak", "install"), ("speak", "uninstall"),
        ("speak", "revert"), ("speak", "ship"),
        ("obtain", "remove"), ("obtain", "install"), ("obtain", "uninstall"), ("obtain", "code"), ("obtain", "revert"),
        ("create", "remove"), ("create", "uninstall"), ("create", "refund"),
        ("remove", "install"), ("remove", "money"), ("remove", "ship"),
        ("install", "money"), ("install", "refund"), ("uninstall", "money"), ("uninstall", "refund"), ("install", "uninstall"),
        ("code", "money"), ("code", "refund"), ("code", "ship"),
        ("ship", "refund"), ("money", "ship"),
    )
)  # fmt: skip
"""Families where one cannot be the other. Everything else is a maybe."""
_READ_CLAIMS = frozenset(
    [
        "found",
        "checked",
        "verified",
        "reviewed",
        "confirmed",
        "read",
        "analyzed",
        "analysed",
        "calculated",
        "compared",
        "tests_passed",
        "tested",
        "passed",
        "identified",
        "located",
        "retrieved",
        "listed",
        "summarized",
        "summarised",
        "searched",
        "downloaded",
        "looked_up",
    ]
)
"""Claims that a read can make true."""
_FILE_CLAIMS = frozenset({"create", "change", "remove", "code", "process"})
_FILE_NOT = frozenset({"refund", "money", "ship"})
_TALK_STEMS = {
    "obtain": ("book", "reserv", "order", "schedul", "appoint", "purchas"), "refund": ("refund", "return", "reimburs"),
    "money": ("pay", "charge", "money", "transfer", "invoice"), "remove": ("cancel", "delet", "remov", "unsub"),
    "speak": ("email", "mail", "messag", "notif", "send", "invit", "post", "share", "sms", "slack"),
    "create": ("creat", "add", "new", "regist", "ticket", "record"), "ship": ("ship", "deliver"), "install": ("instal",),
    "code": ("commit", "push", "merge", "deploy", "release"), "revert": ("revert", "undo", "restor", "roll"),
}  # fmt: skip


class _EffectLike(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def verb_class(self) -> str | None: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def is_file_change(self) -> bool: ...


def family_of(verb_class: str | None) -> str | None:
    """Return the family of a class (``booked`` is ``obtain``), or ``None`` for words not listed."""
    return _FAMILIES.get(verb_class) if verb_class else None


def class_covers(claim_class: str, effect: _EffectLike) -> bool | None:
    """Could this call have done what the claim says? ``None`` when nobody can tell.

    A read covers no change. A call of unknown effect covers nothing for sure and rules nothing out. ``completed`` is
    covered by any write.
    """
    claim = claim_class.strip().lower().replace(" ", "_")
    if effect.kind == "read":
        return None if claim in _READ_CLAIMS else False
    did = effect.verb_class
    if claim in _ANY_WRITE:
        return True if effect.kind == "write" else None
    wanted, given = _FAMILIES.get(claim), _FAMILIES.get(did) if did else None
    if wanted == "test":
        return True if given == "test" else None
    if effect.kind == "unknown":
        return None
    if did is not None and _SYNONYMS.get(claim, claim) == _SYNONYMS.get(did, did):
        return True
    if effect.is_file_change:
        return _file_covers(wanted, given)
    if wanted is None or given is None:
        return None
    if wanted == given:
        # Within one family: "added" by create, "ordered" by book. Surely so only for the plain words of it.
        return True if claim in ("created", "added", "updated", "changed", "sent", "recorded", "saved") else None
    if frozenset((wanted, given)) in _APART and not _mentions(effect.words, wanted):
        return False
    if wanted == "obtain" and given == "create" and _mentions(effect.words, "obtain"):
        return True
    return None


def _file_covers(wanted: str | None, given: str | None) -> bool | None:
    if wanted in _FILE_NOT:
        return None
    if wanted in ("create", "change") and given in ("create", "change", "remove", "code", None):
        return True
    return True if wanted is not None and wanted == given else None


def _mentions(words: tuple[str, ...], family: str) -> bool:
    stems = _TALK_STEMS.get(family, ())
    return any(word.startswith(stems) for word in words) if stems else False
