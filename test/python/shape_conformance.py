#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes of the onnx package's node tests: outputs forgotten, inferred, compared with the true ones.

Integer operands that may decide a shape are given as initializers, as a model would have them. A
shape that is wrong, or a model that is refused, fails. One that is not wholly known passes if it
depends on data or needs floats to be folded; how many of these there may be is stated here, so
that a rule which stops working is noticed.

  shape_conformance.py --invar build/dev/bin/invar [--only NAME]
"""
import argparse
import concurrent.futures
import os
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

import harness

MOST_UNKNOWN = 56
# Of these operators floats decide shapes, too.
DECIDED_BY_FLOATS = {"Resize", "Range", "Upsample"}


def forgetful(case) -> onnx.ModelProto:
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    decisive = {np.dtype(np.int64), np.dtype(np.int32)}
    if DECIDED_BY_FLOATS & {node.op_type for node in model.graph.node}:
        decisive.add(np.dtype(np.float32))
    inputs = list(model.graph.input)
    del model.graph.input[:]
    for info, value in zip(inputs, case.data_sets[0][0]):
        value = np.asarray(value) if np.isscalar(value) else value
        if isinstance(value, np.ndarray) and value.dtype in decisive and value.ndim <= 1 and value.size <= 16:
            model.graph.initializer.append(numpy_helper.from_array(value, info.name))
        else:
            model.graph.input.append(info)
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model


def shape_of(value) -> tuple[int, ...]:
    return tuple(value.dims) if isinstance(value, onnx.TensorProto) else np.shape(value)


def judge(invar: str, case) -> tuple[str, str]:
    """What became of the case: known, unknown, or failed with the reason."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(forgetful(case), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--passes=infer-shapes", "--quiet")
        if ended.code:
            return "failed", ended.ending()
        inferred = onnx.load(after)
    verdict = "known"
    for output, true in zip(inferred.graph.output, case.data_sets[0][1]):
        if not output.type.HasField("tensor_type"):
            continue
        tensor = output.type.tensor_type
        if not tensor.HasField("shape"):
            verdict = "unknown"
            continue
        sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
        shape = shape_of(true)
        if len(sizes) != len(shape) or any(s not in (None, t) for s, t in zip(sizes, shape)):
            return "failed", f"expected {output.name} to have shape {list(shape)}, but got {sizes}"
        if None in sizes:
            verdict = "unknown"
    return verdict, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases(None) if arguments.only in case.name]
    report, unknown = harness.Report(), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, why) in zip(cases, pool.map(lambda c: judge(arguments.invar, c), cases)):
            report.check(case.name, [why] if verdict == "failed" else [])
            if verdict == "unknown":
                unknown.append(case.name)
    print(f"{len(cases) - len(unknown) - report.counts[harness.FAILED]} of {len(cases)} known; not wholly known: "
          f"{', '.join(unknown)}")
    report.check("as many as there were", [f"expected at most {MOST_UNKNOWN} unknown, but got {len(unknown)}"]
                 if len(unknown) > MOST_UNKNOWN else [])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
