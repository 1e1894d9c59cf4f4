#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled operators with folded ones on special values: NaN, infinities, both zeros, denormal numbers, the
greatest numbers, and numbers beyond the range of integers. Operators are compiled for every processor level that the
machine supports. TopK, ArgMax, ArgMin and comparisons must agree with the onnx package's reference evaluator too.

  special_values.py --build build/dev [--only OPERATOR]
"""
import argparse
import itertools
import os
import sys
import tempfile
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from closeness import difference
from folded_constants import constants_of
from toolchain import Refused, Toolchain, Variant, runnable_cpus

FLOATS = {"float32": np.float32, "float64": np.float64, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
UNARY = ("Abs Neg Exp Log Sqrt Reciprocal Relu Sigmoid Tanh Erf Ceil Floor Round Sign Softplus Softsign Sin Cos Tan Asin Acos "
         "Atan Sinh Cosh Asinh Acosh Atanh Elu Selu Celu LeakyRelu HardSigmoid HardSwish ThresholdedRelu Mish Gelu IsNaN IsInf "
         "Shrink Swish").split()
BINARY = "Add Sub Mul Div Pow Max Min Less Greater LessOrEqual GreaterOrEqual Equal PRelu".split()
REDUCTIONS = "ReduceSum ReduceMean ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp".split()
INTEGERS = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool".split()
# Where the definition decides and not the engine.
DEFINED = {"TopK", "ArgMax", "ArgMin", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal", "IsNaN", "IsInf", "Sign"}
# The relative error that docs/Compile.md allows compiled code; narrow floats may round to a neighbour.
TOLERANCE = {np.dtype(np.float32): 2e-5, np.dtype(np.float64): 1e-12}


class Case(NamedTuple):
    operator: str
    inputs: list[np.ndarray]
    attributes: dict[str, Any] = {}
    constants: list[np.ndarray] = []  # Operands that stay constants when the operator is compiled.
    outputs: int = 1

    @property
    def name(self) -> str:
        return " ".join([self.operator, self.inputs[0].dtype.name, *(f"{key}={value}" for key, value in self.attributes.items())])

    def model(self, folds: bool) -> bytes:
        """With `folds`, all operands are constants."""
        operands = {f"x{i}": value for i, value in enumerate([*self.inputs, *self.constants])}
        fixed = operands if folds else {name: value for name, value in operands.items() if int(name[1:]) >= len(self.inputs)}
        results = [f"y{i}" for i in range(self.outputs)]
        node = helper.make_node(self.operator, [*operands], results, **self.attributes)
        infos = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                 for name, value in operands.items() if name not in fixed]
        graph = helper.make_graph([node], "special", infos, [onnx.ValueInfoProto(name=result) for result in results],
                                  [numpy_helper.from_array(value, name) for name, value in fixed.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11).SerializeToString()


def special(dtype: np.dtype) -> np.ndarray:
    limits = ml_dtypes.finfo(dtype)
    tiny, greatest = float(limits.smallest_normal), float(limits.max)
    numbers = [np.nan, np.inf, 0.0, tiny / 4, tiny, greatest, 1, 0.5, 1.5, 2.5, 3, 1e-3, 0.1, 20, 88.8, 104, 300, 40000,
               2.0**31, 2.0**32, 2.0**40, 2.0**63]
    return np.array([sign * number for number in numbers for sign in (1, -1)]).astype(dtype)


def cases() -> Iterator[Case]:
    random = np.random.default_rng(1)
    for dtype in map(np.dtype, FLOATS.values()):
        values = special(dtype)
        line = random.permutation(np.resize(values, 2 * len(values) + 5))
        for operator in UNARY:
            if dtype == ml_dtypes.bfloat16 and operator in ("IsInf", "Shrink"):
                continue  # Their definitions have no bfloat16.
            yield Case(operator, [line])
        yield Case("Gelu", [line], {"approximate": "tanh"})
        for bounds in ((-1, 2), (3, 1)):
            yield Case("Clip", [line], constants=[np.array(bound, dtype) for bound in bounds])
        left, right = (np.array(side, dtype) for side in zip(*itertools.product(values, values)))
        for operator in BINARY:
            yield Case(operator, [left, right])
        yield Case("Mod", [left, right], {"fmod": 1})
        for target in INTEGERS:
            yield Case("Cast", [line], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(target))})
        for source in (values, values[2:]):  # With and without NaN.
            matrix = random.choice(source, (9, 33))
            for axis, largest in itertools.product((0, 1), (0, 1)):
                yield Case("TopK", [matrix], {"axis": axis, "largest": largest}, [np.array([4])], outputs=2)
                for operator in ("ArgMax", "ArgMin"):
                    yield Case(operator, [matrix], {"axis": axis, "select_last_index": largest})
            for axis, operator in itertools.product((0, 1), ("ReduceMax", "ReduceMin")):
                yield Case(operator, [matrix], {"keepdims": 0}, [np.array([axis])])
            # No sum cancels, so its order does not matter.
            positive = random.choice(np.abs(source[np.abs(source.astype(np.float64)) < 3]), (9, 33))
            for row, number in enumerate((np.inf, np.nan, 0)):
                positive[row, 3 * row] = number
            for axis, operator in itertools.product((0, 1), REDUCTIONS):
                yield Case(operator, [positive], {"keepdims": 0}, [np.array([axis])])
            yield Case("MatMul", [positive, positive.T.copy()])
            masked = random.choice(np.array([-np.inf, -np.inf, 0, 1, -2, 3], dtype), (9, 33))
            masked[4], masked[5, 7], masked[6, 8] = -np.inf, np.nan, np.inf
            for axis, operator in itertools.product((0, 1), ("Softmax", "LogSoftmax", "Hardmax")):
                yield Case(operator, [masked], {"axis": axis})
            yield Case("MaxPool", [random.choice(source, (1, 2, 7, 9))], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]})


class Judge:
    def __init__(self, build: str, folder: str):
        self.toolchain, self.folder, self.cpus = Toolchain(build), folder, runnable_cpus()

    def fold(self, case: Case) -> list[np.ndarray] | str:
        path = os.path.join(self.folder, "folded.onnx")
        self.toolchain.optimize(case.model(folds=True), path)
        found, _ = constants_of(onnx.load(path).graph)
        missing = [f"y{i}" for i in range(case.outputs) if f"y{i}" not in found]
        return f"'{missing[0]}' is not folded" if missing else [numpy_helper.to_array(found[f"y{i}"]) for i in range(case.outputs)]

    def run(self, case: Case, cpu: str) -> list[np.ndarray]:
        path = os.path.join(self.folder, "model.so")
        self.toolchain.compile(case.model(folds=False), path, Variant(cpu=cpu), {})
        session = self.toolchain.load(path, 1)
        try:
            return session.run({f"x{i}": value for i, value in enumerate(case.inputs)})
        finally:
            session.close()

    def compare(self, case: Case, got: list[np.ndarray], want: list[np.ndarray]) -> list[str]:
        complaints = []
        for i, (mine, other) in enumerate(zip(got, want, strict=True)):
            # Numbers near the least normal one may lose digits, or become 0.
            limits = ml_dtypes.finfo(mine.dtype) if mine.dtype.kind in "fV" else None
            rtol = TOLERANCE.get(mine.dtype, 2 * float(limits.eps) if limits else 0)
            atol = 4 * float(limits.smallest_normal) if limits else 0
            if text := difference(mine, other, rtol, atol):
                complaints.append(f"output {i}: {text}")
        return complaints

    def judge(self, case: Case) -> list[str]:
        try:
            want = self.fold(case)
            if isinstance(want, str):
                return [want]
            complaints = []
            for cpu in self.cpus:
                complaints += [f"{cpu or 'this processor'}: {text}" for text in self.compare(case, self.run(case, cpu), want)]
        except Refused as error:
            return [str(error)]
        if case.operator in DEFINED and case.inputs[0].dtype != ml_dtypes.bfloat16:
            defined = ReferenceEvaluator(onnx.load_model_from_string(case.model(folds=True))).run(None, {})
            complaints += [f"folded, beside the reference: {text}" for text in self.compare(case, want, defined)]
        return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", help="an operator")
    options = parser.parse_args()
    report = harness.Report()
    with tempfile.TemporaryDirectory(prefix="special") as folder:
        judge = Judge(options.build, folder)
        for case in cases():
            if options.only in (None, case.operator):
                report.check(case.name, judge.judge(case))
    print(f"compiled for {', '.join(cpu or 'this processor' for cpu in judge.cpus)}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
