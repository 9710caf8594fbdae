# From nothing but Python 3.11 and make: `make test` checks it, `make soak` with every case; `make demo` shows it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/.made
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# pip does not compile what is installed as editable, and a hook has no time for it.
COMPILE := $(BIN)/python -m compileall -q memtui

PART ?=
# What Python compiled is kept, also where the environment says not to: tests start many programs.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help test soak demo bench messages screenshots clean

help:
	@echo "make test         set up $(VENV), then lint, types, walls and tests"
	@echo "make soak         all tests at full size, kills, power cuts, races, fuzzing (an hour); PART='NAME …' for some:"
	@echo "                  suite properties fuzz power-cuts disk-faults races agents minions-sdk exports claude-code report server-memory kills."
	@echo "                  Its last line tells the exit code: 1 lost, 3 not all could run; make makes a 2 of each"
	@echo "make demo         set up $(VENV), then open a demo workspace"
	@echo "make bench        measure, and write benchmarks/results.md"
	@echo "make screenshots  update the pictures and tables of keys in README.md and docs/"
	@echo "make clean        take away $(VENV) and all that is made"

test: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

soak: $(DEV)
	$(BIN)/python -m tests.soak $(PART)

demo: $(RUN)
	$(BIN)/memtui demo

bench: $(DEV)
	$(BIN)/python benchmarks/run.py

messages: $(DEV)
	@$(BIN)/python -m tests.messages

screenshots: $(DEV)
	$(BIN)/python screenshots/keys.py
	$(BIN)/python screenshots/take.py
	$(BIN)/python screenshots/record.py

clean:
	rm -rf $(VENV) dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find memtui tests benchmarks screenshots -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "memtui needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments (on Debian: apt-get install python3-venv)." >&2; exit 1; }
	@echo "Setting up $(VENV) (once) …"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUN): pyproject.toml $(MADE)
	@echo "Installing memtui into $(VENV) …"
	@$(PIP) install --editable .
	@$(COMPILE)
	@touch $@

$(DEV): pyproject.toml $(MADE)
	@echo "Installing memtui and its development tools into $(VENV) …"
	@$(PIP) install --editable '.[dev]'
	@$(COMPILE)
	@touch $(RUN) $@
