# make serve   read the lesson at http://127.0.0.1:8000, rebuilt as you write
# make test    run every test; make test PAGE=docs/blame.md runs one page
# make accept  bring the printed outputs and the claims up to date, and show what changed
# The others:  build  check  bench  lighthouse  scenes  experiments  experiments-check  pins  clean

export NO_MKDOCS_2_WARNING = 1
# The nets are so small that a second thread only waits for the first.
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS = 1
# So that the same commit gives the same bytes.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
BIN = .venv/bin
PAGE =
NAME = all

serve: .venv/ready
	$(BIN)/mkdocs serve --strict

test: .venv/ready
	$(BIN)/pytest $(PAGE)

accept: .venv/ready
	$(BIN)/pytest --accept $(or $(PAGE),docs README.md)

# Built aside and moved into place, so that a broken build never replaces a good site.
build: .venv/ready
	rm -rf build/site
	$(BIN)/mkdocs build --strict --site-dir build/site
	rm -rf site && mv build/site site

check: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --quiet --offline .github/workflows

bench: build
	$(BIN)/python tools/bench.py
	PYTHONPATH=tests $(BIN)/python tools/bench_scenes.py

# What Lighthouse says of every lesson page; needs Node, whose npx fetches it. Slow; run it when all is quiet.
lighthouse: build
	PYTHONPATH=tests $(BIN)/python tools/lighthouse.py

# Writes the numbers of the scenes anew.
scenes: .venv/ready
	$(BIN)/python -m lesson20.scenes docs/scenes

# The long experiments of the labs: make experiments NAME=clipping runs one. Ten to twenty minutes for all,
# safe to interrupt: the same command goes on from there.
experiments: .venv/ready
	$(BIN)/python tools/experiments.py $(NAME)

# All of them anew, elsewhere: do the conclusions still hold?
experiments-check: .venv/ready
	$(BIN)/python tools/experiments.py --check $(NAME)

# Writes requirements.txt anew from pyproject.toml.
pins: .venv/ready
	$(BIN)/uv pip compile --quiet --universal --python-version 3.12 --all-extras --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --upgrade pyproject.toml -o requirements.txt

clean:
	rm -rf .venv site build .pytest_cache .mypy_cache .ruff_cache .cache .hypothesis

.venv/ready: requirements.txt pyproject.toml tools/setup
	tools/setup

.PHONY: serve test accept build check bench lighthouse scenes experiments experiments-check pins clean
