#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shape inference takes time linear in the model: the visits that it needs are counted.

XLNet-like chains, where each layer reshapes to what it computes out of the shapes before
it, of 12 to 768 layers; and graphs of many nodes, wide and deep. The number of visits per
layer or node must not depend on how many there are. Times are printed, not judged.

  shape_scaling.py --invar build/release/bin/invar [--nodes 100000]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HEADS, SIZE = 12, 64
WIDTH = HEADS * SIZE


def constant(name, values):
    return numpy_helper.from_array(np.asarray(values, np.int64), name)


def chain(layers):
    """Reshape -> Einsum -> Shape -> Reshape, `layers` times, over [seq, batch, 768]."""
    nodes = []
    x = "x"
    for i in range(layers):
        def name(part):
            return f"l{i}.{part}"

        nodes += [
            helper.make_node("Reshape", [x, "split"], [name("heads")]),
            helper.make_node("Einsum", [name("heads"), name("heads")], [name("scores")],
                             equation="ibnd,jbnd->bnij"),
            helper.make_node("Softmax", [name("scores")], [name("weights")], axis=-1),
            helper.make_node("Einsum", [name("weights"), name("heads")], [name("mixed")],
                             equation="bnij,jbnd->ibnd"),
            helper.make_node("Shape", [name("mixed")], [name("shape")]),
            helper.make_node("Slice", [name("shape"), "zero", "two"], [name("front")]),
            helper.make_node("Concat", [name("front"), "minus_one"], [name("target")], axis=0),
            helper.make_node("Reshape", [name("mixed"), name("target")], [name("flat")]),
            helper.make_node("Add", [name("flat"), x], [name("out")]),
        ]
        x = name("out")
    graph = helper.make_graph(
        nodes, "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["seq", "batch", WIDTH])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, None)],
        [constant("split", [0, 0, HEADS, SIZE]), constant("zero", [0]), constant("two", [2]),
         constant("minus_one", [-1])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), 9 * layers


def deep(nodes):
    """One long chain."""
    list_ = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(nodes)]
    graph = helper.make_graph(
        list_, "deep", [helper.make_tensor_value_info("v0", TensorProto.FLOAT, ["n", 8])],
        [helper.make_tensor_value_info(f"v{nodes}", TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), nodes


def wide(nodes):
    """Many users of one value, joined in the end by a tree of sums."""
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


def infer(invar, model, folder):
    path = pathlib.Path(folder, "in.onnx")
    onnx.save(model, path)
    start = time.perf_counter()
    run = subprocess.run([invar, "optimize", path, "-o", path.with_name("out.onnx"),
                          "--passes=infer-shapes", "--json"], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if run.returncode:
        raise SystemExit(f"invar failed: {run.stderr}")
    return json.loads(run.stdout)["shapes"], seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--invar", required=True)
    parser.add_argument("--nodes", type=int, default=20000)
    arguments = parser.parse_args()
    passed = failed = 0
    base = None
    with tempfile.TemporaryDirectory() as folder:
        infer(arguments.invar, chain(1)[0], folder)  # Files are in memory after this.
        print(f"{'model':>16} {'nodes':>8} {'visits':>8} {'per layer':>10} {'seconds':>8} {'µs/node':>8}")
        for layers in (12, 48, 192, 768):
            model, nodes = chain(layers)
            shapes, seconds = infer(arguments.invar, model, folder)
            per_layer = shapes["visits"] / layers
            # The four initializers are visited once, whatever the number of layers.
            per_layer = (shapes["visits"] - 4) / layers
            base = base or per_layer
            good = per_layer == base and shapes["unknown"] == 0
            passed, failed = passed + good, failed + (not good)
            print(f"{f'chain {layers}':>16} {nodes:>8} {shapes['visits']:>8} {per_layer:>10.2f} "
                  f"{seconds:>8.3f} {seconds / nodes * 1e6:>8.1f}{'' if good else '  FAILED'}")
        for kind in (deep, wide):
            model, nodes = kind(arguments.nodes)
            shapes, seconds = infer(arguments.invar, model, folder)
            good = shapes["visits"] == nodes and shapes["unknown"] == 0
            passed, failed = passed + good, failed + (not good)
            print(f"{f'{kind.__name__}':>16} {nodes:>8} {shapes['visits']:>8} {'':>10} "
                  f"{seconds:>8.3f} {seconds / nodes * 1e6:>8.1f}{'' if good else '  FAILED'}")
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(failed != 0)


if __name__ == "__main__":
    main()
