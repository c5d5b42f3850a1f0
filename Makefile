# RankScope. `make` lists the targets; `make run` and `make test` set up all that they need.
SHELL := /bin/bash
PYTHON ?= python3.11
BIN := .venv/bin
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
.DEFAULT_GOAL := help
.PHONY: help run demo test check bench clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

.venv/run: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what RankScope runs on (about 2.6 GB) into .venv; this takes a minute or several, and is quiet."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/test: .venv/run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@test -n "$$(command -v chromium chromium-browser google-chrome)" || $(BIN)/python -m playwright install chromium
	@touch $@

demo: .venv/run ## build the built-in collections that are missing or out of date
	$(BIN)/python -m engine demo

run: demo ## serve RankScope on http://127.0.0.1:8501
	$(BIN)/python -m streamlit run app.py

check: .venv/test ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: check ## everything that must hold, in a real browser too
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: .venv/test ## measure: whole collections, and speed against peers
	$(BIN)/python -m tests.bench

clean: ## remove the environment and the tools' caches; collections stay
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
