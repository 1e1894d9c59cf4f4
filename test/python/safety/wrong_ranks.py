#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs operators with inputs of ranks that they do not expect.

For each operator, and each number of inputs that it has in a node test of the onnx package, every input in turn becomes
a scalar, loses an axis, gets another one, or has an unknown rank and is such a tensor at run time. Each step must end
with a result or an error; a signal is a failure. Where onnxruntime gives a result, a result of Invar must have its shape.

  wrong_ranks.py --build build/dev [--only NAME] [--all]

With --all, every node test is used. With a sanitized build (build/asan-mlir), a report of the sanitizer is a failure.
"""
import argparse
import os
import sys
import tempfile
import warnings
from typing import Any, Callable, Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import invar_engine
import isolate
import sanitized
from engines import as_array
from toolchain import Refused, Toolchain, Variant

FORMS = ("scalar", "fewer", "more", "scalar, unknown", "more, unknown")
CASES: list = []  # inherited by child processes


def reshaped(x: np.ndarray, form: str) -> np.ndarray | None:
    """Returns a tensor in the form; None if it would be the same."""
    if form.startswith("scalar"):
        return None if x.ndim == 0 or not x.size else x.ravel()[:1].reshape(())
    if form == "fewer":
        return None if x.ndim < 2 or not x.size else x[0]
    return x[None]


def change(case, place: int, form: str) -> tuple[onnx.ModelProto, dict] | None:
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    infos = model.graph.input
    values = [as_array(value) for value in case.data_sets[0][0]]
    if not infos[place].type.HasField("tensor_type") or not isinstance(values[place], np.ndarray):
        return None
    value = reshaped(values[place], form)
    if value is None:
        return None
    values[place] = value
    tensor = infos[place].type.tensor_type
    tensor.ClearField("shape")
    if "unknown" not in form:
        tensor.shape.SetInParent()
        for size in value.shape:
            tensor.shape.dim.add().dim_value = size
    for info in model.graph.output:
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.ClearField("shape")
    return model, {info.name: value for info, value in zip(infos, values)}


class Judge:
    """Runs a changed case in a separate process."""

    def __init__(self, toolchain: Toolchain, folder: str):
        self.toolchain, self.folder = toolchain, folder

    def __call__(self, item: tuple[int, int, str], stage: Callable[[str], None]) -> list[str] | None:
        """Returns what is wrong; None if there is nothing to test."""
        number, place, form = item
        changed = change(CASES[number], place, form)
        if not changed:
            return None
        model, feeds = changed
        data, out = model.SerializeToString(), os.path.join(self.folder, f"{os.getpid()}.so")
        try:
            stage("compile")
            self.toolchain.compile(data, out, Variant(), {})
            stage("run")
            session = self.toolchain.load(out, 1)
            try:
                got = session.run(feeds)
            finally:
                session.close()
        except (Refused, invar_engine.RunFailed):
            return []
        stage("onnxruntime")
        model.ir_version = min(model.ir_version, 11)
        try:
            expected = engines.OnnxRuntime(model.SerializeToString()).run(feeds)
        except Exception:  # onnxruntime has exceptions of many types; all of them mean that there is nothing to compare.
            return []
        return [f"output {i}: expected {y.shape}, but got {x.shape}" for i, (x, y) in enumerate(zip(got, expected))
                if isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and x.shape != y.shape]


def choose_cases(only: str, takes_all: bool) -> Iterator[Any]:
    """Yields a case for each operator and each set of its inputs, or all cases."""
    seen = set()
    for case in collect_testcases(None):
        nodes = case.model.graph.node
        if only not in case.name or len(nodes) != 1 or not case.model.graph.input:
            continue
        key = (nodes[0].op_type, tuple(bool(name) for name in nodes[0].input))
        if takes_all or key not in seen:
            seen.add(key)
            yield case


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--all", action="store_true", help="all node tests, not one for each operator and number of inputs")
    options = parser.parse_args()
    sanitized.prepare(options.build)
    CASES.extend(choose_cases(options.only, options.all))
    report = harness.Report()
    tests = [(number, place, form) for number, case in enumerate(CASES) for place in range(len(case.model.graph.input)) for form in FORMS]
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(Toolchain(options.build), folder)
        for (number, place, form), result in isolate.run_all(judge, tests, jobs=os.cpu_count(), batch=100):
            if isinstance(result, isolate.Died):
                result = [] if result.stage == "onnxruntime" else [f"{result.stage}: {result.ending}: {result.words}"]
            if result is not None:
                report.check(f"{CASES[number].name}, input {place}, {form}", result)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
