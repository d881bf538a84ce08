# Each target makes its own environment from the lock files; nothing is needed but Python 3.11+, git, make and node.
PYTHON ?= python3
PIP := -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps
BIN := .venv/bin
ORACLE := $(or $(INFX_ORACLE),../shared/oracle)

.PHONY: demo test unit lint bench oracle docs locks clean

demo: .venv/ready .venv-clients/ready node_modules/ready
	$(BIN)/infx forge demo $(if $(KEEP),--keep)

# `make test GROUP=unit` runs one group (docs/testing.md); without GROUP everything, properties at length.
# A worker a core, four at most; `make test WORKERS=0` runs one test after the other.
test: .venv/ready .venv-clients/ready node_modules/ready
	$(BIN)/python -m pytest --numprocesses $(or $(WORKERS),auto) --maxprocesses 4 \
	  $(if $(GROUP),-m $(GROUP),--hypothesis-profile thorough)

unit: .venv/ready node_modules/ready
	$(BIN)/python -m pytest -m unit

lint: .venv/ready node_modules/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.lint_workflows

bench: .venv/ready node_modules/ready
	$(BIN)/infx bench

oracle: .venv/ready
	$(BIN)/python $(ORACLE)/compare.py $(ORACLE) \
	  --changelog-cmd '$(CURDIR)/$(BIN)/infx matrix plan --base {base} --head {head} {flags}' \
	  --generate-cmd '$(CURDIR)/$(BIN)/infx matrix generate {flags}'

.venv/ready: requirements-dev.lock pyproject.toml
	@echo "making .venv: infx, its libraries and its development tools (about 250 MB)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python $(PIP) -r requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv-clients/ready: requirements-clients.lock
	@echo "making .venv-clients: aiperf and lm-eval, kept apart from infx (about 1.5 GB, a minute)"
	@$(PYTHON) -m venv .venv-clients
	@.venv-clients/bin/python $(PIP) -r requirements-clients.lock
	@touch $@

node_modules/ready: package-lock.json
	@echo "fetching node_modules: GitHub's workflow parser and expression evaluator (about 20 MB)"
	@npm ci --silent --no-audit --no-fund
	@touch $@

# Pages that are made from code; a test holds them current.
docs: .venv/ready
	$(BIN)/python -m tests.commands
	$(BIN)/python -c 'from infx.commands import document; print(document(), end="")' > docs/commands-in-comments.md
	$(BIN)/python -c 'from pathlib import Path; from infx.read.models import models; from infx.say.models import page; print(page(models(Path("configs/models.yaml").read_text())), end="")' > docs/MODELS.md

# The lock files: hashes, no addresses. Needs `uv`; run after changing a requirements*.in.
locks:
	for set in requirements requirements-dev requirements-clients; do \
	  uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --no-strip-extras \
	    --no-emit-index-url --no-emit-find-links $$set.in --output-file $$set.lock || exit; \
	done

clean:
	rm -rf .venv .venv-clients node_modules .infx
