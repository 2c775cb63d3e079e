"""Command lines: whether they change anything, and whether they test, build or check."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.commands import command_of_args
from agent_claimcheck.evidence.coding.shell import read_command

TESTS = """
pytest
python -m pytest -q
cd app && FOO=1 pytest | tail -5
bash -lc "cd a && npm run test:unit"
make test
go test ./...
cargo test --all
tox -e py311
uv run pytest
poetry run pytest -x
npx jest
yarn test
docker compose exec web pytest
python manage.py test shop
./run_tests.sh
timeout 60 pytest x
sudo -E pytest
python -m unittest discover
mvn -q test
./gradlew check
dotnet test
bundle exec rspec
ctest -j2
python tests/test_shop.py
npm t
deno test
bin/test sympy/core
""".strip().splitlines()

LOOK_ALIKES = """
ls tests
cat test_a.py
git commit -m 'pytest passes'
echo pytest
pip install pytest
pytest --version
pytest --collect-only
grep -r pytest .
vim test.py
test -f a
cargo build
npm run build
python -c 'import pytest'
""".splitlines()


@pytest.mark.parametrize("command", TESTS)
def test_test_commands(command: str) -> None:
    assert read_command(command).is_test


@pytest.mark.parametrize("command", LOOK_ALIKES)
def test_commands_that_only_look_like_tests(command: str) -> None:
    assert not read_command(command).is_test


def test_build_and_check_commands() -> None:
    assert read_command("make -j4").is_build
    assert read_command("npm run build").is_build
    assert read_command("go build ./...").is_build
    assert not read_command("make test").is_build
    assert read_command("ruff check .").is_check
    assert read_command("npx tsc --noEmit").is_check
    assert read_command("python -m mypy src").is_check
    assert not read_command("ls").is_check


@pytest.mark.parametrize(
    ("command", "kind", "verb_class"),
    [
        ("ls -la; cat a.py | head", "read", None),
        ("grep -rn foo src 2>/dev/null", "read", None),
        ("find . -name '*.py'", "read", None),
        ("sed -n 1,5p a.py", "read", None),
        ("git diff HEAD~1", "read", None),
        ("curl -s https://example.org", "read", None),
        ("cd src && pwd", "read", None),
        ("tar tzf a.tgz", "read", None),
        ("kubectl get pods", "read", None),
        ("rm -rf build", "write", "deleted"),
        ("conda env list", "read", None),
        ("cd app && conda env create -f env.yml", "write", "created"),
        ("conda env remove -n maps", "write", "deleted"),
        ("mv a b", "write", "moved"),
        ("sed -i 's/a/b/' f.py", "write", "updated"),
        ("echo hi > out.txt", "write", "created"),
        ("cat <<'EOF' > a.py\nrm -rf /\nEOF", "write", "created"),
        ("python gen.py >> log.txt", "write", "updated"),
        ("git add . && git commit -m 'x; y'", "write", "committed"),
        ("git push origin main", "write", "pushed"),
        ("pip install -e .", "write", "installed"),
        ("npm ci", "write", "installed"),
        ("apt-get remove -y x", "write", "uninstalled"),
        ("find . -name x -delete", "write", "deleted"),
        ("kubectl apply -f x.yaml", "write", "deployed"),
        ("systemctl restart nginx", "write", "started"),
        ("tee a.txt", "write", "updated"),
        ("ls && frobnicate", "unknown", None),
        ("python script.py", "unknown", None),
        ("pytest", "unknown", "tests_run"),
        ("make", "unknown", "built"),
        ("curl -X POST https://example.org", "unknown", None),
        ("find . -exec frobnicate {} +", "unknown", None),
        ("find . -exec touch {} +", "write", "created"),
        ("find . -exec grep -l x {} +", "read", None),
        ("", "unknown", None),
        ("git frob", "unknown", None),
        ("git config pull.rebase true", "unknown", None),
        ("git config --get pull.rebase", "read", None),
        ("git config pull.rebase", "read", None),
        ("git remote -v", "read", None),
        ("git remote add mirror /srv/mirror", "unknown", None),
        ("git branch", "read", None),
        ("git branch --list 'fix/*'", "read", None),
        ("git branch fix/pump", "unknown", None),
        ("make fmt", "unknown", None),
        ("npm run lint:fix", "unknown", None),
        ("npm run format:check", "read", None),
        ("cargo fmt -- --check", "read", None),
        ("ruff format .", "unknown", None),
        ("sort words.txt", "read", None),
        ("sort -o words.txt words.txt", "write", "updated"),
        ("git symbolic-ref HEAD", "read", None),
        ("git symbolic-ref HEAD refs/heads/main", "unknown", None),
        ("ip link show eth1", "read", None),
        ("ip link set eth1 up", "write", "updated"),
        ("hostname", "read", None),
        ("hostname web9", "write", "renamed"),
    ],
)
def test_effect_of_a_command_line(command: str, kind: str, verb_class: str | None) -> None:
    reading = read_command(command)
    assert (reading.kind, reading.verb_class) == (kind, verb_class), reading


def test_here_document_bodies_are_not_commands() -> None:
    reading = read_command("cat <<EOF\nrm -rf / && pytest\nEOF\nls")
    assert reading.kind == "read"
    assert not reading.is_test


def test_a_null_redirection_writes_nothing() -> None:
    assert read_command("ls > /dev/null 2>&1").kind == "read"


def test_changed_paths_are_named() -> None:
    assert read_command("echo x > notes/a.txt").paths == ("notes/a.txt",)


def test_too_long_a_command_is_unknown_not_read() -> None:
    reading = read_command("ls " + "a " * 20_000)
    assert reading.is_cut
    assert reading.kind == "unknown"
    assert read_command("ls;" * 500 + "rm x").kind == "unknown"


@pytest.mark.parametrize(
    "command", ["'" * 3_000, '"' * 3_001, "$(" * 5_000, "`" * 4_001, "<<" * 4_000, "&|;" * 4_000, "\\" * 9_001]
)
def test_hostile_command_lines_are_read(command: str) -> None:
    assert read_command(command).kind in ("read", "write", "unknown")


@pytest.mark.parametrize(
    ("name", "args", "command"),
    [
        ("Bash", {"command": "ls"}, "ls"),
        ("shell.run", {"cmd": ["bash", "-lc", "pytest -q"]}, "pytest -q"),
        ("terminal", {"input": "make test"}, "make test"),
        ("run_tests", {"command": "pytest"}, "pytest"),
        ("pytest", {"command": "pytest -q"}, "pytest -q"),
        ("str_replace_editor", {"command": "view", "path": "/a"}, None),
        ("edit", {"command": "edit 1:2 x"}, None),
        ("get_item", {"command": "ls"}, None),
        ("python", {"code": "print(1)"}, None),
        ("bash", {"command": 3}, None),
        ("bash", {}, None),
        ("bash", None, None),
    ],
)
def test_command_of_a_call(name: str, args: dict[str, object] | None, command: str | None) -> None:
    assert command_of_args(args, name) == command
