# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The project's commands. The scripts in utils/ implement them; JOBS=N limits parallelism.

.PHONY: help setup build demo check test test-long fuzz fuzz-graphs bench docs format tidy clean
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

help:
	@echo "Invar computes every constant of an ONNX model once."
	@echo
	@echo "  make demo        set up, build, and optimize a small model before your eyes"
	@echo "  make build       the programs, into build/release/bin"
	@echo "  make check       the quick tests, a few minutes"
	@echo "  make test        all that a change must pass; what .ci/run runs"
	@echo "  make test-long   real models, kills, huge files, long fuzzing: 20 GB of disk"
	@echo "  make fuzz [SECONDS=600]"
	@echo "                   vary models, optimize, compile and run them, with sanitizers"
	@echo "  make fuzz-graphs N=10000 [SEED=1]"
	@echo "                   random graphs beside onnxruntime; those that fail go into build/fuzz-graphs"
	@echo "  make bench       speed and memory beside other tools, into docs/Benchmarks.md"
	@echo
	@echo "  make setup       install the Debian packages that are missing"
	@echo "  make docs        the pages of docs/ that come from the code"
	@echo "  make format      clang-format over all sources"
	@echo "  make tidy        clang-tidy over all sources"
	@echo "  make clean       remove build/"
	@echo
	@echo "  JOBS=N make …    at most N compilers at once (default: all cores)"

setup:
	@utils/setup

build: setup
	@utils/build release programs

demo: build
	@utils/demo build/release/bin/invar

check: setup
	@utils/run-tests --quick

test: setup
	@utils/run-tests

test-long: setup
	@utils/run-tests --long

SECONDS ?= 600
fuzz: setup
	@utils/python-env >/dev/null
	@utils/build asan-mlir InvarOptimizeFuzzer InvarCompileFuzzer
	@utils/run-fuzzers --build=build/asan-mlir --seconds=$(SECONDS)

# The release build is faster. The default seed changes, because new seeds find more errors.
N ?= 10000
SEED ?= $(shell date +%s)
fuzz-graphs: setup
	@utils/build release invar-shared
	@"$$(utils/python-env)" test/python/fuzz/fuzz_graphs.py --build build/release --seed $(SEED) --count $(N) \
	  --jobs "$${JOBS:-$$(nproc)}" --keep build/fuzz-graphs

bench: setup
	@utils/build release bench-programs
	@"$$(utils/python-env bench)" bench/run.py --invar build/release/bin/invar

docs: setup
	@utils/build dev
	@utils/write-docs

format: setup
	@utils/run-clang-format-check --fix

# clang-tidy reads precompiled headers and generated files, which the build creates.
tidy: setup
	@utils/build dev
	@run-clang-tidy-22 -quiet -j "$${JOBS:-$$(nproc)}" -p build/dev '/(lib|tools)/.*\.cpp$$'

clean:
	@rm -rf build
