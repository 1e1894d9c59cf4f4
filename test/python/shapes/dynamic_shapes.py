#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that optimized models with named sizes compute the same as before, at every size.

Small models written here contain each form in which exporters compute targets from shapes. They are optimized once
and run at all sizes, at most one of them 0, at which the original runs in onnxruntime. With --fuse=off the outputs
must be the same bits, also if they are empty. By default, without a size 0, they must be within 1e-5. Each case
states how many operators that read shapes may be left.

Given models run at several sizes of their dynamic dimensions.

  dynamic_shapes.py --invar build/dev/bin/invar [FOLDER|FILE…]
"""
import argparse
import itertools
import os
import pathlib
import sys
import tempfile
import warnings
from typing import NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import parser

sys.path.insert(1, sys.path[0] + "/../support")
import closeness
import engines
import feeding
import harness

SIZES = (0, 1, 2, 5)
READERS = {"Shape", "Size"}


class Case(NamedTuple):
    name: str
    inputs: str
    outputs: str
    nodes: str
    left: int = 0  # The number of operators in the result that read shapes.
    left_exact: int | None = None  # The same with --fuse=off, if it differs.
    least: int = 0  # Below this size the engine crashes.
    opset: int = 17

    def model(self) -> onnx.ModelProto:
        text = (f'<ir_version: 8, opset_import: ["" : {self.opset}]> '
                f'g ({self.inputs}) => ({self.outputs}) {{ {self.nodes} }}')
        return parser.parse_model(text)


# The nodes with which exporters compute one size of a tensor.
SIZE = ("i{n} = Constant <value = int64 {{{axis}}}> () s{n} = Shape({x}) {n} = Gather(s{n}, i{n}) "
        "a{n} = Constant <value = int64[1] {{0}}> () v{n} = Unsqueeze({n}, a{n}) ")


def size(name: str, tensor: str, axis: int) -> str:
    return SIZE.format(n=name, x=tensor, axis=axis)


def ints(name: str, *numbers: int) -> str:
    return f"{name} = Constant <value = int64[{len(numbers)}] {{{', '.join(map(str, numbers))}}}> () "


CASES = (
    Case("heads", "float[n, m, 12] x", "float[a, b, c, d] y",
         size("n", "x", 0) + size("m", "x", 1) + ints("c", 3, 4) +
         "t = Concat <axis = 0> (vn, vm, c) r = Reshape(x, t) y = Transpose <perm = [0, 2, 1, 3]> (r)"),
    Case("heads and back", "float[n, m, 12] x", "float[a, b, c] y",
         size("n", "x", 0) + size("m", "x", 1) + ints("c", 3, 4) + ints("d", 12) +
         "t = Concat <axis = 0> (vn, vm, c) r = Reshape(x, t) h = Transpose <perm = [0, 2, 1, 3]> (r) "
         "e = Relu(h) b = Transpose <perm = [0, 2, 1, 3]> (e) " + size("p", "b", 0) + size("q", "b", 1) +
         "u = Concat <axis = 0> (vp, vq, d) y = Reshape(b, u)"),
    Case("rest", "float[n, m, 4] x", "float[a, b, c] y",
         size("n", "x", 0) + ints("c", -1, 2) + "t = Concat <axis = 0> (vn, c) y = Reshape(x, t)"),
    Case("product", "float[n, 3, m, k] x", "float[a, b, c] y",
         size("n", "x", 0) + size("m", "x", 2) + size("k", "x", 3) + ints("c", 3) +
         "p = Mul(m, k) vp = Unsqueeze(p, an) t = Concat <axis = 0> (vn, c, vp) y = Reshape(x, t)", left_exact=2),
    Case("swapped", "float[n, 3, m] x", "float[a, b, c] y",
         size("n", "x", 0) + size("m", "x", 2) + ints("c", 3) + "t = Concat <axis = 0> (vm, vn, c) y = Reshape(x, t)", left=2),
    Case("ones put in", "float[n, m, 4] x", "float[a, b, c, d] y",
         size("n", "x", 0) + size("m", "x", 1) + ints("c", 1) + ints("d", 4) +
         "t = Concat <axis = 0> (vn, c, vm, d) y = Reshape(x, t)"),
    Case("ones taken away", "float[n, 1, m] x", "float[a, b] y",
         size("n", "x", 0) + size("m", "x", 2) + "t = Concat <axis = 0> (vn, vm) y = Reshape(x, t)"),
    Case("own shape", "float[n, m] x", "float[a, b] y", "s = Shape(x) e = Expand(x, s) y = Reshape(e, s)"),
    Case("expand as it is", "float[n, 1, m] x", "float[a, b, c] y",
         size("n", "x", 0) + ints("c", 7) + ints("d", -1) +
         "t = Concat <axis = 0> (vn, c, d) o = Constant <value = int64 {-1}> () q = Equal(t, o) " + ints("l", 1, 1, 1) +
         "u = Where(q, l, t) y = Expand(x, u)"),
    Case("expand to another", "float[1, 1, m] x, float[n, m] z", "float[a, b, c] y",
         size("n", "z", 0) + ints("d", -1, -1) +
         "t = Concat <axis = 0> (vn, d) o = Constant <value = int64 {-1}> () q = Equal(t, o) " + ints("l", 1, 1, 1) +
         "u = Where(q, l, t) y = Expand(x, u)", left=1),
    Case("expanded operand", "float[n, m] x, float[m] z", "float[a, b] y", "s = Shape(x) e = Expand(z, s) y = Sub(x, e)"),
    Case("tiled operand", "float[n, m] x, float[n, 1] z", "float[a, b] y",
         size("m", "x", 1) + ints("l", 1) + "t = Concat <axis = 0> (l, vm) e = Tile(z, t) y = Div(e, x)"),
    Case("filled operand", "int64[n, m] x", "int64[a, b] y",
         "s = Shape(x) f = ConstantOfShape <value = int64[1] {15}> (s) y = Min(x, f)"),
    Case("filled choice", "float[n, m] x, bool[n, m] c", "float[a, b] y",
         "s = Shape(c) f = ConstantOfShape <value = float[1] {-3.5}> (s) y = Where(c, x, f)"),
    Case("filled mask", "float[n, m] x", "float[a, b, c, d] y",
         "s = Shape(x) f = ConstantOfShape <value = float[1] {1.0}> (s) " + ints("p", 1, 2) +
         "u = Unsqueeze(f, p) v = Unsqueeze(x, p) y = Mul(v, u)"),
    Case("end of an axis", "float[n, m] x", "float[a, b] y",
         size("m", "x", 1) + ints("b", 1) + ints("p", 1) + "y = Slice(x, b, vm, p)"),
    Case("all but the last", "float[n, m] x", "float[a, b] y",
         size("m", "x", 1) + ints("o", 1) + ints("b", 0) + ints("p", 1) + "e = Sub(vm, o) y = Slice(x, b, e, p)"),
    Case("all but three", "float[n, m] x", "float[a, b] y",
         size("m", "x", 1) + ints("o", 3) + ints("b", 0) + ints("p", 1) + "e = Sub(vm, o) y = Slice(x, b, e, p)", left=1),
    Case("from the front of the end", "float[n, m] x", "float[a, b] y",
         size("m", "x", 1) + ints("e", 9223372036854775807) + ints("p", 1) + "b = Neg(vm) y = Slice(x, b, e, p)"),
    Case("part of a table", "int64[n, m] x", "float[a, b] y",
         size("m", "x", 1) + ints("b", 0) + ints("p", 1) +
         "w = Constant <value = float[1, 6] {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}> () y = Slice(w, b, vm, p)", left=1),
    Case("twice the size", "float[n, 2, m, k] x", "float[a, b, c, d] y",
         size("n", "x", 0) + size("m", "x", 2) + size("k", "x", 3) + ints("c", 2) +
         "h = Mul(vm, c) w = Mul(vk, c) t = Concat <axis = 0> (vn, c, h, w) "
         'y = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (x, , , t)'),
    Case("state of zeros", "float[m, n, 3] x", "float[a, b, c, d] y",
         size("n", "x", 1) + ints("l", 1) + ints("h", 2) + "t = Concat <axis = 0> (l, vn, h) z = ConstantOfShape(t) "
         "w = Constant <value = float[1, 6, 3] {" + ", ".join(f"{i / 20}" for i in range(18)) + "}> () "
         "r = Constant <value = float[1, 6, 2] {" + ", ".join(f"{i / 10}" for i in range(12)) + "}> () "
         "y = GRU <hidden_size = 2> (x, w, r, , , z)", least=1),
    Case("rows", "float[n, m, 3] x", "float[a, b, c] y",
         ints("r", -1, 3) + "f = Reshape(x, r) w = Constant <value = float[3, 2] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}> () "
         "b = Constant <value = float[2] {0.7, 0.8}> () g = Gemm(f, w, b) " + size("n", "x", 0) + size("m", "x", 1) + ints("c", 2) +
         "t = Concat <axis = 0> (vn, vm, c) y = Reshape(g, t)", left_exact=2),
    Case("two layers", "float[n, m] x", "int64[a] y, int64[b] z",
         size("m", "x", 1) + "o = Constant <value = int64 {0}> () l = Constant <value = int64 {1}> () y = Range(o, m, l) "
         "h = Transpose <perm = [1, 0]> (x) " + size("k", "h", 0) + "z = Range(o, k, l)", left=1),
    Case("casts between", "float[n, m] x", "float[a, b, c] y",
         "s = Shape(x) i = Cast <to = 6> (s) f = Constant <value = int64[1] {0}> () t = Constant <value = int64[1] {1}> () "
         "v = Slice(i, f, t) k = Constant <value = int32[2] {-1, 1}> () j = Concat <axis = 0> (v, k) w = Cast <to = 7> (j) "
         "y = Reshape(x, w)"),
    Case("older opset", "float[n, m, 12] x", "float[a, b, c, d] y",
         "i = Constant <value = int64 {0}> () s = Shape(x) n = Gather(s, i) v = Unsqueeze <axes = [0]> (n) "
         "j = Constant <value = int64 {1}> () u = Shape(x) m = Gather(u, j) w = Unsqueeze <axes = [0]> (m) " + ints("c", 3, 4) +
         "t = Concat <axis = 0> (w, v, c) q = Transpose <perm = [1, 0, 2]> (x) y = Reshape(q, t)", opset=11),
)


def count_readers(path: str) -> int:
    return sum(node.op_type in READERS for node in onnx.load(path).graph.node)


def feeds_of(model: onnx.ModelProto, sizes: dict[str, int]) -> dict[str, np.ndarray]:
    generator, feeds = np.random.default_rng(3), {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [sizes[d.dim_param] if d.dim_param else d.dim_value for d in tensor.shape.dim]
        feeds[value.name] = generator.integers(0, 20, shape).astype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    return feeds


def judge_case(invar: str, case: Case, report: harness.Report) -> None:
    model, complaints, runs = case.model(), [], 0
    with tempfile.TemporaryDirectory(prefix="dynamic") as folder:
        before, exact, near = (os.path.join(folder, f"{name}.onnx") for name in ("before", "exact", "near"))
        onnx.save(model, before)
        for target, options in ((exact, ["--fuse=off"]), (near, [])):
            ended = harness.run(invar, "optimize", before, "-o", target, "--quiet", *options)
            if ended.code:
                return report.check(case.name, [ended.ending()])
        for path, most in ((exact, case.left if case.left_exact is None else case.left_exact), (near, case.left)):
            if (left := count_readers(path)) != most:
                complaints.append(f"{left} operators read shapes instead of {most}")
        engine = {path: engines.OnnxRuntime(path) for path in (before, exact, near)}
        names = sorted({d.dim_param for v in model.graph.input for d in v.type.tensor_type.shape.dim if d.dim_param})
        for numbers in itertools.product(SIZES, repeat=len(names)):
            # If several sizes are 0, a computed target may copy the wrong axis, and there are no elements to compare.
            if numbers.count(0) > 1 or min(numbers) < case.least:
                continue
            sizes = dict(zip(names, numbers))
            feeds = feeds_of(model, sizes)
            try:
                want = engine[before].run(feeds)
            except engines.CannotRun:
                continue
            runs += 1
            for path in (exact, near) if 0 not in numbers else (exact,):
                try:
                    got = engine[path].run(feeds)
                except engines.CannotRun as error:
                    complaints.append(f"{sizes}: {error}")
                    continue
                if path == exact and not engines.same_bits(want, got) or closeness.distance(want, got) > closeness.TOLERANCE:
                    complaints.append(f"{sizes}: other outputs")
    if not runs:
        complaints.append("the original runs at no size")
    report.check(case.name, complaints[:3])


def judge_model(invar: str, path: str, report: harness.Report) -> None:
    name, runs, complaints = os.path.basename(path), 0, []
    try:
        original = engines.OnnxRuntime(path)
        inputs = feeding.Inputs(original.session.get_inputs())
        likely = feeding.find_sizes(original, inputs)
    except engines.CannotRun as error:
        return report.skip(name, str(error))
    if not inputs.roles():
        return report.skip(name, "all of its sizes are numbers")
    with tempfile.TemporaryDirectory(prefix="dynamic") as folder:
        target = os.path.join(folder, "out.onnx")
        ended = harness.run(invar, "optimize", path, "-o", target, "--quiet")
        if ended.code:
            return report.check(name, [ended.ending()])
        result = engines.OnnxRuntime(target)
        for batch, length in sorted({(1, 1), (1, 5), (2, 1), (2, 16), (1, likely.length), (2, 2 * likely.length)}):
            try:
                feeds = feeding.draw_feeds(inputs, likely._replace(batch=batch, length=length))
                want = original.run(feeds)
            except engines.CannotRun:
                continue
            runs += 1
            try:
                off = closeness.distance(want, result.run(feeds))
            except engines.CannotRun as error:
                complaints.append(f"batch {batch}, size {length}: {error}")
                continue
            if off > closeness.TOLERANCE:
                complaints.append(f"batch {batch}, size {length}: {off:.1e} off")
    if not runs:
        return report.skip(name, "it runs at none of the sizes")
    print(f"{name}: {runs} sizes", flush=True)
    report.check(name, complaints)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--invar", required=True, type=harness.existing_program)
    options.add_argument("paths", nargs="*", type=pathlib.Path, help="models to run at several sizes instead of our own")
    given = options.parse_args()
    report = harness.Report()
    for case in CASES if not given.paths else ():
        judge_case(given.invar, case, report)
    for path in given.paths:
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            judge_model(given.invar, str(model), report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
