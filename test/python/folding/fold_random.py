#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds random operators on constants, and compares the results with two engines.

Models of one operator each are drawn from a seed (see fold_cases), for every deterministic operator of ai.onnx and
ai.onnx.ml, and for those of com.microsoft that have a record. The cases that the reference evaluator or onnxruntime
can run, and on which both agree if both can, are combined into a few models, and these are folded. Each result must
be a constant with the right value: exactly, if the operator is exact, otherwise as near as its type allows.

  fold_random.py --invar build/dev/bin/invar [--seed 1] [--cases 6000] [--only OP] [--verbose]
"""
import argparse
import collections
import json
import multiprocessing
import multiprocessing.connection
import os
import sys
import tempfile
import warnings
from typing import Any, NamedTuple

warnings.filterwarnings("ignore")

import onnx
from onnx import numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import fold_cases
import harness
from fold_cases import Case
from fold_cases.graphs import add_prefix, describe
from fold_expected import Expected, Unknown, difference_of, expect, rounded_in_steps
from folded_constants import constants_of

PER_PROCESS = 240  # Cases that a process makes, runs and folds before it is replaced.

# Operators that Invar may leave unfolded although an engine computes them, and the reasons that it prints.
MAY_STAY = {
    "Div": ("it divides an integer by zero",),
    "Mod": ("it divides an integer by zero",),
    # Case and alphabets depend on locales, which may not be installed.
    "StringNormalizer": ("its strings are not all of ASCII",),
    # The standard does not define these cases, and runtimes differ.
    "StringSplit": ("runtimes differ on spaces at the end", "runtimes differ on the parts of an empty string",
                    "runtimes differ on what is white space"),
    # Only the reference evaluator supports these.
    "Col2Im": ("elements of type complex64 are not added", "elements of type complex128 are not added"),
    "AffineGrid": ("runtimes differ in where a single pixel is",),
    "ai.onnx.ml.LinearRegressor": ("runtimes differ on its 'post_transform' of one score",),
    "ai.onnx.ml.OneHotEncoder": ("runtimes differ on floats that are no categories",),
    "ai.onnx.ml.SVMClassifier": ("runtimes differ on coefficients that are all positive",),
    "ai.onnx.ml.TreeEnsembleClassifier": ("runtimes differ on trees for two classes", "runtimes differ on a class that no tree votes for",
                                          "runtimes differ on its 'post_transform' of one score"),
    "ai.onnx.ml.TreeEnsembleRegressor": ("runtimes differ on a target that no tree votes for",),
    "ai.onnx.ml.TreeEnsemble": ("runtimes differ on a target that no tree votes for",),
}


class Spec(NamedTuple):
    """Identifies a case before it is made."""
    op: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"{self.op} #{self.number}"

    def repeat(self) -> str:
        return f"--seed {self.seed} --only {self.op} --number {self.number}"


class Verdict(NamedTuple):
    spec: Spec
    outcome: str
    why: str = ""
    engines: str = ""


# Invar's results

class Refused(Exception):
    """Invar did not fold the model at all. The text is its exit state."""


def fold(invar: str, cases: list[Case]) -> tuple[dict[str, onnx.TensorProto], dict[str, str]]:
    """Folds all cases in one model. Returns the constants by name, and the reasons of unfolded ones by prefix of their
    names."""
    whole = onnx.GraphProto(name="cases")
    for i, case in enumerate(cases):
        part = onnx.GraphProto()
        part.CopyFrom(case.graph)
        add_prefix(part, f"c{i}_")
        for field in ("node", "initializer", "output"):
            getattr(whole, field).extend(getattr(part, field))
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(fold_cases.make_model(whole, ml_opset=fold_cases.ml_opset_of(cases[0].op)), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--max-growth=1G", "--threads=1", "--explain=json")
        if ended.code:
            raise Refused(ended.ending())
        constants, _ = constants_of(onnx.load(after).graph)
        # Nodes without names are identified by their first outputs.
        reasons = {told["node"].split("_")[0]: told["reason"] for told in json.loads(ended.stdout)["constants"] if told.get("reason")}
        return constants, reasons


class Made(NamedTuple):
    case: Case
    expected: Expected


def judge_folded(made: Made, index: int, constants: dict[str, onnx.TensorProto], reasons: dict[str, str]) -> tuple[str, str]:
    case = made.case
    got = []
    for output in case.graph.output:
        name = f"c{index}_{output.name}"
        if name not in constants:
            why = reasons.get(f"c{index}", "no reason is given")
            if why in MAY_STAY.get(case.op, ()):
                return harness.SKIPPED, f"left for a known reason, {why}"
            return harness.FAILED, f"not folded: {why}"
        got.append(numpy_helper.to_array(constants[name]))
    why = difference_of(case, got, made.expected.values)
    if why and (steps := rounded_in_steps(case)):
        why = difference_of(case, got, steps)
    return (harness.FAILED, why) if why else (harness.PASSED, "")


def judge(invar: str, known: dict[Spec, Made]) -> list[Verdict]:
    """Folds the cases together. If Invar rejects that, folds the halves, until the rejected case is found."""
    specs = list(known)
    try:
        constants, reasons = fold(invar, [known[s].case for s in specs])
    except Refused as error:
        if len(specs) == 1:
            return [Verdict(specs[0], harness.FAILED, f"{error}\n    {describe(known[specs[0]].case)}")]
        halves = specs[:len(specs) // 2], specs[len(specs) // 2:]
        return [verdict for half in halves for verdict in judge(invar, {s: known[s] for s in half})]
    verdicts = []
    for i, (spec, made) in enumerate(known.items()):
        outcome, why = judge_folded(made, i, constants, reasons)
        if outcome == harness.FAILED:
            why += f"\n    {describe(made.case)} [{made.expected.engines}]"
        verdicts.append(Verdict(spec, outcome, why, made.expected.engines))
    return verdicts


# Many cases, in processes that an engine may crash

def work(invar: str, specs: list[Spec], deadly: set[Spec], parent: multiprocessing.connection.Connection) -> None:
    """Sends each case to the parent before onnxruntime runs it, so that the parent knows which case crashed it."""
    verdicts: list[Verdict] = []
    groups: dict[int, dict[Spec, Made]] = collections.defaultdict(dict)
    for spec in specs:
        parent.send(spec)
        case = fold_cases.make_case(*spec)
        try:
            groups[fold_cases.ml_opset_of(spec.op)][spec] = Made(case, expect(case, spec in deadly))
        except Unknown as error:
            verdicts.append(Verdict(spec, harness.SKIPPED, f"{error}\n    {describe(case)}"))
    for group in groups.values():
        verdicts += judge(invar, group)
    parent.send(verdicts)


def judge_all(invar: str, specs: list[Spec], jobs: int):
    """Yields the verdicts, in any order."""
    waiting = collections.deque((specs[i:i + PER_PROCESS], set()) for i in range(0, len(specs), PER_PROCESS))
    running: dict[multiprocessing.connection.Connection, list[Any]] = {}
    fork = multiprocessing.get_context("fork")
    while waiting or running:
        while waiting and len(running) < jobs:
            batch, deadly = waiting.popleft()
            here, there = fork.Pipe(duplex=False)
            process = fork.Process(target=work, args=(invar, batch, deadly, there))
            process.start()
            there.close()
            running[here] = [process, batch, deadly, None]
        for here in multiprocessing.connection.wait(list(running)):
            process, batch, deadly, last = running[here]
            try:
                message = here.recv()
            except EOFError:  # The process died: repeat the batch without that case in onnxruntime.
                process.join()
                del running[here]
                if process.exitcode >= 0 or last is None or last in deadly:
                    raise RuntimeError(f"a process died with {process.exitcode} at '{last}'") from None
                waiting.append((batch, deadly | {last}))
                continue
            if isinstance(message, Spec):
                running[here][3] = message
                continue
            process.join()
            del running[here]
            yield from message


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=6000, help="of all operators together")
    parser.add_argument("--only", default="", help="only this operator")
    parser.add_argument("--number", type=int, help="only the case of this number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="also show where the engines disagree")
    arguments = parser.parse_args()
    report = harness.Report()
    operators = fold_cases.operators()
    report.check("operators without cases", [f"expected cases of '{op}', but there are none" for op in operators
                                            if op not in fold_cases.MAKERS and op not in fold_cases.WITHOUT_CASES])
    makers = [op for op in operators if op in fold_cases.MAKERS and arguments.only in ("", op)]
    if not makers:
        parser.error(f"expected an operator that has cases, but got '{arguments.only}'")
    numbers = [arguments.number] if arguments.number is not None else range(-(-arguments.cases // len(makers)))
    specs = [Spec(op, arguments.seed, number) for number in numbers for op in makers]

    ran, never = collections.Counter(), collections.Counter(makers)
    failed, disagreed = collections.Counter(), collections.Counter()
    for spec, outcome, why, by in judge_all(arguments.invar, specs, arguments.jobs):
        if outcome == harness.FAILED:
            failed[spec.op] += 1
            why += f"\n    repeat: {spec.repeat()}"
        if outcome == harness.SKIPPED:
            if arguments.verbose:
                print(f"{spec}: {why}")
            why = why.split(":")[0].split("\n")[0]
            disagreed[spec.op] += "disagree" in why
        if by:
            ran[by] += 1
            never.pop(spec.op, None)
        report.add(harness.Verdict(str(spec), outcome, why))
    for by, count in ran.most_common():
        print(f"expected values by {by}: {count}")
    if never:
        print(f"never run by an engine, or never agreed upon: {', '.join(never)}")
    if any(disagreed.values()):
        print(f"the engines disagree, by operator: {', '.join(f'{op} {count}' for op, count in disagreed.most_common() if count)}")
    if failed:
        print(f"failed, by operator: {', '.join(f'{op} {count}' for op, count in failed.most_common())}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
