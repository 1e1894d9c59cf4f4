#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long a call takes to end after it is cancelled at a random moment, or after its deadline. The calls are
runs of models with big kernels, loops and long runtime calls, and compiling and optimizing. Run it with a Python
that has the package:

  utils/with-package build/release bench/stopping.py [--times 10] [--threads 1,2] [--only NAME] [MODEL…]

If models are given, they are run and compiled instead, with random inputs; --size is the size of named dimensions.
Prints a line for each model: the duration of a whole run, and the median and the maximum of the milliseconds between
the cancellation and the end, and between the deadline and the end.
"""
import argparse
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time
from typing import Callable, Iterator

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import invar

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test/python/support"))
import endless  # noqa: E402

GENERATOR = np.random.default_rng(1)
Case = tuple[str, onnx.ModelProto, dict[str, np.ndarray]]


def floats(*sizes: int) -> np.ndarray:
    return GENERATOR.random(sizes, np.float32)


def one(name: str, operator: str, feeds: dict[str, np.ndarray], weights: dict[str, np.ndarray] = {}, outputs: int = 1,
        domain: str = "", inputs: list[str] | None = None, **attributes) -> Case:
    """Makes a model of one node; `feeds` are its inputs and `weights` its constants."""
    names = inputs or [*feeds, *weights]
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(operator, names, results, domain=domain, **attributes)
    infos = [helper.make_tensor_value_info(key, TensorProto.STRING if value.dtype == object else
                                           helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
             for key, value in feeds.items()]
    graph = helper.make_graph([node], "g", infos, [onnx.ValueInfoProto(name=result) for result in results],
                              [numpy_helper.from_array(value, key) for key, value in weights.items()])
    opsets = [helper.make_opsetid("", 20)] + ([helper.make_opsetid(domain, 3)] if domain else [])
    return name, helper.make_model(graph, opset_imports=opsets, ir_version=10), feeds


def trees(count: int, depth: int) -> dict:
    """Returns the attributes of a TreeEnsembleRegressor with full trees."""
    attributes: dict[str, list] = {f"nodes_{key}": [] for key in ("treeids", "nodeids", "featureids", "values", "modes",
                                                                 "truenodeids", "falsenodeids")}
    targets: dict[str, list] = {f"target_{key}": [] for key in ("treeids", "nodeids", "ids", "weights")}
    inner, every = 2**depth - 1, 2**(depth + 1) - 1
    for tree in range(count):
        for node in range(every):
            is_leaf = node >= inner
            for key, value in (("treeids", tree), ("nodeids", node), ("featureids", (tree + node) % 8),
                               ("values", GENERATOR.random()), ("modes", "LEAF" if is_leaf else "BRANCH_LEQ"),
                               ("truenodeids", 0 if is_leaf else 2 * node + 1), ("falsenodeids", 0 if is_leaf else 2 * node + 2)):
                attributes[f"nodes_{key}"].append(value)
            if is_leaf:
                for key, value in (("treeids", tree), ("nodeids", node), ("ids", 0), ("weights", 1.0)):
                    targets[f"target_{key}"].append(value)
    return {**attributes, **targets, "n_targets": 1}


def scan(steps: int) -> Case:
    from models import value
    body = helper.make_graph([helper.make_node("Tanh", ["s"], ["t"]), helper.make_node("Add", ["t", "e"], ["s_out"]),
                              helper.make_node("Identity", ["s_out"], ["y_out"])], "body",
                             [value("s", 16), value("e", 16)], [value("s_out", 16), value("y_out", 16)])
    node = helper.make_node("Scan", ["x", "z"], ["last", "y"], body=body, num_scan_inputs=1)
    graph = helper.make_graph([node], "g", [value("x", 16), value("z", steps, 16)], [value("last", 16), value("y", steps, 16)])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    return "Scan", made, {"x": floats(16), "z": floats(steps, 16)}


def cases() -> Iterator[Case]:
    yield "Loop", endless.loop(), {"m": np.array(300_000), "x": floats(4)}
    yield scan(200_000)
    yield one("MatMul", "MatMul", {"a": floats(1500, 1500), "b": floats(1500, 1500)})
    yield one("MatMul, one row", "MatMul", {"a": floats(1, 8192), "b": floats(8192, 4096)})
    yield one("Gemm of a weight", "Gemm", {"a": floats(1500, 1500)}, {"b": floats(1500, 1500)})
    yield one("Conv", "Conv", {"x": floats(1, 64, 256, 256)}, {"w": floats(64, 64, 3, 3)}, pads=[1, 1, 1, 1])
    yield one("Conv, 1 x 1", "Conv", {"x": floats(1, 256, 128, 128)}, {"w": floats(256, 256, 1, 1)})
    yield one("ReduceSum of all", "ReduceSum", {"x": floats(8000, 4000)}, keepdims=0)
    yield one("Softmax", "Softmax", {"x": floats(4000, 4000)}, axis=1)
    yield one("Erf", "Erf", {"x": floats(8000, 2000)})
    yield one("Transpose", "Transpose", {"x": floats(4000, 5000)}, perm=[1, 0])
    yield one("LSTM", "LSTM", {"x": floats(400, 8, 128)}, {"w": floats(1, 512, 128), "r": floats(1, 512, 128)}, outputs=3, hidden_size=128)
    yield one("Einsum", "Einsum", {"a": floats(32, 256, 128), "b": floats(32, 128, 256)}, equation="bij,bjk->bik")
    yield one("Resize", "Resize", {"x": floats(1, 8, 512, 512)}, {"scales": np.array([1, 1, 2.5, 2.5], np.float32)},
              inputs=["x", "", "scales"], mode="cubic")
    yield one("GridSample", "GridSample", {"x": floats(1, 8, 256, 256), "grid": floats(1, 800, 800, 2)}, mode="linear")
    yield one("MaxPool with indices", "MaxPool", {"x": floats(1, 32, 512, 512)}, outputs=2, kernel_shape=[5, 5])
    yield one("CumSum, one line", "CumSum", {"x": floats(16_000_000)}, {"axis": np.array(0)})
    yield one("TopK, one line", "TopK", {"x": floats(2_000_000)}, {"k": np.array([1_000_000])}, outputs=2)
    yield one("TopK, many lines", "TopK", {"x": floats(4000, 1000)}, {"k": np.array([10])}, outputs=2)
    yield one("Unique", "Unique", {"x": floats(2_000_000)}, outputs=4)
    yield one("NonMaxSuppression", "NonMaxSuppression", {"boxes": floats(1, 6000, 4), "scores": floats(1, 1, 6000)},
              {"most": np.array([6000]), "overlap": np.array([0.9], np.float32)})
    yield one("DFT", "DFT", {"x": floats(1, 1_048_583, 1)}, inputs=["x", "", ""], outputs=1)
    yield one("trees", "TreeEnsembleRegressor", {"x": floats(20_000, 8)}, domain="ai.onnx.ml", **trees(50, 6))
    yield one("StringSplit", "StringSplit", {"x": np.array(["a b c d"] * 300_000, object)}, outputs=2, delimiter=" ")
    yield one("RegexFullMatch", "RegexFullMatch", {"x": np.array(["abcdefgh" * 8] * 200_000, object)}, pattern="(a|b|c|d|e|f|g|h)*")


def inputs_of(path: str, size: int) -> dict[str, np.ndarray]:
    """Makes random inputs. Integers are small, so that they are valid indices for most tables."""
    graph = onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    feeds = {}
    for info in graph.input:
        if info.name in constants:
            continue
        kind = info.type.tensor_type
        shape = [dim.dim_value if dim.dim_value > 0 else size for dim in kind.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(kind.elem_type)
        drawn = GENERATOR.random(shape) if dtype.kind == "f" else GENERATOR.integers(0, 2, shape)
        feeds[info.name] = np.asarray(drawn).astype(dtype)
    return feeds


class Delay:
    """Milliseconds between the requested end and the actual end of a call."""

    def __init__(self) -> None:
        self.found: list[float] = []

    def __str__(self) -> str:
        return f"{statistics.median(self.found):7.1f} {max(self.found):7.1f}" if self.found else "      -       -"


def measure(call: Callable, times: int, generator: random.Random) -> tuple[float, Delay, Delay]:
    call()
    began = time.monotonic()
    call()
    whole = time.monotonic() - began
    cancelled, late = Delay(), Delay()
    for _ in range(times):
        token, at = invar.Cancel(), 0.0

        def cancel() -> None:
            nonlocal at
            at = time.monotonic()
            token.cancel()

        timer = threading.Timer(generator.random() * whole * 0.9, cancel)
        timer.start()
        try:
            call(cancel=token)
        except invar.Cancelled:
            cancelled.found.append((time.monotonic() - at) * 1e3)
        timer.join()
        timeout = generator.random() * whole * 0.9
        began = time.monotonic()
        try:
            call(timeout=timeout)
        except invar.DeadlineExceeded:
            late.found.append((time.monotonic() - began - timeout) * 1e3)
    return whole, cancelled, late


class Table:
    def __init__(self, times: int):
        self.times, self.generator = times, random.Random(1)
        self.worst = {"cancelled": 0.0, "late": 0.0}
        print(f"{'':28} {'whole ms':>9}  {'cancelled: median, worst':>24}  {'late: median, worst':>20}")

    def add(self, name: str, call: Callable) -> None:
        whole, cancelled, late = measure(call, self.times, self.generator)
        self.worst = {"cancelled": max([self.worst["cancelled"], *cancelled.found]), "late": max([self.worst["late"], *late.found])}
        print(f"{name:28.28} {whole * 1e3:9.1f}  {str(cancelled):>24}  {str(late):>20}", flush=True)

    def add_runs(self, name: str, model: onnx.ModelProto | str, feeds: dict[str, np.ndarray], threads: list[int]) -> None:
        for count in threads:
            try:
                session = invar.Session(model, threads=count, cache=False)
                self.add(f"{name}, {count}", lambda **limits: session.run(None, feeds, **limits))
            except (invar.Error, ValueError) as error:
                print(f"{name}: skipped: {str(error)[:160]}", flush=True)
                break

    def add_compiling(self, name: str, model: bytes | str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.add(f"compile {name}", lambda **limits: invar.compile(model, folder + "/out.so", **limits))
            self.add(f"optimize {name}", lambda **limits: invar.optimize(model, folder + "/out.onnx", **limits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=64, help="of named dimensions of models")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    threads = [int(count) for count in options.threads.split(",")]
    table = Table(options.times)
    for path in options.models:
        name = pathlib.Path(path).stem
        table.add_runs(name, path, inputs_of(path, options.size), threads)
        try:
            table.add_compiling(name, path)
        except invar.Error as error:
            print(f"{name}: skipped: {str(error)[:160]}", flush=True)
    if not options.models:
        for name, made, feeds in cases():
            if options.only in name:
                table.add_runs(name, made, feeds, threads)
        if options.only in "compile optimize":
            table.add_compiling("many kernels", endless.many_kernels(40).SerializeToString())
    print("worst of all: " + ", ".join(f"{key} {value:.1f} ms" for key, value in table.worst.items()))


if __name__ == "__main__":
    main()
