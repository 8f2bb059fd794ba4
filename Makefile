# Everything runs from a clone: `make demo` needs nothing but Python 3.11 or later and a package index.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

ACCEL ?= cpu
export PYTHON
# pytest: what to run, for instance `make test TESTS="tests/plan -k memory"`.
TESTS ?=

BIN := .venv/bin
PY := $(BIN)/python
USER_STAMP := .venv/.setup-$(ACCEL)
DEV_STAMP := .venv/.setup-$(ACCEL)-dev
SPEC := specs/ml100k-deepfm.yaml

.PHONY: help setup demo check test bench schemas docs clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  ACCEL=cpu|cuda chooses the build of fbgemm; PYTHON=python3.12 the interpreter."

setup: $(USER_STAMP) ## make .venv with recplat in it (quick when nothing changed)

# The tests' environment holds all that the users' one has: either stamp will do.
$(USER_STAMP): pyproject.toml constraints.txt tools/setup.sh
	@if [ ! $(DEV_STAMP) -nt pyproject.toml ] || [ ! $(DEV_STAMP) -nt constraints.txt ] \
	  || [ ! $(DEV_STAMP) -nt tools/setup.sh ]; then tools/setup.sh $(ACCEL); fi
	@touch $@

$(DEV_STAMP): pyproject.toml constraints.txt tools/setup.sh
	@tools/setup.sh $(ACCEL) dev
	@touch $@

demo: setup ## fetch MovieLens-100k, plan and train DeepFM on it, show what it reached
	@tools/demo.sh $(SPEC)

check: $(DEV_STAMP) ## style, types, import rules, generated files, docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(PY) -m tools.schemas --check
	$(PY) -m tools.reference --check
	$(PY) -m tools.links
	$(BIN)/mkdocs build --strict

test: check ## all checks, then all tests
	$(BIN)/pytest $(TESTS)

bench: $(DEV_STAMP) ## measure recplat on this machine
	$(PY) -m bench
	$(PY) -m bench.fuzz_validator --count 10000

schemas: $(DEV_STAMP) ## write schemas/ and the reference anew
	$(PY) -m tools.schemas
	$(PY) -m tools.reference

docs: $(DEV_STAMP) ## show the documentation in a browser
	$(BIN)/mkdocs serve

clean: ## remove what was built: environment, caches, runs; data stays
	rm -rf .venv build dist site .recplat *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
