"""From the URL of an object to the filesystem of pyarrow that holds it and the name the object has there.

A reader must not miss: what stands behind the bucket is the name of the object as it is, never percent-encoded, as in the
stores' own tools. Keys come from the environment, a profile or the machine's role; in a URL they are refused, because a
URL ends up in manifests and shell histories.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from agent_claimcheck.core.errors import MissingExtraError, UsageError
from agent_claimcheck.core.settings.azure import ACCOUNT, AzureAccess, azure_access
from agent_claimcheck.core.text import printable

SCHEMES = ("s3://", "gs://", "az://")

_KEYS = {"access_key", "account_key", "client_secret", "sas_token", "secret_key", "session_token", "sig"}
_GOOGLE_PATIENCE_S = 30
"""Without a limit the library tries for a quarter of an hour, and Ctrl-C does not reach it."""

_AZURE_CLOUD = "core.windows.net"
_STORES_KEPT = 16


class StoreUrl(NamedTuple):
    """A URL in its parts: ``authority`` is a bucket, or what a store writes in its place, ``options`` follow the ``?``."""

    scheme: str
    authority: str
    path: str
    options: str


def split_query(name: str) -> tuple[str, str]:
    """Split off ``?key=value...``; a single ``?`` elsewhere is a wildcard."""
    base, mark, query = name.rpartition("?")
    return (base, mark + query) if mark and "=" in query and "/" not in query.partition("=")[0] else (name, "")


def find_store(name: str) -> tuple[Any, str]:
    """Return the filesystem behind the URL ``name`` and the path there, which begins with the bucket.

    Raises ``UsageError`` for a URL without a bucket, without an account or with keys in it, ``MissingExtraError`` without
    pyarrow, and what pyarrow raises for a place it cannot use.
    """
    url = _parse(name)
    filesystem, bucket = _open_store(url.scheme, url.authority, url.options)
    return filesystem, f"{bucket}/{url.path}" if url.path else bucket


def _parse(name: str) -> StoreUrl:
    base, query = split_query(name)
    scheme, _, rest = base.partition("://")
    authority, _, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if (at and ":" in user) or _KEYS & {key for key, _ in parse_qsl(query[1:], keep_blank_values=True)}:
        raise UsageError(
            f"{printable(scheme)}://...: keys do not belong into a URL",
            hint=where_keys_come_from(scheme),
            slug="remote",
        )
    if scheme == "az" and "." in host and not at:
        # Some tools write the container first in the path.
        container, _, path = path.partition("/")
        authority = f"{container}@{host}" if container else ""
    if not authority:
        raise UsageError(f"{printable(base)}: names no bucket", hint=f"as in {scheme}://bucket/traces", slug="remote")
    return StoreUrl(scheme, authority, path, query[1:])


def where_keys_come_from(scheme: str) -> str:
    """Say where the keys of a store are looked for."""
    return {
        "s3": "keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile (AWS_PROFILE) or the machine's role",
        "gs": "credentials come from GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login` or the "
        "machine's role; a public bucket is gs://anonymous@bucket/...",
        "az": "AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN is taken, else AZURE_CLIENT_ID with its secret and tenant, "
        "`az login` or the machine's identity",
    }.get(scheme, "give them by environment variables")


@lru_cache(maxsize=_STORES_KEPT)
def _open_store(scheme: str, authority: str, options: str) -> tuple[Any, str]:
    """Return filesystem and bucket. Kept, because a connection of its own for every object is slow."""
    fs = import_filesystems()
    if scheme == "az":
        return _open_azure(fs, authority, dict(parse_qsl(options, keep_blank_values=True)))
    if scheme == "gs" and "retry_limit_seconds=" not in options:
        options = f"{options}&retry_limit_seconds={_GOOGLE_PATIENCE_S}".removeprefix("&")
    filesystem, bucket = fs.FileSystem.from_uri(f"{scheme}://{authority}/{'?' if options else ''}{options}")
    return filesystem, bucket.rstrip("/")


def _open_azure(fs: Any, authority: str, options: dict[str, str]) -> tuple[Any, str]:
    access = azure_access(os.environ)
    left, _, host = authority.rpartition("@")
    if "." in host:
        container = left
        account, _, service = host.partition(".")
        cloud = service.partition(".")[2] or _AZURE_CLOUD
    else:
        container, account, cloud = host, left or access.account or "", _AZURE_CLOUD
    if not account:
        raise UsageError(
            f"az://{printable(container)}: names no storage account",
            hint=f"write az://container@account.dfs.{_AZURE_CLOUD}/..., or set {ACCOUNT}",
            slug="remote",
        )
    server = options.pop("endpoint_override", "")
    places = {
        "blob_storage_authority": options.pop("blob_storage_authority", server or f".blob.{cloud}"),
        "dfs_storage_authority": options.pop("dfs_storage_authority", server or f".dfs.{cloud}"),
    }
    scheme = options.pop("scheme", "https")
    if (access.key or access.sas_token) and not options:
        return fs.AzureFileSystem(
            account, **_opened_by(access), **places, blob_storage_scheme=scheme, dfs_storage_scheme=scheme
        ), container
    said = {**places, "enable_tls": "false" if scheme == "http" else "true", **options}
    uri = f"abfss://{quote(account)}@{quote(container)}/?{urlencode(said)}"
    return fs.FileSystem.from_uri(uri)[0], container


def _opened_by(access: AzureAccess) -> dict[str, str]:
    if access.key is not None:
        return {"account_key": access.key.reveal()}
    return {"sas_token": access.sas_token.reveal()} if access.sas_token is not None else {}


def import_filesystems() -> Any:
    """Return ``pyarrow.fs``. Raises ``MissingExtraError`` without it."""
    try:
        import pyarrow.fs

        return pyarrow.fs
    except ImportError as error:
        from agent_claimcheck.core.install import install_hint

        raise MissingExtraError("object stores need pyarrow", hint=install_hint("parquet")) from error
