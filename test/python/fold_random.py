#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random operators on constants: what Invar folds them to, beside what two engines compute.

Models of one operator each are drawn from a seed (see fold_cases), for every deterministic operator of ai.onnx
and ai.onnx.ml. Those that the reference evaluator or onnxruntime can run, and in which they agree if both can,
are put side by side into a few models, and these are folded. Each result must be a constant with the right
value: exactly, where an operator is exact; else as near as its type allows.

  fold_random.py --invar build/dev/bin/invar [--seed 1] [--cases 6000] [--only OP] [--verbose]
"""
import argparse
import collections
import multiprocessing
import multiprocessing.connection
import os
import sys
import tempfile
import warnings
from typing import Any, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import compose, helper, numpy_helper, shape_inference

import engines
import fold_cases
import harness
from fold_cases import Case
from fold_cases.draw import element_type
from fold_compare import difference
from folded import constants_of

PER_PROCESS = 240  # Cases that a process makes, runs and folds before it is replaced.
ORT_OPSETS = (27, 21)  # The newest it has; and one in which it has operators that it lacks in newer ones.


class Spec(NamedTuple):
    """A case before it is made."""
    op: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"{self.op} #{self.number}"

    def repeat(self) -> str:
        return f"--seed {self.seed} --only {self.op} --number {self.number}"


class Expected(NamedTuple):
    case: Case
    values: list[list[np.ndarray]]  # Of each engine that ran it.
    engines: str


class Verdict(NamedTuple):
    spec: Spec
    outcome: str
    why: str = ""
    engines: str = ""


def describe(case: Case) -> str:
    """Operator, operands and attributes in a line or two."""
    operands = {t.name: f"{onnx.TensorProto.DataType.Name(t.data_type).lower()}{list(t.dims)}" for t in case.graph.initializer}
    nodes = []
    for node in case.graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != a.GRAPH}
        shown = {name: f"{element_name(v)}{numpy_helper.to_array(v).tolist()}" if isinstance(v, onnx.TensorProto) else v
                 for name, v in attributes.items()}
        nodes.append(f"{node.op_type}({', '.join(operands.get(n, n or '-') for n in node.input)}){shown or ''}")
    return " ; ".join(nodes)


def element_name(tensor: onnx.TensorProto) -> str:
    return onnx.TensorProto.DataType.Name(tensor.data_type).lower()


# What the engines say

def right_types(case: Case, values: list[Any]) -> list[np.ndarray]:
    """The values as arrays, if each has the element type that the standard says."""
    inferred = shape_inference.infer_shapes(fold_cases.make_model(case.graph, ml_opset=fold_cases.ml_opset_of(case.op)))
    arrays = []
    for info, value in zip(inferred.graph.output, values):
        if isinstance(value, tuple):
            raise engines.CannotRun("gives a type that numpy does not have")
        array = np.asarray(value)
        array = array.astype(object) if array.dtype.kind in "SU" else array
        want = info.type.tensor_type.elem_type
        if want and element_type(array.dtype) != want:
            raise engines.CannotRun("gives another type than the standard says")
        arrays.append(array)
    return arrays


def run_reference(case: Case) -> list[np.ndarray]:
    model = fold_cases.make_model(case.graph, ml_opset=fold_cases.ml_opset_of(case.op))
    return right_types(case, engines.Reference(model.SerializeToString()).run({}))


def run_onnxruntime(case: Case) -> list[np.ndarray]:
    if case.not_in_ort:
        raise engines.CannotRun(case.not_in_ort)
    for opset in ORT_OPSETS:
        model = fold_cases.make_model(case.graph, opset, fold_cases.ml_opset_of(case.op))
        try:
            return right_types(case, engines.OnnxRuntime(model.SerializeToString()).run({}))
        except engines.CannotRun as error:
            last = error
    raise last


def expect(case: Case, with_ort: bool) -> Expected | str:
    """What must come out; or why that is not known."""
    found, reasons = {}, []
    for name, run in (("reference", run_reference), ("onnxruntime", run_onnxruntime)):
        if name == "onnxruntime" and not with_ort:
            reasons.append("onnxruntime dies of it")
            continue
        try:
            found[name] = run(case)
        except engines.CannotRun as error:
            reasons.append(str(error))
    if not found:
        return "no engine runs it"
    values = list(found.values())
    if len(values) == 2 and (why := difference_of(case, values[0], values[1:])):
        return f"the engines disagree: {why}" if VERBOSE else "the engines disagree"
    return Expected(case, values, "both" if len(found) == 2 else f"{next(iter(found))} only")


def difference_of(case: Case, got: list[np.ndarray], wants: list[list[np.ndarray]]) -> str:
    """Empty when each output is as one of the engines has it."""
    for i, value in enumerate(got):
        whys = [difference(value, want[i], case.check) for want in wants]
        if all(whys):
            return f"output {i}: {whys[0]}"
    return ""


# What Invar says

class Refused(Exception):
    """Invar did not fold the model at all; the text says how it ended."""


def fold(invar: str, cases: list[Case]) -> tuple[dict[str, onnx.TensorProto], dict[str, str]]:
    """All of them in one model: the constants, and what is left."""
    whole = onnx.GraphProto(name="cases")
    for i, case in enumerate(cases):
        part = compose.add_prefix_graph(case.graph, f"c{i}_")
        for field in ("node", "initializer", "output"):
            getattr(whole, field).extend(getattr(part, field))
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(fold_cases.make_model(whole, ml_opset=fold_cases.ml_opset_of(cases[0].op)), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet", "--max-growth=1G", "--threads=1")
        if ended.code:
            raise Refused(ended.ending())
        return constants_of(onnx.load(after).graph)


def judge_folded(case: Case, expected: Expected, index: int, constants: dict, left: dict) -> tuple[str, str]:
    got = []
    for output in case.graph.output:
        name = f"c{index}_{output.name}"
        if name not in constants:
            if case.may_stay:
                return harness.SKIPPED, f"may be left: {case.may_stay}"
            return harness.FAILED, f"not folded: {left.get(name, 'no result')} is left"
        got.append(numpy_helper.to_array(constants[name]))
    why = difference_of(case, got, expected.values)
    return (harness.FAILED, why) if why else (harness.PASSED, "")


def judge(invar: str, known: dict[Spec, Expected]) -> list[Verdict]:
    """Folds them together; if Invar refuses that, the halves, until it is known which one it refuses."""
    specs = list(known)
    try:
        constants, left = fold(invar, [known[s].case for s in specs])
    except Refused as error:
        if len(specs) == 1:
            return [Verdict(specs[0], harness.FAILED, f"{error}\n    {describe(known[specs[0]].case)}")]
        halves = specs[:len(specs) // 2], specs[len(specs) // 2:]
        return [verdict for half in halves for verdict in judge(invar, {s: known[s] for s in half})]
    verdicts = []
    for i, (spec, expected) in enumerate(known.items()):
        outcome, why = judge_folded(expected.case, expected, i, constants, left)
        if outcome == harness.FAILED:
            why += f"\n    {describe(expected.case)} [{expected.engines}]"
        verdicts.append(Verdict(spec, outcome, why, expected.engines))
    return verdicts


# Many of them, in processes that an engine may take down

VERBOSE = False


def work(invar: str, specs: list[Spec], deadly: set[Spec], parent: multiprocessing.connection.Connection) -> None:
    """Says each case before onnxruntime gets it, so that the parent knows which one it died of."""
    verdicts, known = [], {}
    for spec in specs:
        parent.send(spec)
        case = fold_cases.make_case(*spec)
        expected = expect(case, spec not in deadly)
        if isinstance(expected, str):
            verdicts.append(Verdict(spec, harness.SKIPPED, expected if not VERBOSE or "disagree" not in expected
                                    else f"{expected}\n    {describe(case)}"))
        else:
            known[spec] = expected
    groups = collections.defaultdict(dict)
    for spec, expected in known.items():
        groups[fold_cases.ml_opset_of(spec.op)][spec] = expected
    for group in groups.values():
        verdicts += judge(invar, group)
    parent.send(verdicts)


def judge_all(invar: str, specs: list[Spec], jobs: int):
    """The verdicts, in any order."""
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
            except EOFError:  # It died: again, and do not run that case there.
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
    global VERBOSE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=6000, help="of all operators together")
    parser.add_argument("--only", default="", help="only this operator")
    parser.add_argument("--number", type=int, help="only the case of this number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="also show where the engines disagree")
    arguments = parser.parse_args()
    VERBOSE = arguments.verbose
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
    failed = collections.Counter()
    for spec, outcome, why, by in judge_all(arguments.invar, specs, arguments.jobs):
        if outcome == harness.FAILED:
            failed[spec.op] += 1
            why += f"\n    repeat: {spec.repeat()}"
        if outcome == harness.SKIPPED and VERBOSE and "\n" in why:
            print(f"{spec}: {why}")
            why = why.split(":")[0]
        if by:
            ran[by] += 1
            never.pop(spec.op, None)
        report.add(harness.Verdict(str(spec), outcome, why))
    for by, count in ran.most_common():
        print(f"expected values of {by}: {count}")
    if never:
        print(f"never run by an engine, or never agreed upon: {', '.join(never)}")
    if failed:
        print(f"failed, by operator: {', '.join(f'{op} {count}' for op, count in failed.most_common())}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
