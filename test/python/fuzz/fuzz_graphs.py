#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes, compiles and runs random graphs that resemble models, and compares the outputs with onnxruntime.

  fuzz_graphs.py --build build/dev [--seed 1] [--count 1000] [--number N] [--jobs 1] [--keep FOLDER]
  fuzz_graphs.py --build build/dev --nnsmith [--seed 1] [--count 500]
  fuzz_graphs.py --build build/dev --self-test

Each graph is optimized (the outputs must be the same, a second run must change nothing, and the checker must accept
the result), then compiled in randomly drawn variants, and run at several sizes. This happens in separate processes,
which may die or hang. A failing graph is shrunk automatically and printed as a test to paste; its model, inputs and
text are written to FOLDER. The package graph_fuzz documents how graphs are drawn and judged. With --nnsmith, NNSmith
draws them instead.
"""
import argparse
import collections
import functools
import pathlib
import sys
import tempfile
import time
import warnings
from typing import Any, Callable

warnings.filterwarnings("ignore")

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import isolate
from graph_fuzz import shrink, trial
from graph_fuzz.report import Failures
from graph_fuzz.trial import Case, Failure
from toolchain import Toolchain, Variant, runnable_cpus

MOST_REFUSED, MOST_SKIPPED = 0.01, 0.005  # Fractions of all graphs.
Draw = Callable[[Any], Case]


def examine(toolchain: Toolchain, folder: str, draw: Draw, is_strict: bool, item: Any, tell: Callable[[str], None]) -> dict:
    """Runs in a child process: returns all failures of one graph."""
    tell("draw")
    try:
        case = draw(item)
    except trial.engines.CannotRun as error:  # A model that was not drawn here.
        return {"unknown": f"no other engine runs it: {error}"}
    attempt = trial.Trial(toolchain, folder, tell, is_strict)
    result = attempt.run(case)
    return {"failures": [[f.kind, f.detail, f.variant, f.choice] for f in result.failures], "refusals": result.refusals}


def failure_of(died: isolate.Died, case: Case | None) -> Failure:
    stage = died.stage
    place = "optimize" if stage.startswith("optimize") else stage
    variant = case.variants[0] if case and case.variants and place != "optimize" else None
    return Failure(f"{place}: {died.ending}", died.words, variant)


class Fuzzer:
    def __init__(self, toolchain: Toolchain, folder: str, draw: Draw, options: argparse.Namespace):
        self.toolchain, self.folder, self.draw, self.options = toolchain, folder, draw, options
        self.work = functools.partial(examine, toolchain, folder, draw, options.strict)
        self.failures = Failures(options.keep)
        self.refusals: dict[str, list[str]] = collections.defaultdict(list)
        self.unknown: collections.Counter[str] = collections.Counter()
        self.passed = self.failed = self.skipped = 0

    def fails(self, case: Case) -> Failure | None:
        """Returns the first failure of a case, which runs in a separate process."""
        def work(_: Any, tell: Callable[[str], None]) -> list:
            tell(trial.EXPECT)
            try:
                wanted = trial.wanted_of(case.model, case.feeds)
            except trial.engines.CannotRun:
                return []
            if trial.check(case.model):
                return []  # The smaller model must be valid, too.
            attempt = trial.Trial(self.toolchain, self.folder, tell, is_strict=True)
            return [[f.kind, f.detail, f.variant, f.choice] for f in attempt.run(case._replace(wanted=wanted)).failures]
        result = isolate.run_one(work, 0, self.options.hang_seconds)
        if isinstance(result, isolate.Died):
            return failure_of(result, case) if result.stage in trial.OURS else None
        return to_failure(result[0]) if result else None

    def add(self, item: Any, result: Any, is_alone: bool = False) -> None:
        name = self.options.name(item)
        if isinstance(result, isolate.Died):
            if result.stage not in trial.OURS and not is_alone:  # An earlier graph may have damaged the process.
                self.add(item, isolate.run_one(self.work, item, self.options.hang_seconds), is_alone=True)
                return
            if result.stage not in trial.OURS:  # The fault is in another engine or in the fuzzer itself.
                print(f"skipped: {name}: {result.stage}: {result.ending}: {result.words}", flush=True)
                self.skipped += 1
                return
            found = [failure_of(result, None)]
        elif "unknown" in result:
            self.unknown[result["unknown"]] += 1
            return
        else:
            found = [to_failure(fields) for fields in result["failures"]]
            for why in result["refusals"]:
                self.refusals[why].append(name)
        if not found:
            self.passed += 1
            return
        self.failed += 1
        case = self.draw(item)
        for failure in found:
            self.report(name, case, failure)

    def report(self, name: str, case: Case, failure: Failure) -> None:
        if failure.variant is None and case.variants and not failure.kind.startswith("optimize"):
            # The process died: try the variants to find the one that caused it.
            for variant in case.variants:
                alone = self.fails(case._replace(variants=[variant], optimizes=False))
                if alone and alone.kind == failure.kind:
                    failure = alone._replace(variant=variant)
                    break
        if not self.options.no_shrink:
            case, failure = shrink.shrunk(case, failure, self.fails, seconds=self.options.shrink_seconds)
        elif failure.variant:
            case = case._replace(variants=[failure.variant])
        self.failures.add(name, case, failure)

    def run(self, items: list[Any]) -> int:
        started = time.monotonic()
        results = isolate.run_all(self.work, items, self.options.jobs, seconds=self.options.hang_seconds)
        for count, (item, result) in enumerate(results, 1):
            self.add(item, result)
            if count % 500 == 0:
                print(f"{count} graphs, {self.failed} failed, {count / (time.monotonic() - started):.1f} per second", flush=True)
        return self.finish(len(items))

    def finish(self, count: int) -> int:
        for key, names in sorted(self.failures.found.items(), key=lambda pair: -len(pair[1])):
            print(f"{len(names)} of: {key}: {', '.join(names[:5])}")
        for why, names in sorted(self.refusals.items(), key=lambda pair: -len(pair[1])):
            print(f"refused {len(names)}: {why}: {', '.join(names[:3])}")
        refused = sum(map(len, self.refusals.values()))
        if refused > max(3, MOST_REFUSED * count):
            print(f"expected at most {MOST_REFUSED:.0%} of the graphs to be refused, but got {refused} of {count}")
            self.failed += 1
        if self.skipped > max(3, MOST_SKIPPED * count):
            print(f"expected at most {MOST_SKIPPED:.1%} of the graphs to be skipped, but got {self.skipped} of {count}")
            self.failed += 1
        harness.print_reasons("skipped", self.unknown)
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped + self.unknown.total()} skipped")
        return 1 if self.failed or not self.passed else 0


def to_failure(fields: list) -> Failure:
    kind, detail, variant, choice = fields
    return Failure(kind, detail, Variant(*variant) if variant else None, choice)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the folder of a build, with lib/libinvar.so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first graph")
    parser.add_argument("--number", type=int, help="this graph alone")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="where models go that fail")
    parser.add_argument("--strict", action="store_true", help="take what is refused as failed, and make it smaller too")
    parser.add_argument("--optimize-only", action="store_true", help="compile nothing: ten times as many graphs in the same time")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--shrink-seconds", type=float, default=shrink.MOST_SECONDS, help="for each graph that fails")
    parser.add_argument("--hang-seconds", type=float, default=isolate.SECONDS, help="how long a stage may be silent")
    parser.add_argument("--nnsmith", action="store_true", help="graphs that NNSmith draws, in a Python of its own")
    parser.add_argument("--self-test", action="store_true", help="see that failures are found, and nothing else is run")
    return parser.parse_args()


def main() -> int:
    options = parse()
    options.name = lambda number: f"--seed {options.seed} --number {number}"
    toolchain = Toolchain(options.build)
    if options.self_test:
        from graph_fuzz import self_test
        return self_test.run(toolchain)
    numbers = range(options.first, options.first + options.count) if options.number is None else [options.number]
    cpus = runnable_cpus()
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        if options.nnsmith:
            from graph_fuzz import foreign
            options.name = lambda path: f"NNSmith's {path.stem}"
            models = foreign.write_models(pathlib.Path(folder), options.seed * 1_000_000 + numbers[0], len(numbers))
            return Fuzzer(toolchain, folder, lambda path: foreign.case_of(path, cpus), options).run(models)

        def draw(number: int) -> Case:
            case = trial.case_of(options.seed, number, cpus)
            return case._replace(variants=[]) if options.optimize_only else case
        return Fuzzer(toolchain, folder, draw, options).run(list(numbers))


if __name__ == "__main__":
    sys.exit(main())
