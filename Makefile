# Two commands do everything on a fresh machine: `make play` and `make test`.
SHELL := /bin/bash
PYTHON ?= python3.11
PYTHON := $(shell command -v $(PYTHON) || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TYPINGS := typings/.installed

.DEFAULT_GOAL := help
.PHONY: help play setup test test-long soak bench board-proof lint clean chromium

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1|/' | column -t -s '|'

play: $(STAMP) ## start the companion on a virtual table
	@exec $(BIN)/cabstand play $(PLAY)

setup: $(STAMP) ## make .venv with everything for playing and testing

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (a minute the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[virtual,dev]'
	@touch $(STAMP)

$(TYPINGS):
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --target typings micropython-esp32-stubs
	@touch $(TYPINGS)

chromium: ## a Chromium for the browser tests, from the distribution's packages
	@./.ci/chromium

test: $(STAMP) chromium ## install what is needed and run all tests
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

test-long: $(STAMP) chromium ## what takes longer than `make test` may
	$(BIN)/python -m pytest -q -m long --override-ini addopts="-ra --import-mode=importlib"

soak: $(STAMP) ## an evening of many hours at the virtual table; report in docs/proofs
	$(BIN)/python -m tests.proofs.soak

bench: $(STAMP) ## figures: medians and how they were taken
	$(BIN)/python -m tests.bench

board-proof: $(STAMP) ## 10,000 games on the reference board; report in docs/proofs
	$(BIN)/python -m tests.proofs.board

lint: $(STAMP) $(TYPINGS) ## ruff, mypy, firmware stubs, import contracts
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file firmware/mypy.ini
	$(BIN)/lint-imports

clean: ## remove what the other targets made
	rm -rf $(VENV) typings build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
