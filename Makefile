# Everything runs in .venv, made here with venv and pip alone.
# Each install leaves a stamp; a stamp older than pyproject.toml is installed again.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# The versions of Python that are promised, as far as they are found here: on the path,
# or installed by pyenv. `make test-pythons PYTHONS=3.13` takes one of them.
PROMISED := $(shell sed -n 's/.*Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml)
python = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python) $(shell command -v python$(1)))
PYTHONS ?= $(foreach version,$(PROMISED),$(if $(call python,$(version)),$(version)))

# pyright would otherwise look on the network for a newer self.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup demo test test-slow test-all test-memory test-bounds test-book test-files test-pythons lint format stubs docs wheel wheel-check bench browser clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(VENV)/.dev ## make .venv with the package and the development tools

demo: $(VENV)/.core ## install the package alone and run the demo
	@$(BIN)/regretless demo

test: $(VENV)/.dev ## run the fast tests and the doctests
	@$(BIN)/python -m pytest -n 2

test-slow: $(VENV)/.dev ## run the slow tests, in ten minutes on two cores
	@$(BIN)/python -m pytest -n 2 -m slow

test-all: $(VENV)/.dev ## run all tests, the fast ones with memory checked, the book
	@$(BIN)/python -m pytest -n 2 -m ""
	@$(MAKE) --no-print-directory test-memory test-bounds test-book test-files

test-memory: $(VENV)/.dev ## run the fast tests with Python's debugging allocator
	@PYTHONMALLOC=debug $(BIN)/python -m pytest -n 2

# Machine code with bounds checks is other code, kept under other keys.
test-bounds: $(VENV)/.dev ## run the fast tests with the bounds of kernels checked
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2

test-book: $(VENV)/.dev $(VENV)/.docs ## build the book, run its notebooks, read it in a browser
	@$(BIN)/python -m pytest -m "" tests/project/test_book.py

# A fifth of 100,000 files of each sort, changed and signed again.
test-files: $(VENV)/.dev ## read 100,000 made-up models, states, checkpoints, learners, mixtures
	@$(BIN)/python -m benchmarks.mutated --inputs 20000 model state checkpoint learner mixture

test-pythons: $(PYTHONS:%=.venv-%/.tested) ## run the fast tests on every Python there is

lint: $(VENV)/.dev ## style, types and import rules
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev ## rewrite the code in the house style
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

stubs: $(VENV)/.dev ## rewrite what editors see of learners and estimators, and the table of the docs
	@$(BIN)/python tests/support/stubs.py

docs: $(VENV)/.docs ## build the book into site/, its figures drawn from runs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo 'site/index.html'

wheel: $(VENV)/.dev ## build a wheel that brings the machine code of built-in learners
	@rm -rf dist src/regretless/engine/machine/shipped
	@$(BIN)/python wheel/ship.py
	@$(PIP) wheel -q --no-deps -w dist .
	@ls dist/*.whl

wheel-check: ## install that wheel where nothing can be compiled, and use it
	@$(BIN)/python wheel/check.py dist/*.whl

bench: $(VENV)/.bench ## measure speed against other libraries
	@$(BIN)/python -m benchmarks

browser: ## install the browser that reports are tested in (Debian, as root)
	apt-get install -y --no-install-recommends chromium chromium-driver

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) .venv-3.* build dist site src/regretless/engine/machine/shipped .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@echo 'setting up $(VENV), once: this takes about a minute'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	@$(PIP) install -qq -e .
	@touch $@

# The larger installs contain the core one.
$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(PIP) install -qq -e '.[dev]'
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	@$(PIP) install -qq -e '.[docs]'
	@touch $@ $(VENV)/.core

$(VENV)/.bench: pyproject.toml | $(BIN)/python
	@$(PIP) install -qq -e '.[bench]'
	@touch $@ $(VENV)/.core

.venv-%/bin/python:
	@$(call python,$*) -m venv .venv-$*

.venv-%/.test: pyproject.toml | .venv-%/bin/python
	@.venv-$*/bin/python -m pip --disable-pip-version-check install -qq -e '.[test]'
	@touch $@

# Never up to date: there is no such file.
.venv-%/.tested: .venv-%/.test
	@echo 'Python $*'
	@.venv-$*/bin/python -m pytest -n 2

.PRECIOUS: .venv-%/bin/python .venv-%/.test
