#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled models for a long time: 100,000 times, and by 8 threads on one session for a minute.

Outputs must be the same in every run, and memory must not grow. The thread sanitizer, which the second program is
built with, must find no race in the runtime, both if run-once constants are computed and if they are loaded.

  endurance.py --build build/dev --sanitized build/tsan [--runs N] [--seconds S] MODEL…
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine

THREADS = 8
OPEN_SIZE = 2


def judge(engine: invar_engine.Engine, path: pathlib.Path, folder: str, options: argparse.Namespace, report: harness.Report) -> None:
    library = os.path.join(folder, f"{path.stem}.so")
    try:
        engine.compile(os.fspath(path), library, "--fold-at=run")
    except (invar_engine.NotCompiled, invar_engine.CompilerCrashed) as error:
        return report.check(path.name, [str(error)])
    folds = os.path.join(folder, f"{path.stem}-folds")
    # Sanitized programs are slower, and show errors after fewer runs.
    for name, build, runs, kept in (("runs", options.build, options.runs, ()), ("races", options.sanitized, options.runs // 100, (folds,)),
                                    ("races without folds", options.sanitized, options.runs // 100, (folds,))):
        program = harness.existing_program(os.path.join(build, "bin/invar-endurance"))
        ended = harness.run(program, library, str(runs), str(THREADS), str(options.seconds), str(OPEN_SIZE), *kept)
        print(f"{path.name} {name}: {ended.stdout.strip()}", flush=True)
        report.check(f"{path.name} {name}", [ended.ending()] if ended.code else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--sanitized", required=True)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    report, engine = harness.Report(), invar_engine.Engine(options.build)
    with tempfile.TemporaryDirectory(prefix="endurance") as folder:
        for model in options.models:
            judge(engine, model, folder, options, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
