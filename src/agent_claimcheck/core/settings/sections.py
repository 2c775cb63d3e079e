"""What can be set, as one frozen record per section. This file is the only list of keys, defaults and ranges.

A reader must not miss: loading, ``config show``, both example files and the reference page are all made from the
``Key`` that stands beside each field. A new setting is one new field here.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

Form = Literal["any", "url", "variable", "path"]


class Key(Struct, frozen=True):
    """What one setting means and which values it takes.

    ``low`` and ``high`` are inclusive bounds unless ``is_above_low`` (then ``low`` itself is refused).
    ``env`` names the environment variable that sets it. ``example`` is TOML shown where there is no default.
    """

    doc: str
    low: float | None = None
    high: float | None = None
    is_above_low: bool = False
    choices: tuple[str, ...] = ()
    form: Form = "any"
    env: str | None = None
    example: str = ""


class GateSettings(Struct, frozen=True):
    """Which probability becomes which verdict."""

    verified: Annotated[float, Key("p_success at or above this is `verified`.", low=0, high=1)] = 0.80
    false_success: Annotated[
        float, Key("p_success at or below this is `false_success`. Must be below `verified`.", low=0, high=1)
    ] = 0.20


class JudgeSettings(Struct, frozen=True):
    """The model that judges, and how it is called."""

    base_url: Annotated[str, Key("Base URL of the API.", form="url", env="CLAIMCHECK_BASE_URL")] = (
        "https://openrouter.ai/api/v1"
    )
    api: Annotated[
        Literal["auto", "openai", "anthropic", "gemini"],
        Key(
            "Format the API speaks. `auto` goes by the host: Anthropic's, Gemini's, else OpenAI-compatible.",
            choices=("auto", "openai", "anthropic", "gemini"),
        ),
    ] = "auto"
    api_key_env: Annotated[
        str, Key("Name of the environment variable that holds the API key. Never the key itself.", form="variable")
    ] = "CLAIMCHECK_API_KEY"
    model: Annotated[
        str | None, Key("Model id. Without one there is no judge.", env="CLAIMCHECK_MODEL", example='"vendor/model"')
    ] = None
    prompt: Annotated[str, Key("Built-in prompt name or path of a prompt file.")] = "claim-audit"
    temperature: Annotated[float, Key("Sampling temperature.", low=0, high=2)] = 0.0
    max_tokens: Annotated[int, Key("Longest answer, in tokens.", low=1, high=1_000_000)] = 400
    max_input_tokens: Annotated[
        int,
        Key(
            "Most evidence one question may hold, in tokens of 2.5 bytes. Longer traces are cut by relevance.",
            low=1000,
            high=1_000_000,
        ),
    ] = 24_000
    json_mode: Annotated[bool, Key("Ask the API for a JSON object.")] = True
    timeout_s: Annotated[float, Key("Seconds to wait for one answer.", low=0, is_above_low=True, high=3600)] = 60.0
    concurrency: Annotated[int, Key("Calls in flight at once.", low=1, high=256)] = 8
    price_in_per_m: Annotated[
        float | None, Key("US dollars per million input tokens. Set both prices or neither.", low=0, example="0.10")
    ] = None
    price_out_per_m: Annotated[
        float | None, Key("US dollars per million output tokens. Set both prices or neither.", low=0, example="0.30")
    ] = None


class BudgetSettings(Struct, frozen=True):
    """What may be spent."""

    max_usd: Annotated[
        float,
        Key("US dollars one run may spend. No call is made that could cross it.", low=0, env="CLAIMCHECK_MAX_USD"),
    ] = 1.0
    ledger: Annotated[
        str | None,
        Key(
            "File that records every paid call. Default: `ledger.jsonl` in the cache directory.",
            form="path",
            env="CLAIMCHECK_LEDGER",
            example='"ledger.jsonl"',
        ),
    ] = None
    ledger_cap_usd: Annotated[
        float | None,
        Key(
            "US dollars the whole ledger may ever reach. Default: no cap.",
            low=0,
            env="CLAIMCHECK_LEDGER_CAP_USD",
            example="25.0",
        ),
    ] = None


class RulesSettings(Struct, frozen=True):
    """Rule packs and what counts as a success claim."""

    packs: Annotated[
        tuple[str, ...],
        Key("Rule packs to add. They win over the built-in ones.", form="path", example='["my-pack.yaml"]'),
    ] = ()
    non_success_types: Annotated[tuple[str, ...], Key("Declared claim types that do not claim success.")] = (
        "failed",
        "blocked",
        "gave_up",
        "needs_input",
        "partial",
    )


class ClassifierSettings(Struct, frozen=True):
    """Fitted files to use instead of the ones that come with the package."""

    model: Annotated[
        str | None, Key("Classifier file made by `train`.", form="path", example='"my-model/lr-v1.json"')
    ] = None
    calibration: Annotated[
        str | None, Key("Calibration file made by `train`.", form="path", example='"my-model/calibration.json"')
    ] = None


class ClaimsSettings(Struct, frozen=True):
    """Where claims are looked for."""

    scope: Annotated[
        Literal["all", "final"],
        Key(
            '`all` reads every agent message, and a run closes with the last one that is no mere courtesy ("You\'re welcome!"); '
            "`final` reads only the last one.",
            choices=("all", "final"),
        ),
    ] = "all"


class CheckSettings(Struct, frozen=True):
    """What `check` runs and when it fails."""

    detector: Annotated[str, Key("Name of the detector.")] = "cascade-offline"
    fail_on: Annotated[
        tuple[str, ...], Key("Verdicts or finding ids that make the exit code 1. An empty list never does.")
    ] = ("false_success",)
    require_claims: Annotated[bool, Key("Fail when no trace claims anything.")] = False
    min_checked: Annotated[
        float | None,
        Key("Fail when less than this share of the claiming traces could be decided.", low=0, high=1, example="0.5"),
    ] = None
    suppressions: Annotated[
        str | None,
        Key("File of findings that are known and accepted.", form="path", example='"claimcheck-suppressions.toml"'),
    ] = None
