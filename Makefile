# Two commands do everything on a fresh machine: `make play` and `make test`.
SHELL := /bin/bash
PYTHON ?= python3.11
PYTHON := $(shell command -v $(PYTHON) || command -v python3 || echo no-python)
VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
STAMP := $(VENV)/.installed
TYPINGS := typings/.installed
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help play setup test test-long soak bench board-proof bots-proof devices-proof firmware-coverage lint clean \
  parts replay-fuzz rolls-proof

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1|/' | column -t -s '|'

play: $(PLAYABLE) ## start the companion on a virtual table (PLAY="--port 9000" passes options on)
	@exec $(BIN)/cabstand play $(PLAY)

setup: $(STAMP) ## make .venv with everything for playing and testing

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Cabstand needs Python 3.11 or newer. Install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }

$(PLAYABLE): pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) for playing (a minute the first time) ..."
	@start=$$SECONDS; $(INSTALL) --editable '.[virtual]' && touch $@ && echo "Set up in $$((SECONDS - start)) s."

$(STAMP): pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) for testing (a minute or two the first time) ..."
	@start=$$SECONDS; $(INSTALL) --editable '.[virtual,dev]' && touch $(PLAYABLE) $@ && echo "Set up in $$((SECONDS - start)) s."

$(TYPINGS):
	@$(INSTALL) --target typings micropython-esp32-stubs
	@touch $(TYPINGS)

parts: ## what tests need beside Python, from the distribution's packages: a Chromium, a C compiler
	@./.ci/parts

test: $(STAMP) parts ## install what is needed and run all tests
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

test-long: $(STAMP) parts ## what takes longer than `make test` may; reports in docs/proofs
	$(BIN)/python -m pytest -q -m long

soak: $(STAMP) ## an evening of many hours at the virtual table; report in docs/proofs
	$(BIN)/python -m tests.proofs.soak

bench: $(STAMP) parts ## figures: medians and how they were taken; report in docs/proofs
	$(BIN)/python -m tests.bench --write

board-proof: $(STAMP) ## 10,000 games on the reference board; report in docs/proofs
	$(BIN)/python -m tests.proofs.board

replay-fuzz: $(STAMP) ## ten minutes of spoiled lines for the replay program; report in docs/proofs
	$(BIN)/python -m tests.proofs.replay_fuzz

bots-proof: $(STAMP) ## how strong the bots are, in many games; report in docs/proofs
	$(BIN)/python -m tests.proofs.bots

devices-proof: $(STAMP) ## drops, bursts, flipped bits, sweeps, heap, hours; report in docs/proofs
	$(BIN)/python -m tests.proofs.devices --write

rolls-proof: $(STAMP) ## thousands of simulated throws, hours of handling; report in docs/proofs
	$(BIN)/python -m tests.proofs.rolls --write

firmware-coverage: $(STAMP) ## which statements and branches of the firmware the tests run; report in docs/proofs
	$(BIN)/python -m tests.firmware_coverage --write

lint: $(STAMP) $(TYPINGS) ## ruff, mypy, pyright, firmware stubs, import contracts
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file firmware/mypy.ini
	$(BIN)/pyright
	$(BIN)/pyright -p firmware/pyrightconfig.json
	$(BIN)/lint-imports

clean: ## remove what the other targets made
	rm -rf $(VENV) typings build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
