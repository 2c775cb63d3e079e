"""The key table, read once from the section records: dotted name, kind, default and meaning of every setting."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from agent_claimcheck.core.settings.sections import (
    BudgetSettings,
    CheckSettings,
    ClaimsSettings,
    ClassifierSettings,
    GateSettings,
    JudgeSettings,
    Key,
    RulesSettings,
)

Kind = Literal["number", "integer", "boolean", "text", "texts"]

SECTIONS: dict[str, type[Struct]] = {
    "gate": GateSettings,
    "judge": JudgeSettings,
    "budget": BudgetSettings,
    "rules": RulesSettings,
    "classifier": ClassifierSettings,
    "claims": ClaimsSettings,
    "check": CheckSettings,
}


class Setting(Struct, frozen=True):
    """One row of the table. ``name`` is dotted (``gate.verified``); a ``default`` of ``None`` means "not set"."""

    name: str
    section: str
    field: str
    kind: Kind
    default: Any
    key: Key


def _kind(hint: Any) -> Kind:
    if get_origin(hint) in (Union, UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not NoneType)
    if get_origin(hint) is tuple:
        return "texts"
    kinds: dict[Any, Kind] = {float: "number", int: "integer", bool: "boolean"}
    return kinds.get(hint, "text")


def _rows(section: str, record: type[Struct]) -> list[Setting]:
    hints = get_type_hints(record, include_extras=True)
    rows: list[Setting] = []
    for field in fields(record):
        hint = hints[field.name]
        assert get_origin(hint) is Annotated, f"{section}.{field.name} has no Key"
        inner, key = get_args(hint)
        rows.append(Setting(f"{section}.{field.name}", section, field.name, _kind(inner), field.default, key))
    return rows


SETTINGS: dict[str, Setting] = {row.name: row for section, record in SECTIONS.items() for row in _rows(section, record)}
"""Every setting by its dotted name, in the order in which it is documented."""
