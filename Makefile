# Each target makes what it needs: a fresh machine with Python 3.11 and make is enough.
PYTHON ?= python3
VENV ?= .venv
SHARED ?= ../shared
CHROMIUM ?= chromium
RELEASES ?=
GATES ?= --min-cause 0.95 --min-fraction 0.97 --min-moving 0.95 --min-evidence 0.95 \
  --max-false-alarms 0 --max-missed 0 --max-wrong-and-certain 0 --max-unread 0.02
BENCH ?=
FUZZ ?= --seconds 600
SOAK ?= --minutes 60
PEERS ?= .venv-peers
PEER_SGLANG ?= sglang==0.5.10
BIN := $(VENV)/bin
DEMO_LOG := tests/fixtures/logs/0.5.23-cpu-forward-out-of-memory.log

.PHONY: help demo test lint format golden cases real bench bench-large fuzz soak confusion conformance picture lowest clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

$(BIN)/python:
	@echo "creating $(VENV)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --upgrade pip

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing logscope and what it needs into $(VENV): a minute or two, once"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@$(BIN)/python -m compileall -q logscope  # also where PYTHONDONTWRITEBYTECODE keeps Python from it
	@touch $@

$(VENV)/.tested: pyproject.toml | $(BIN)/python
	@echo "installing logscope and what its tests need into $(VENV): a few minutes, once"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[test]'
	@$(BIN)/python -m compileall -q logscope
	@touch $@ $(VENV)/.installed

$(VENV)/.linted: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[test,lint]'
	@touch $@ $(VENV)/.tested $(VENV)/.installed

demo: $(VENV)/.installed ## analyse a real log and write postmortem.html
	$(BIN)/logscope analyze $(DEMO_LOG) --exit-zero
	$(BIN)/logscope analyze $(DEMO_LOG) --exit-zero --output postmortem.html
	@echo "open postmortem.html in a browser; a log of your own: $(BIN)/logscope analyze YOUR.log"

test: $(VENV)/.tested ## run all tests
	$(BIN)/python -m pytest $(PYTEST_ARGUMENTS)

lint: $(VENV)/.linted ## check format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.linted ## format the tree and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

golden: $(VENV)/.tested ## rewrite the golden files; review the difference like code
	LOGSCOPE_GOLDEN=rewrite $(BIN)/python -m pytest -q tests -k golden

cases: $(VENV)/.installed ## score logscope on the labelled cases
	$(BIN)/python $(SHARED)/tools/score.py $(SHARED)/cases --logscope $(BIN)/logscope $(GATES)

confusion: $(VENV)/.installed ## table of labelled against told causes, of logs as they are and told otherwise
	$(BIN)/python -m tools.confusion tests/fixtures/incidents $(wildcard $(SHARED)/cases)

real: $(VENV)/.installed ## compare reports with what really happened
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python $(SHARED)/tools/real.py $(SHARED)/reallogs

conformance: $(VENV)/.tested ## compare with SGLang's own code; RELEASES=--short for a dozen, =--newest for the latest
	$(if $(RELEASES),,$(BIN)/python -m tools.conformance.arguments --check)
	$(BIN)/python -m tools.conformance $(RELEASES)

$(PEERS)/.installed:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install -qq --disable-pip-version-check polars pandas drain3
	-$(PEERS)/bin/python -m pip download -qq --disable-pip-version-check --no-deps --dest $(PEERS) $(PEER_SGLANG)
	@touch $@

bench: $(VENV)/.tested $(PEERS)/.installed ## time logscope beside its peers; BENCH=--short for a few minutes
	PEER_PYTHON=$(abspath $(PEERS))/bin/python SGLANG_WHEEL="$(abspath $(firstword $(wildcard $(PEERS)/sglang-*.whl)))" \
	  $(BIN)/python benchmarks/run.py $(BENCH)
	$(BIN)/python benchmarks/scan_archive.py

bench-large: $(VENV)/.tested ## analyse 10 GB once, for its memory
	$(BIN)/python benchmarks/run.py --large

fuzz: $(VENV)/.tested ## damage logs in many ways and hold every report to its promises; FUZZ="--seconds 60 --seed 7"
	$(BIN)/python -m tools.fuzz $(FUZZ)

soak: $(VENV)/.tested ## follow a log that grows, rotates and crashes; SOAK="--minutes 5"
	$(BIN)/python benchmarks/soak.py $(SOAK)

picture: $(VENV)/.installed ## take the picture of a report that the README shows
	@mkdir -p build docs
	$(BIN)/logscope analyze $(DEMO_LOG) --exit-zero --format html --output build/picture.html
	$(CHROMIUM) --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1500 \
	  --screenshot=docs/postmortem.png file://$(CURDIR)/build/picture.html 2>/dev/null

lowest: ## run the tests with the lowest versions that are promised
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install -qq --disable-pip-version-check --upgrade pip
	.venv-lowest/bin/python -m pip install -qq --disable-pip-version-check --editable '.[test]' --constraint tests/lowest.txt
	.venv-lowest/bin/python -m pytest -q

clean: ## remove what the other targets made
	rm -rf $(VENV) .venv-lowest $(PEERS) build dist postmortem.html .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
