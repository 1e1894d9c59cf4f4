#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests shape inference on the onnx package's node tests: the output shapes are removed, inferred, and compared.

Integer operands that may decide a shape are initializers, as in a model. A wrong shape or a rejected model fails. So
does a shape that is not completely known, unless it depends on data: then the script must find other contents of the
same inputs that lead to another shape.

  shape_conformance.py --invar build/dev/bin/invar [--passes simplify] [--only NAME]
"""
import argparse
import concurrent.futures
import io
import os
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from PIL import Image

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness

# Cases that need folding, because numbers go through constants.
TAKES_FOLDING = {"test_range_int32_type_negative_delta_expanded", "test_unique_length_1"}
# Operators whose shapes depend on floats, too.
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


def other_image(data: np.ndarray) -> np.ndarray:
    """Returns an image of another size in the same format and the same number of bytes: bytes after its end are
    ignored."""
    encoding = Image.open(io.BytesIO(data.tobytes())).format
    sink = io.BytesIO()
    Image.new("RGB", (8, 8)).save(sink, format=encoding)
    other = np.zeros_like(data)
    content = np.frombuffer(sink.getvalue(), data.dtype)[:data.size]
    other[:content.size] = content
    return other


def others(value: np.ndarray, operators: set[str]):
    """Yields other contents of an input, of the same type and shape."""
    if "ImageDecoder" in operators:
        yield other_image(value)
    elif value.dtype.kind in "OSU":
        yield np.full_like(value, "monday")
        yield np.full_like(value, "a b,c.d e,f.g h,i.j k,l.m")
    else:
        yield np.zeros_like(value)
        yield np.ones_like(value)
        if value.dtype.kind != "b":
            yield value + value
            yield np.arange(value.size).reshape(value.shape).astype(value.dtype)


def shapes_in(engine, model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> list | None:
    try:
        outputs = engine(model.SerializeToString()).run(feeds)
        return [shape_of(output) for output in outputs] if all(isinstance(o, np.ndarray) for o in outputs) else None
    except engines.CannotRun:
        return None


def depends_on_data(case) -> bool:
    """Whether other contents of an input lead to an output of another shape."""
    model = forgetful(case)
    operators = {node.op_type for node in model.graph.node}
    given = dict(zip((info.name for info in case.model.graph.input), map(engines.as_array, case.data_sets[0][0])))
    feeds = {info.name: given[info.name] for info in model.graph.input}
    shapes = [shape_of(output) for output in case.data_sets[0][1]]
    return any(shapes_in(engine, model, {**feeds, name: other}) not in (None, shapes)
               for engine in (engines.Reference, engines.OnnxRuntime)
               for name, value in feeds.items() for other in others(value, operators))


def judge(invar: str, passes: str, case) -> tuple[str, str]:
    """Returns 'known', 'unknown', or 'failed' with the reason."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(forgetful(case), before)
        ended = harness.run(invar, "optimize", before, "-o", after, f"--passes={passes}", "--quiet")
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
    parser.add_argument("--passes", default="simplify", help="what infers")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases(None) if arguments.only in case.name]
    report, known, unknown = harness.Report(), 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = pool.map(lambda case: judge(arguments.invar, arguments.passes, case), cases)
        for case, (verdict, why) in zip(cases, verdicts):
            excused = TAKES_FOLDING if arguments.passes == "infer-shapes" else set()
            if verdict == "unknown" and case.name not in excused and not depends_on_data(case):
                why = "expected a shape, since no other contents of the inputs give another, but it is not wholly known"
            report.check(case.name, [why] if why else [])
            known += verdict == "known"
            unknown += [case.name] if verdict == "unknown" else []
    print(f"{known} of {len(cases)} known; not wholly known: {', '.join(unknown)}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
