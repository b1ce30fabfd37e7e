# make lab         opens your workbook in JupyterLab; with options: make lab LAB_ARGS="--no-browser --fresh 03"
# make test        every check that needs no PyTorch: ruff, mypy, tests, all notebooks run and compared
# make thorough    what takes longer: definitions broken on purpose, and all without the accelerator
# make parity      installs PyTorch 2.13.0 and runs the same programs under both libraries
# make browser     drives JupyterLab and the web pages in a headless Chromium that this machine has
# make run         executes the notebooks and stores what they show; one: make run NOTEBOOKS=<file>
# make site        writes the course as a website into the folder site
# make lite        writes the course into the folder lite, a site where Python runs in the browser
# make slides      writes lectures and chapters as slides into the folder slides; some: make slides SLIDES="lectures/03 03"
# make assignment  makes nbgrader assignments of the exercises; of a chapter: make assignment CHAPTER=04
# make figures     draws the figures, the marks, the cheat sheet and the poster again
# make bench       measures minigrad beside PyTorch, MyGrad and micrograd; some rows: make bench BENCH_ARGS="mlp cnn"
#
# docs/commands.md has the same as plain commands; change both.
# Another Python than python3: make lab PYTHON=python3.13

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: help lab test thorough parity browser run site lite slides assignment figures bench

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

lab: $(VENV)/course.installed
	$(RUN) -m minigrad_course lab $(LAB_ARGS)

test: $(VENV)/course,test.installed
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m pytest -n auto

thorough: $(VENV)/course,test.installed
	$(RUN) -m pytest -n auto -m thorough
	MINIGRAD_FAST=0 $(RUN) -m pytest -n auto tests/unit tests/goldens --ignore=tests/unit/test_benchmarks.py

parity: $(VENV)/course,test,parity.installed
	$(RUN) -m pytest -n auto tests/parity

browser: $(VENV)/course,test,browser.installed
	$(RUN) -m pytest -n auto tests/browser

run: $(VENV)/course,test.installed
	$(RUN) tools/notebooks.py run $(NOTEBOOKS)
	$(RUN) tools/teaching.py

site: $(VENV)/course,site.installed
	$(RUN) tools/website.py $(SITE_ARGS)

lite: $(VENV)/course,lite.installed
	$(RUN) tools/lite.py

slides: $(VENV)/course.installed
	$(RUN) tools/slides.py $(SLIDES)

assignment: $(VENV)/course,classroom.installed
	$(RUN) tools/assignment.py $(CHAPTER)

figures: $(VENV)/course,test.installed
	$(RUN) figures/make.py
	$(RUN) figures/cheatsheet.py

bench: $(VENV)/bench.installed
	$(RUN) -m benchmarks $(BENCH_ARGS)

# The extras of pyproject.toml that are installed, each set again when pyproject.toml has changed.
$(VENV)/%.installed: pyproject.toml | $(VENV)/bin/pip
	@echo 'Installing [$*] into $(VENV). This is done once, and takes a minute or a few.'
	$(RUN) -m pip install --quiet -e ".[$*]"
	@touch $@

# Made once. pip, not python, is what to look for: without Debian's python3-venv package the folder
# is left there with a python and no pip.
$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "minigrad needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.13 ...")'
	$(PYTHON) -m venv $(VENV)
