"""How an Azure storage account is reached, from the variables that Azure's own command line reads.

A reader must not miss: without a key or a signature nothing is returned for them, and the identity of the machine or of
the person who is logged in is asked instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent_claimcheck.core.settings.secrets import Secret

ACCOUNT = "AZURE_STORAGE_ACCOUNT"
KEY = "AZURE_STORAGE_KEY"
SAS_TOKEN = "AZURE_STORAGE_SAS_TOKEN"  # noqa: S105 - the name of a variable


class AzureAccess(Struct, frozen=True, kw_only=True):
    """An account and what opens it; each part is ``None`` when its variable is unset or blank."""

    account: str | None
    key: Secret | None
    sas_token: Secret | None


def azure_access(environ: Mapping[str, str]) -> AzureAccess:
    """Read the three variables."""
    account, key, token = (environ.get(name, "").strip() for name in (ACCOUNT, KEY, SAS_TOKEN))
    return AzureAccess(
        account=account or None,
        key=Secret(key) if key else None,
        # Written with or without its question mark, and put behind a URL as it stands.
        sas_token=Secret(f"?{token.removeprefix('?')}") if token else None,
    )
