#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds the onnx package's node tests: if the inputs are initializers, only constants must be left.

Each case goes through `invar optimize` with its default options. No node may be left that computes something, and
the constants must be the expected outputs, within the tolerances of the case. Cases whose result cannot be stored as
a tensor are listed below by name, with the reason; the list must match exactly.

  fold_conformance.py --invar build/dev/bin/invar [--only NAME]
"""
import argparse
import concurrent.futures
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from closeness import difference
from engines import as_array
from folded_constants import constants_of
from node_tests import NOT_FOLDED as REASONS, with_constants


def judge(invar: str, case) -> tuple[str, str]:
    """Returns 'folded', 'left' or 'failed', and the reason."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(with_constants(case), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet")
        if ended.code:
            return "failed", ended.ending()
        constants, left = constants_of(onnx.load(after).graph)
    if left:
        return "left", f"expected constants only, but got {', '.join(sorted(set(left.values())))}"
    for info, want in zip(case.model.graph.output, case.data_sets[0][1]):
        if info.name not in constants:
            return "left", f"expected a constant '{info.name}', but there is none"
        got = numpy_helper.to_array(constants[info.name])
        if why := difference(got, as_array(want), case.rtol, case.atol):
            return "failed", f"'{info.name}': {why}"
    return "folded", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    arguments = parser.parse_args()
    everything = collect_testcases(None)
    cases = [case for case in everything if arguments.only in case.name]
    report = harness.Report()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, why) in zip(cases, pool.map(lambda c: judge(arguments.invar, c), cases)):
            reason = REASONS.get(case.name)
            if reason and verdict == "left":
                report.skip(case.name, reason)
            elif reason and verdict == "folded":
                report.check(case.name, [f"expected it to be left, because {reason}, but it was folded"])
            else:
                report.check(case.name, [why] if verdict != "folded" else [])
    report.check("the names that are listed", [f"expected a case '{name}', but there is none"
                                              for name in sorted(REASONS.keys() - {case.name for case in everything})])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
