#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that import and export without passes preserve the model.

Every node test of the onnx package, some models written here, and the given files go through `invar optimize
--passes=none`. Then
  - the result must be the same message as the original (identical bytes are counted);
    with --forget-source, where every node goes through the opset adapters, this is only counted;
  - onnx.checker must accept the result if it accepts the original;
  - the outputs must be the same bits on the test's own inputs, or on random ones.
With --passes, other passes run instead of none. Then only the last two conditions apply, and the outputs may differ
by rounding if a rule was applied that is not exact. Every case that could not be compared is counted with its
reason. For files, the script prints a line each.

  roundtrip.py --invar build/dev/bin/invar [--forget-source] [--passes simplify] [--only NAME] [--models FOLDER] [FILE…]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from typing import Any, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness
from models import is_sorted, message_of, tiny, with_empty_fields

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOLERANCE = 1e-5  # Relative to the greatest output, if rules round.


class Case(NamedTuple):
    name: str
    model: onnx.ModelProto | None  # None: the name is a file
    inputs: tuple[Any, ...] = ()


class Outcome(NamedTuple):
    name: str
    complaints: list[str]
    same_bytes: bool = False
    same_message: bool = False
    checked: str = ""      # why onnx.checker did not check it; empty: it did
    compared_in: str = ""  # the engine; empty: none
    not_in_ort: str = ""   # why not in onnxruntime
    not_at_all: str = ""   # why in no engine
    refused: str = ""      # why it was not exported

    def describe(self) -> str:
        same = "same bytes" if self.same_bytes else "same message" if self.same_message else "another message"
        checked = f"original refused by onnx.checker ({self.checked})" if self.checked else "checker ok"
        ran = f"same outputs in {self.compared_in}" if self.compared_in else f"not run ({self.not_at_all})"
        return self.refused or "; ".join(self.complaints) or f"{same}, {checked}, {ran}"


# Filled before the workers fork, so that no model is sent through a pipe.
CASES: list[Case] = []
OPTIONS = argparse.Namespace()
EXACT: set[str] = set()  # The names of rules.


def own_cases() -> list[Case]:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    return [Case("tiny", tiny(), (x,)), Case("empty fields", with_empty_fields(), (x,))]


def node_cases() -> list[Case]:
    return [Case(c.name, c.model, tuple(c.data_sets[0][0])) for c in collect_testcases(None) if c.kind == "node"]


def checker_complaint(path: str) -> str:
    try:
        onnx.checker.check_model(path)
        return ""
    except Exception as error:
        return engines.reason(error)


def judge(index: int) -> Outcome:
    case = CASES[index]
    with tempfile.TemporaryDirectory(prefix="roundtrip") as folder:
        before, after = case.name, os.path.join(folder, "out.onnx")
        if case.model:
            before = os.path.join(folder, "in.onnx")
            with open(before, "wb") as sink:
                sink.write(case.model.SerializeToString())
        forget = ["--forget-source"] if OPTIONS.forget_source else []
        ended = harness.run(OPTIONS.invar, "optimize", before, "-o", after, f"--passes={OPTIONS.passes}", "--json", *forget)
        if ended.code == 1 and not case.model and OPTIONS.forget_source and "cannot write" in ended.stderr:
            # A valid refusal: without shapes, information that the older opset needs is unknown.
            return Outcome(case.name, [], refused=ended.stderr.strip().removeprefix(f"{after}: "))
        if ended.code:
            return Outcome(case.name, [ended.ending()])
        if not os.path.exists(after):
            return Outcome(case.name, ["exit 0, but no output"])
        rounds = not EXACT.issuperset(json.loads(ended.stdout).get("rules", {}))
        return compare(case, before, after, rounds)


