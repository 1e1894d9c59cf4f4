#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the time of shape inference is linear in the model, by counting visits.

The models are XLNet-like chains of 12 to 768 layers, where each layer reshapes to sizes that it computes from
previous shapes, and graphs of many nodes, wide and deep. The number of visits per layer or node must not depend on
the size. Times are printed, not judged.

  shape_scaling.py --invar build/release/bin/invar [--nodes 100000]
"""
import argparse
import json
import os
import sys
import tempfile
import time

import onnx
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from growing_models import attention_layers


def deep(nodes: int) -> tuple[onnx.ModelProto, int]:
    """A single long chain."""
    list_ = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(nodes)]
    graph = helper.make_graph(
        list_, "deep", [helper.make_tensor_value_info("v0", TensorProto.FLOAT, ["n", 8])],
        [helper.make_tensor_value_info(f"v{nodes}", TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), nodes


def wide(nodes: int) -> tuple[onnx.ModelProto, int]:
    """Many users of one value, which a tree of sums joins at the end."""
    list_ = [helper.make_node("Mul", ["x", "x"], [f"p{i}"]) for i in range(nodes // 2)]
    level, count = [f"p{i}" for i in range(nodes // 2)], 0
    while len(level) > 1:
        above = []
        for a, b in zip(level[::2], level[1::2]):
            above.append(f"s{count}")
            count += 1
            list_.append(helper.make_node("Add", [a, b], [above[-1]]))
        level = above + level[len(level) // 2 * 2:]
    graph = helper.make_graph(
        list_, "wide", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 8])],
        [helper.make_tensor_value_info(level[0], TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), len(list_)


def infer(invar: str, model: onnx.ModelProto, folder: str) -> tuple[dict[str, int], float]:
    path = os.path.join(folder, "in.onnx")
    onnx.save(model, path)
    start = time.perf_counter()
    run = harness.run(invar, "optimize", path, "-o", os.path.join(folder, "out.onnx"), "--passes=infer-shapes", "--json")
    seconds = time.perf_counter() - start
    if run.code:
        sys.exit(f"{model.graph.name}: {run.ending()}")
    return json.loads(run.stdout)["shapes"], seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--nodes", type=int, default=20000)
    arguments = parser.parse_args()
    report, base = harness.Report(), 0.0

    def study(name: str, model: onnx.ModelProto, nodes: int, layers: int, folder: str) -> float:
        """Returns visits per layer, without initializers, of which all chains have the same number. Prints the time
        without the program's start."""
        shapes, seconds = infer(arguments.invar, model, folder)
        net = max(seconds - start, 0)
        per_layer = (shapes["visits"] - len(model.graph.initializer)) / layers
        print(f"{name:>12} {nodes:>8} {shapes['visits']:>8} {per_layer:>10.2f} {seconds:>8.3f} {net / layers * 1e6:>9.1f}")
        report.check(f"{name}: all shapes", [f"{shapes['unknown']} unknown"] if shapes["unknown"] else [])
        return per_layer

    with tempfile.TemporaryDirectory() as folder:
        start = min(infer(arguments.invar, attention_layers(1)[0], folder)[1] for _ in range(5))
        print(f"{'model':>12} {'nodes':>8} {'visits':>8} {'per layer':>10} {'seconds':>8} {'µs/layer':>9}")
        for layers in (12, 48, 192, 768):
            per_layer = study(f"chain {layers}", *attention_layers(layers), layers, folder)
            base = base or per_layer
            report.check(f"chain {layers}: visits", [f"expected {base} a layer, but got {per_layer}"] if per_layer != base else [])
        for kind in (deep, wide):
            model, nodes = kind(arguments.nodes)
            visits = study(kind.__name__, model, nodes, nodes, folder)
            report.check(f"{kind.__name__}: visits", [f"expected 1 a node, but got {visits}"] if visits != 1 else [])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
