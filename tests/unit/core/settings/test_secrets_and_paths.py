from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.core.settings import Secret, load_settings
from agent_claimcheck.core.settings.paths import cache_dir, judge_cache_dir, ledger_path
from agent_claimcheck.core.settings.secrets import find_api_key

OPENROUTER = "https://openrouter.ai/api/v1"


def test_a_secret_is_never_shown() -> None:
    secret = Secret("sk-1234")
    for text in (repr(secret), str(secret), f"{secret}", f"{secret!r:>40}", f"{secret:>9}", repr([secret])):
        assert "sk-1234" not in text
    assert secret.reveal() == "sk-1234"
    assert secret == Secret("sk-1234") and secret != Secret("sk-1235") and secret != "sk-1234"


def test_the_named_variable_comes_before_the_fallback() -> None:
    environ = {"CLAIMCHECK_API_KEY": "own", "OPENROUTER_API_KEY": "router"}
    assert find_api_key(environ, "CLAIMCHECK_API_KEY", OPENROUTER) == (Secret("own"), "CLAIMCHECK_API_KEY")
    del environ["CLAIMCHECK_API_KEY"]
    assert find_api_key(environ, "CLAIMCHECK_API_KEY", OPENROUTER) == (Secret("router"), "OPENROUTER_API_KEY")


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "https://openrouter.ai.example.com/v1",
        "https://example.com/openrouter.ai",
        "https://api.openrouter.ai/v1",
        "https://notopenrouter.ai/v1",
        "http://openrouter.ai/v1",
        "http://localhost:8000/v1",
    ],
)
def test_the_fallback_key_never_goes_to_another_host(url: str) -> None:
    assert find_api_key({"OPENROUTER_API_KEY": "router"}, "CLAIMCHECK_API_KEY", url) == (None, "")


def test_the_fallback_variable_may_be_named_on_purpose() -> None:
    found, name = find_api_key({"OPENROUTER_API_KEY": "k"}, "OPENROUTER_API_KEY", "https://proxy.example.com/v1")
    assert (found, name) == (Secret("k"), "OPENROUTER_API_KEY")


@pytest.mark.parametrize(
    "url",
    ["https://user:hunter2@openrouter.ai/v1", "https://openrouter.ai\\@evil.example/v1", "https://openrouter.ai /v1"],
)
def test_urls_whose_host_is_in_doubt_are_refused_and_not_repeated(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {"judge.base_url": url}, {}, tmp_path)
    assert "hunter2" not in str(caught.value)
    assert "judge.base_url must be" in str(caught.value)


@pytest.mark.parametrize("value", ['"sk-or-v1-abcdef"', '["sk-or-v1-abcdef"]'])
def test_a_key_typed_where_its_name_belongs_is_not_repeated(tmp_path: Path, value: str) -> None:
    (tmp_path / "claimcheck.toml").write_text(f"[judge]\napi_key_env = {value}")
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {}, {}, tmp_path)
    assert "judge.api_key_env must be" in str(caught.value)
    assert "sk-or" not in str(caught.value)


def test_a_key_in_a_file_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "claimcheck.toml").write_text('[judge]\napi_key = "sk-or-v1-abcdef"')
    with pytest.raises(ConfigError, match="set the environment variable CLAIMCHECK_API_KEY") as caught:
        load_settings(None, {}, {}, tmp_path)
    assert "sk-or" not in str(caught.value)


def test_cache_directory_follows_xdg_and_ignores_relative_paths() -> None:
    assert cache_dir({"XDG_CACHE_HOME": "/var/c", "HOME": "/home/x"}) == Path("/var/c/agent-claimcheck")
    assert cache_dir({"XDG_CACHE_HOME": "c", "HOME": "/home/x"}) == Path("/home/x/.cache/agent-claimcheck")
    assert cache_dir({"HOME": "/home/x"}) == Path("/home/x/.cache/agent-claimcheck")
    assert cache_dir({}) == Path.home() / ".cache" / "agent-claimcheck"


def test_ledger_lies_in_the_cache_unless_set() -> None:
    cache = Path("/c")
    assert ledger_path(cache, None) == Path("/c/ledger.jsonl")
    assert ledger_path(cache, "my/l.jsonl") == Path("my/l.jsonl")
    assert judge_cache_dir(cache) == Path("/c/judge")