def compare(case: Case, before: str, after: str, rounds: bool) -> Outcome:
    complaints = []
    with open(before, "rb") as a, open(after, "rb") as b:
        same_bytes = a.read() == b.read()
    same_message = same_bytes or message_of(before) == message_of(after)
    if not same_message and OPTIONS.passes == "none" and not OPTIONS.forget_source and is_sorted(onnx.load(before, load_external_data=False).graph):
        complaints.append("the result is another message")
    not_checked = checker_complaint(before)
    if not not_checked and (why := checker_complaint(after)):
        complaints.append(f"onnx.checker takes the original, but not the result: {why}")

    outcome = Outcome(case.name, complaints, same_bytes, same_message, not_checked)
    reasons, doubts = [], []
    for engine in (engines.OnnxRuntime, engines.Reference):
        try:
            difference = engines.compare(engine, before, after, feeds_of(case, before), TOLERANCE if rounds else None)
            if difference and case.model and OPTIONS.passes != "none" and engine is engines.OnnxRuntime:
                # onnxruntime rounds chains of float16 only at their ends, which folding changes, and lacks some
                # operators of the model's opset.
                reasons.append(difference)
                doubts.append(difference)
                continue
            if difference:
                complaints.append(difference)
            return outcome._replace(compared_in=engine.name, not_in_ort="; ".join(reasons))
        except engines.CannotRun as error:
            reasons.append(str(error))
        if not case.model:
            break  # The reference evaluator is too slow for real models.
    complaints += doubts
    return outcome._replace(not_in_ort=reasons[0], not_at_all=reasons[-1])


def feeds_of(case: Case, path: str) -> dict[str, Any]:
    if not case.model:
        return feeding.random_feeds(path)
    names = [i.name for i in case.model.graph.input]
    return dict(zip(names, map(engines.as_array, case.inputs)))


def models_below(folder: pathlib.Path) -> list[str]:
    found = sorted(str(path) for path in folder.rglob("*.onnx"))
    if not found:
        print(f"no models in '{folder}': utils/fetch-models gets them", flush=True)
    return found


def judge_all(jobs: int):
    """Yields the outcomes in order. If a worker dies (an engine may crash), only its case fails."""
    left = list(range(len(CASES)))
    while left:
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            futures = {i: pool.submit(judge, i) for i in left}
            done = []
            for index, future in futures.items():
                try:
                    yield future.result()
                    done.append(index)
                except concurrent.futures.process.BrokenProcessPool:
                    break
        left = [i for i in left if i not in set(done)]
        if left and jobs > 1:
            jobs = 1  # With one worker, the first remaining case is the one that crashes.
        elif left:
            yield Outcome(CASES[left[0]].name, ["the process that compares it died"])
            left = left[1:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--forget-source", action="store_true")
    parser.add_argument("--passes", default="none", help="what to run between; the outputs must be the same bits")
    parser.add_argument("--only", default="", help="only node tests with this in their name")
    parser.add_argument("--no-node-tests", action="store_true", help="only the files")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--models", type=pathlib.Path, help="a folder: all models below it, if there are any")
    parser.add_argument("--fetch", action="store_true", help="first get what is missing into that folder")
    parser.add_argument("files", nargs="*")
    parser.parse_args(namespace=OPTIONS)
    if not OPTIONS.no_node_tests:
        CASES.extend(c for c in (*own_cases(), *node_cases()) if OPTIONS.only in c.name)
    if OPTIONS.models:
        if OPTIONS.fetch:
            subprocess.run([sys.executable, ROOT / "utils/fetch-models", "--out", OPTIONS.models], check=True)
        OPTIONS.files += models_below(OPTIONS.models)
    CASES.extend(Case(os.path.abspath(f), None) for f in OPTIONS.files)
    rules = json.loads(harness.run(OPTIONS.invar, "optimize", "--list-rules=json").stdout)
    EXACT.update(rule["name"] for rule in rules if rule["group"] == "exact")
    print(f"{len(CASES)} models", flush=True)

    report = harness.Report(OPTIONS.verbose)
    outcomes = []
    for outcome in judge_all(OPTIONS.jobs):
        if outcome.refused:
            report.skip(outcome.name, outcome.refused)
        else:
            report.check(outcome.name, outcome.complaints)
            outcomes.append(outcome)
        if outcome.name.endswith(".onnx"):
            print(f"{os.path.basename(outcome.name)}: {outcome.describe()}", flush=True)

    print(f"same bytes {sum(o.same_bytes for o in outcomes)}, "
          f"same message {sum(o.same_message for o in outcomes)} of {len(outcomes)}")
    for engine, count in collections.Counter(o.compared_in for o in outcomes if o.compared_in).items():
        print(f"outputs compared in {engine}: {count}")
    harness.print_reasons("not compared in onnxruntime", collections.Counter(o.not_in_ort for o in outcomes if o.not_in_ort))
    harness.print_reasons("not compared in any engine", collections.Counter(o.not_at_all for o in outcomes if o.not_at_all))
    harness.print_reasons("original refused by onnx.checker", collections.Counter(o.checked for o in outcomes if o.checked))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
