#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes all pairs of an operator of constants and an operator that takes its result and a variable.

A computation of constants must be done only once. No rule may move its operands into an operator that is computed in
every run, as in Add(x, MatMul(a, b)) -> Gemm(a, b, x). After `optimize`, only the operators that took a variable
before must be left, none may have only constant operands, and the producer's operands must not be stored any more.
The outputs must be the same in onnxruntime, optimizing again must change nothing, and --explain must report that the
producer was folded.

  constant_pairs.py --invar build/dev/bin/invar [--only Add] [--keep FOLDER]
"""
import argparse
import json
import os
import sys
import tempfile
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness

SIZE = 4
OPSET = 18


class Operator(NamedTuple):
    """`operands` are shapes, or arrays with the operand's value."""
    type: str
    operands: list[Any]
    attributes: dict[str, Any] = {}
    # Whether the operator only moves elements, so that its result has the operands' elements.
    moves: bool = False

    def __str__(self) -> str:
        return self.type + "".join(f" {name}={value}" for name, value in self.attributes.items())


M, V, IMAGE = (SIZE, SIZE), (SIZE,), (1, SIZE, SIZE, SIZE)


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


# The result of each is a matrix, or an image for consumers that accept one.
PRODUCERS = [
    Operator("MatMul", [M, M]), Operator("Gemm", [M, M]), Operator("Gemm", [M, M], {"transB": 1}), Operator("Gemm", [M, M, V]),
    Operator("Gemm", [M, M], {"alpha": 0.5}), Operator("Add", [M, M]), Operator("Sub", [M, M]), Operator("Mul", [M, M]),
    Operator("Div", [M, M]), Operator("Add", [M, V]), Operator("Mul", [M, V]), Operator("Pow", [M, M]), Operator("Max", [M, M]),
    Operator("Sum", [M, M, M]), Operator("Selu", [M]), Operator("Neg", [M]), Operator("Exp", [M]), Operator("Sigmoid", [M]),
    Operator("Tanh", [M]), Operator("Erf", [M]), Operator("Sqrt", [M]), Operator("Clip", [M, np.float32(0.2), np.float32(0.7)]),
    Operator("Softmax", [M]), Operator("ReduceSum", [(2, SIZE, SIZE), ints(0)], {"keepdims": 0}),
    Operator("ReduceMean", [(2, SIZE, SIZE), ints(0)], {"keepdims": 0}), Operator("CumSum", [M, ints(0)[0]]),
    Operator("Einsum", [M, M], {"equation": "ij,jk->ik"}), Operator("Where", [np.eye(SIZE, dtype=bool), M, M]),
    Operator("LayerNormalization", [M, V, V]), Operator("Conv", [IMAGE, (SIZE, SIZE, 1, 1)]),
    Operator("Conv", [IMAGE, (SIZE, SIZE, 1, 1), V]), Operator("BatchNormalization", [IMAGE, V, V, V, V]),
    Operator("Transpose", [M], {"perm": [1, 0]}, moves=True), Operator("Reshape", [(2, 8), ints(SIZE, SIZE)], moves=True),
    Operator("Slice", [(8, SIZE), ints(2), ints(6), ints(0)], moves=True), Operator("Concat", [(1, SIZE), (3, SIZE)], {"axis": 0}, moves=True),
    Operator("Gather", [(6, SIZE), ints(5, 0, 2, 3)], moves=True), Operator("Pad", [(2, SIZE), ints(1, 0, 1, 0)], moves=True),
    Operator("Expand", [(1, SIZE), ints(SIZE, SIZE)], moves=True), Operator("Tile", [(2, SIZE), ints(2, 1)], moves=True),
    Operator("Unsqueeze", [V, ints(0)], moves=True), Operator("Squeeze", [(1, *M), ints(0)], moves=True),
    Operator("Flatten", [M], moves=True), Operator("Identity", [M], moves=True),
]

# The operand None is the constant; x is the variable.
X, C = "x", None
CONSUMERS = [
    *(Operator(name, order) for name in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "MatMul", "Gemm", "Less") for order in ([X, C], [C, X])),
    Operator("Gemm", [X, C], {"transB": 1}), Operator("Gemm", [C, X], {"transA": 1}), Operator("Gemm", [X, X, C]),
    Operator("Sum", [X, C, X]), Operator("Concat", [X, C], {"axis": 0}), Operator("Concat", [C, X], {"axis": 0}),
    Operator("Where", ["b", X, C]), Operator("Where", ["b", C, X]), Operator("Einsum", [X, C], {"equation": "ij,jk->ik"}),
    Operator("PRelu", [X, C]), Operator("Conv", ["image", C]),
]


class Pair(NamedTuple):
    name: str
    producer: Operator
    consumer: Operator

    def fits(self) -> bool:
        is_image = self.producer.type in ("Conv", "BatchNormalization")
        is_row = self.producer.type == "Unsqueeze"
        takes_matrix = self.consumer.type in ("Gemm", "MatMul", "Einsum")
        if is_image:  # The image broadcasts with matrices, but cannot be concatenated with one.
            return self.consumer.type not in ("Gemm", "Einsum", "Concat", "Conv")
        return self.consumer.type != "Conv" and not (is_row and takes_matrix)

    def seed(self) -> np.random.Generator:
        return np.random.default_rng([ord(c) for c in self.name])


