#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the folded, the compiled and the reference result of an operator agree.

Each node test of the onnx package is folded, with its inputs as constants, and compiled and run. Both results are
compared with each other and with the expected outputs, within the tolerances of the case. Cases that can only be
folded or only be compiled are judged by fold_conformance.py and compile_conformance.py, and counted here.

  fold_vs_run.py --build build/dev [--only NAME] [--by-op]
"""
import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import sys
import tempfile
import warnings
from typing import Any

warnings.filterwarnings("ignore")

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine
from closeness import difference
from engines import as_array
from folded_constants import constants_of
from node_tests import NOT_COMPILED, NOT_FOLDED, with_constants

CASES: list = []  # inherited by worker processes


def fold(invar: str, case, folder: str) -> list[np.ndarray] | str:
    """Returns the outputs, or the reason why there are none."""
    before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
    onnx.save(with_constants(case), before)
    ended = harness.run(invar, "optimize", before, "-o", after, "--quiet")
    if ended.code:
        return ended.ending()
    constants, _ = constants_of(onnx.load(after).graph)
    missing = [info.name for info in case.model.graph.output if info.name not in constants]
    return f"'{missing[0]}' is not folded" if missing else [numpy_helper.to_array(constants[info.name]) for info in case.model.graph.output]


def run(engine: invar_engine.Engine, case, folder: str) -> list[Any] | str:
    path, library = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.so")
    onnx.save(case.model, path)
    try:
        engine.compile(path, library)
        session = engine.load(library)
        names = [info.name for info in case.model.graph.input]
        outputs = session.run(dict(zip(names, map(as_array, case.data_sets[0][0]))))
        session.close()
        return outputs
    except (invar_engine.NotCompiled, invar_engine.RunFailed, invar_engine.CompilerCrashed) as error:
        return str(error)


def tolerance_of(case, values: np.ndarray) -> float:
    """Returns the tolerance: adjacent narrow floats differ by more than the tests allow."""
    try:
        return max(case.rtol, 2 * float(ml_dtypes.finfo(values.dtype).eps))
    except ValueError:
        return case.rtol


def judge(build: str, number: int) -> tuple[list[str], str]:
    """Returns the differences, or the reason why there is nothing to compare."""
    case, engine = CASES[number], invar_engine.Engine(build)
    for reasons in (NOT_FOLDED, NOT_COMPILED):
        if case.name in reasons:
            return [], reasons[case.name]
    with tempfile.TemporaryDirectory(prefix="three") as folder:
        answers = {"folded": fold(engine.invar, case, folder), "compiled": run(engine, case, folder)}
    answers["expected"] = [as_array(value) for value in case.data_sets[0][1]]
    if complaints := [f"{name}: {answer}" for name, answer in answers.items() if isinstance(answer, str)]:
        return complaints, ""
    pairs = (("folded", "compiled"), ("folded", "expected"), ("compiled", "expected"))
    return [f"{a} and {b} differ: {why}" for a, b in pairs for x, y in zip(answers[a], answers[b], strict=True)
            if (why := difference(np.asarray(x), np.asarray(y), tolerance_of(case, x), case.atol))], ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--by-op", action="store_true", help="a line for each operator at the end")
    options = parser.parse_args()
    CASES.extend(case for case in collect_testcases(None) if options.only in case.name)
    report, by_operator = harness.Report(), collections.defaultdict(collections.Counter)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork")) as pool:
        answers = pool.map(judge, [options.build] * len(CASES), range(len(CASES)), chunksize=8)
        for case, (complaints, skipped) in zip(CASES, answers):
            verdict = "left out" if skipped else "differ" if complaints else "agree"
            for operator in {node.op_type for node in case.model.graph.node}:
                by_operator[operator][verdict] += 1
            if skipped:
                report.skip(case.name, skipped)
            else:
                report.check(case.name, complaints)
    if options.by_op:
        for operator, counts in sorted(by_operator.items()):
            print(f"{operator}: {', '.join(f'{n} {verdict}' for verdict, n in counts.most_common())}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
