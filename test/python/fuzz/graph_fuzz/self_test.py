# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the fuzzer itself: it must find each kind of intentional mistake, and the shrinker must terminate."""
import os
import signal
import tempfile
import time
from typing import Any, Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import harness
import isolate
from toolchain import Refused, Toolchain, Variant

from . import judge, shrink, trial
from .trial import Case, Failure


def small_case() -> Case:
    """Makes Relu(x * w + x), then a sum, and a comparison beside it."""
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal((4, 6)).astype(np.float32) for _ in range(2))
    nodes = [helper.make_node("Mul", ["x", "w"], ["a"]), helper.make_node("Add", ["a", "x"], ["b"]),
             helper.make_node("Relu", ["b"], ["c"]), helper.make_node("ReduceSum", ["c"], ["y"], keepdims=0),
             helper.make_node("Greater", ["b", "w"], ["z"])]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 6])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, []),
                               helper.make_tensor_value_info("z", TensorProto.BOOL, [4, 6])], [numpy_helper.from_array(w, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    feeds = [{"x": x}]
    return Case(model, feeds, [{}], trial.wanted_of(model, feeds), [Variant()])


class Mutated:
    """A toolchain with an intentional mistake."""

    def __init__(self, toolchain: Toolchain, mistake: str):
        self.toolchain, self.mistake = toolchain, mistake

    def optimize(self, model: bytes, output: str, **limits) -> None:
        self.toolchain.optimize(model, output)
        if self.mistake in ("optimize: wrong", "optimize: changes again", "optimize: not valid"):
            written = onnx.load(output)
            node = next(node for node in written.graph.node if node.op_type in ("Relu", "LeakyRelu", "Abs"))
            if self.mistake == "optimize: wrong":
                node.op_type = "Abs"
            elif self.mistake == "optimize: changes again":
                node.name += "_again"
            else:
                node.input.append("x")
            onnx.save(written, output)

    def compile(self, model: bytes, output: str, variant: Variant, sizes: dict[str, int], *limits) -> None:
        if self.mistake == "compile: killed by SIGSEGV":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.mistake == "compile: hangs":
            time.sleep(3600)
        if self.mistake == "compile: refused":
            raise Refused("'Relu' cannot be compiled: on purpose")
        self.toolchain.compile(model, output, variant, sizes)
        if self.mistake == "stop: compile" and limits:
            raise Refused("expected to end within 1 ms, but the output stays")

    def load(self, library: str, threads: int) -> Any:
        session = self.toolchain.load(library, threads)
        run = session.run

        def mutated(feeds: dict) -> list:
            outputs = [array.copy() for array in run(feeds)]
            if self.mistake == "run: killed by SIGABRT":
                os.abort()
            if self.mistake == "run: wrong" and outputs[0].dtype == np.float32:
                outputs[0] *= np.float32(1.0001)
            if self.mistake == "run: wrong truth":
                outputs[-1].flat[3] = ~outputs[-1].flat[3]
            if self.mistake == "run: not a number":
                outputs[0][...] = np.nan
            return outputs
        session.run = mutated
        return session


def fails(toolchain: Any, case: Case, folder: str) -> Failure | None:
    def work(_: Any, tell: Callable[[str], None]) -> list:
        attempt = trial.Trial(toolchain, folder, tell, is_strict=True)
        wanted = trial.wanted_of(case.model, case.feeds)
        return [[f.kind, f.detail] for f in attempt.run(case._replace(wanted=wanted)).failures]
    result = isolate.run_one(work, 0, seconds=5)
    if isinstance(result, isolate.Died):
        return Failure(f"{result.stage}: {result.ending}", result.words)
    return Failure(*result[0]) if result else None


MISTAKES = {"optimize: wrong": "optimize: wrong", "optimize: changes again": "optimize: changes again",
            "optimize: not valid": "optimize: ", "compile: killed by SIGSEGV": "compile: killed by SIGSEGV",
            "compile: hangs": "compile: hangs", "compile: refused": "compile: refused",
            "stop: compile": "stop: compile",
            "run: killed by SIGABRT": "run: killed by SIGABRT",
            "run: wrong": "run: wrong", "run: wrong truth": "run: wrong", "run: not a number": "run: wrong"}


def judged(report: harness.Report) -> None:
    """Tests the tolerances: differences that noise explains are right, all others are wrong."""
    nodes = [helper.make_node("Sub", ["x", "c"], ["a"]), helper.make_node("Mul", ["a", "k"], ["y"]),
             helper.make_node("Floor", ["x"], ["z"]), helper.make_node("Mul", ["x", "zeros"], ["nothing"]),
             helper.make_node("Add", ["nothing", "half"], ["equal"]), helper.make_node("Round", ["equal"], ["steps"]),
             helper.make_node("Cast", ["steps"], ["whole"], to=TensorProto.INT32),
             helper.make_node("ReduceSum", ["whole"], ["sum"], keepdims=0)]
    x = np.array([1.0000001, 2.5, 7.25], np.float32)
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])],
                              [helper.make_tensor_value_info(name, kind, None)
                               for name, kind in (("y", TensorProto.FLOAT), ("z", TensorProto.FLOAT), ("sum", TensorProto.INT32))],
                              [numpy_helper.from_array(np.array([1, 1, 1], np.float32), "c"),
                               numpy_helper.from_array(np.zeros(3, np.float32), "zeros"),
                               numpy_helper.from_array(np.full((64, 3), 126.5, np.float32), "half"),
                               numpy_helper.from_array(np.float32(1000), "k")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (y, z, total), = trial.wanted_of(model, [{"x": x}])

    def complaint(index: int, want: np.ndarray, change: list[float] | float) -> str:
        return judge.Condition(model, {"x": x}).complaint(index, want, np.asarray(want + np.array(change, want.dtype)))
    report.check("the same is right", [complaint(0, y, [0, 0, 0])])
    report.check("what cancels may be off", [complaint(0, y, [4e-4, 0, 0])])
    report.check("more than noise is wrong", [] if complaint(0, y, [1, 0, 0]) else ["accepted"])
    report.check("a step is right where it may flip", [complaint(1, z, [-1, 0, 0])])
    report.check("a step is wrong elsewhere", [] if complaint(1, z, [0, -1, 0]) else ["accepted"])
    report.check("equal elements may flip together", [complaint(2, total, 192)])


def run(toolchain: Toolchain) -> int:
    report = harness.Report(verbose=True)
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        case = small_case()
        none = fails(toolchain, case, folder)
        report.check("nothing is wrong with what is right", [str(none)] if none else [])
        for mistake, kind in MISTAKES.items():
            mutated = Mutated(toolchain, mistake)
            stops = mistake.startswith("stop")
            case = small_case()._replace(variants=[Variant(stops_at=0.5 if stops else 0)])
            found = fails(mutated, case, folder)
            good = found is not None and found.kind.startswith(kind)
            report.check(f"finds '{mistake}'", [] if good else [f"expected '{kind}', but got {found}"])
            if found and mistake != "compile: hangs":
                smaller, last = shrink.shrunk(case, found, lambda c: fails(mutated, c, folder), tries=200, seconds=60)
                left = len(smaller.model.graph.node)
                is_good = left <= 2 and last.kind == found.kind
                report.check(f"shrinks '{mistake}' to {left} nodes", [] if is_good else [f"{left} nodes, {last}"])
        after = dict(isolate.run_all(lambda item, tell: os.abort() if item == 1 else item, [0, 1, 2], batch=3))
        is_good = after[0] == 0 and after[2] == 2 and isinstance(after[1], isolate.Died)
        report.check("goes on after a death", [] if is_good else [str(after)])
    judged(report)
    return report.finish()