class Graph(NamedTuple):
    pair: Pair
    nodes: list[onnx.NodeProto]
    initializers: list[onnx.TensorProto]
    inputs: dict[str, np.ndarray]
    # The operands that only the producer uses.
    opened: list[np.ndarray]
    output: str


def build(pair: Pair) -> Graph:
    draw = pair.seed()
    name = pair.name
    initializers, opened, names = [], [], []
    for i, operand in enumerate(pair.producer.operands):
        is_data = isinstance(operand, tuple)
        content = draw.uniform(0.25, 0.95, operand).astype(np.float32) if is_data else np.asarray(operand)
        names.append(f"{name}_c{i}")
        initializers.append(numpy_helper.from_array(content, names[-1]))
        if is_data:
            opened.append(content)
    nodes = [helper.make_node(pair.producer.type, names, [f"{name}_c"], f"{name}_producer", **pair.producer.attributes)]
    inputs: dict[str, np.ndarray] = {}
    operands = []
    for i, operand in enumerate(pair.consumer.operands):
        if operand is C:
            operands.append(f"{name}_c")
            continue
        operands.append(f"{name}_{operand}{i}")
        inputs[operands[-1]] = draw.integers(0, 2, M).astype(bool) if operand == "b" else draw.uniform(0.25, 0.95, M).astype(np.float32)
    nodes.append(helper.make_node(pair.consumer.type, operands, [f"{name}_y"], f"{name}_consumer", **pair.consumer.attributes))
    return Graph(pair, nodes, initializers, inputs, opened, f"{name}_y")


def model_of(graphs: list[Graph]) -> onnx.ModelProto:
    def value(name: str, array: np.ndarray) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
    graph = helper.make_graph(
        [node for g in graphs for node in g.nodes], "pairs", [value(*item) for g in graphs for item in g.inputs.items()],
        [helper.make_empty_tensor_value_info(g.output) for g in graphs], [tensor for g in graphs for tensor in g.initializers])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def nodes_above(model: onnx.ModelProto, output: str) -> list[onnx.NodeProto]:
    makers = {name: node for node in model.graph.node for name in node.output}
    found: dict[int, onnx.NodeProto] = {}
    left = [output]
    while left:
        node = makers.get(left.pop())
        if node is not None and id(node) not in found:
            found[id(node)] = node
            left += node.input
    return list(found.values())


def complaints(graph: Graph, model: onnx.ModelProto, decisions: dict[str, str]) -> Iterator[str]:
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    nodes = nodes_above(model, graph.output)
    types = ", ".join(node.op_type for node in nodes)
    if len(nodes) > 1:
        yield f"expected one operator, but got {types}"
    for node in nodes:
        used = [name for name in node.input if name]
        if used and all(name in constants for name in used):
            yield f"expected a constant, but got {node.op_type} of constants"
        for name in used:
            if name in constants and not graph.pair.producer.moves and any(
                    constants[name].size == operand.size and np.array_equal(np.sort(constants[name], None), np.sort(operand, None))
                    for operand in graph.opened):
                yield f"expected what {graph.pair.producer} gives, but {node.op_type} takes its operand"
    outcome = decisions.get(f"{graph.pair.name}_producer", "nothing")
    if graph.pair.producer.type != "Identity" and outcome not in ("stored", "absorbed"):
        yield f"expected --explain to say 'stored', but got '{outcome}'"


def optimize(invar: str, source: str, target: str) -> tuple[harness.Run, dict[str, str]]:
    run = harness.run(invar, "optimize", source, target, "--explain=json")
    decisions = {}
    if run.code == 0:
        for fold in json.loads(run.stdout)["constants"]:
            decisions[fold["node"]] = fold["outcome"]
    return run, decisions


def judge(invar: str, graphs: list[Graph], folder: str, report: harness.Report) -> None:
    source, once, twice = (os.path.join(folder, f"{name}.onnx") for name in ("source", "once", "twice"))
    model = model_of(graphs)
    onnx.save(model, source)
    run, decisions = optimize(invar, source, once)
    if run.code:
        report.check("optimize", [run.ending()])
        return
    again, _ = optimize(invar, once, twice)
    report.check("optimize twice", [] if again.code == 0 and onnx.load(once).graph.node == onnx.load(twice).graph.node
                 else ["expected no change, but there is one"])
    feeds = {name: array for graph in graphs for name, array in graph.inputs.items()}
    before, after = (engines.OnnxRuntime(path).run(feeds) for path in (source, once))
    optimized = onnx.load(once)
    for graph, old, new in zip(graphs, before, after):
        lines = list(complaints(graph, optimized, decisions))
        if not engines.is_close(old, new, 1e-5):
            lines.append("expected the same output, but it differs")
        report.check(f"{graph.pair.consumer} of {graph.pair.producer}", lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", help="a consumer or producer, by its operator")
    parser.add_argument("--keep", help="a folder for the models")
    arguments = parser.parse_args()
    report = harness.Report()
    pairs = [Pair(f"p{i}_{j}", producer, consumer)
             for i, producer in enumerate(PRODUCERS) for j, consumer in enumerate(CONSUMERS)]
    graphs = [build(pair) for pair in pairs
              if pair.fits() and arguments.only in (None, pair.producer.type, pair.consumer.type)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        judge(arguments.invar, graphs, folder, report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
