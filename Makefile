# make demo      check the bundled examples
# make test      the quick tests
# make test-all  all tests, also the slow ones
# make lint      style, types, layers, drift of generated files
# make docs      write the pages and example files that are made from the code
# make clean     remove .venv and everything that was built
#
# Everything runs in .venv, which is made on first use with a Python of version 3.11 or newer.
# PYTHON=/path/to/python3 chooses another one. Paths with spaces work: all names here are relative.

SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?=
export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint docs clean

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

# A stamp is newer than the files it was made from, so a second run installs nothing.
.venv/.made: .ci/find-python
	@if [ -x $(BIN)/python ] && $(BIN)/python -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "keeping .venv ($$($(BIN)/python --version))"; \
	else \
		python=$$(.ci/find-python) || exit 1; \
		rm -rf .venv; "$$python" -m venv .venv || exit 1; \
	fi
	@touch $@

.venv/.base: .venv/.made requirements/base.txt pyproject.toml
	$(BIN)/python -m pip install --quiet -r requirements/base.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.dev: .venv/.base requirements/dev.txt
	$(BIN)/python -m pip install --quiet -r requirements/dev.txt
	@touch $@

demo: .venv/.base
	@echo '$$ agent-claimcheck check example:mixed'
	@$(BIN)/agent-claimcheck check example:mixed; code=$$?; \
	if [ $$code -ne 1 ]; then echo "expected exit code 1, got $$code" >&2; exit 1; fi; \
	echo; \
	echo "The exit code was 1: some runs claimed a success that the record contradicts, and --fail-on"; \
	echo "(default false_success) turns that into a failing step of a build. That is the demo working."

test: .venv/.dev
	$(BIN)/python -m pytest -m "not slow"

test-all: .venv/.dev
	$(BIN)/python -m pytest

lint: .venv/.dev
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

docs: .venv/.dev
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
