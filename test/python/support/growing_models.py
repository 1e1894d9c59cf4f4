# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated models of several kinds, with a given number of nodes.

`compile_scaling.py` checks with KINDS that compiling does no more work per node in a big model than in a small one,
and `bench/compiling.py` measures the seconds. `shape_scaling.py` and `simplify_scaling.py` use the rest.
"""
from typing import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HEADS, HEAD_SIZE = 12, 64
DOMAIN, OPSET, WIDTH = "scaling", 17, 8
IMPORTS = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)]
INPUTS = (("x", TensorProto.FLOAT, [4, WIDTH]),)


class Graph:
    """A graph to which nodes are added, each with a new result."""

    def __init__(self):
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[TensorProto] = []

    def add(self, operator: str, *operands: str, **attributes) -> str:
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, operands, [result], **attributes))
        return result

    def constant(self, value) -> str:
        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def model(self, *outputs: str, inputs=(("x", TensorProto.FLOAT, ["n", 8]),), opset: int = 17) -> onnx.ModelProto:
        graph = helper.make_graph(
            self.nodes, "scaling", [helper.make_tensor_value_info(*i) for i in inputs],
            [helper.make_value_info(o, helper.make_tensor_type_proto(inputs[0][1], None)) for o in outputs],
            self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def make_function(name: str, *nodes: onnx.NodeProto) -> onnx.FunctionProto:
    return helper.make_function(DOMAIN, name, ["x"], ["y"], nodes, IMPORTS)


def call(name: str, operand: str, result: str) -> onnx.NodeProto:
    return helper.make_node(name, [operand], [result], domain=DOMAIN)


def with_functions(graph: Graph, output: str, functions: list[onnx.FunctionProto]) -> onnx.ModelProto:
    model = graph.model(output, inputs=INPUTS, opset=OPSET)
    model.opset_import.append(IMPORTS[1])
    model.functions.extend(functions)
    return model


def nested_functions(size: int) -> onnx.ModelProto:
    """Each function calls the previous one."""
    functions = [make_function("f0", helper.make_node("Sin", ["x"], ["y"]))]
    for i in range(1, size):
        functions.append(make_function(f"f{i}", call(f"f{i - 1}", "x", "inner"), helper.make_node("Sin", ["inner"], ["y"])))
    g = Graph()
    return with_functions(g, g.add(f"f{size - 1}", "x", domain=DOMAIN), functions)


def nested_functions_backward(size: int) -> onnx.ModelProto:
    """The same, with the outermost function first in the list."""
    model = nested_functions(size)
    functions = list(reversed(model.functions))
    del model.functions[:]
    model.functions.extend(functions)
    return model


def functions_in_sequence(size: int) -> onnx.ModelProto:
    """The graph calls `size` functions, each of them once."""
    functions = [make_function(f"f{i}", helper.make_node("Sin", ["x"], ["s"]), helper.make_node("Sub", ["s", "x"], ["y"]))
                 for i in range(size)]
    g, x = Graph(), "x"
    for i in range(size):
        x = g.add(f"f{i}", x, domain=DOMAIN)
    return with_functions(g, x, functions)


def one_function(size: int) -> onnx.ModelProto:
    """The graph calls the same function repeatedly."""
    function = make_function("f", helper.make_node("Sin", ["x"], ["s"]), helper.make_node("Sub", ["s", "x"], ["y"]))
    g, x = Graph(), "x"
    for _ in range(size):
        x = g.add("f", x, domain=DOMAIN)
    return with_functions(g, x, [function])


def chain(size: int) -> onnx.ModelProto:
    """A chain of layers: a product with one matrix, sums, and a reshape that another reshape undoes."""
    g, x = Graph(), "x"
    matrix = g.constant(np.eye(WIDTH, dtype=np.float32) * 2)
    bias = g.constant(np.arange(WIDTH, dtype=np.float32))
    flat = g.constant(np.asarray([2, 2 * WIDTH], np.int64))
    square = g.constant(np.asarray([4, WIDTH], np.int64))
    for _ in range(size // 7):
        y = g.add("Relu", g.add("Add", g.add("MatMul", x, matrix), bias))
        y = g.add("Sin", g.add("Reshape", y, flat))
        x = g.add("Sub", g.add("Reshape", y, square), x)
    return g.model(x, inputs=INPUTS, opset=OPSET)


def weights(size: int) -> onnx.ModelProto:
    """Layers with different matrices and vectors: equal kernels, and many small constants."""
    g, x = Graph(), "x"
    random = np.random.default_rng(1)
    for _ in range(size // 4):
        y = g.add("MatMul", x, g.constant(random.standard_normal((WIDTH, WIDTH), np.float32)))
        y = g.add("Tanh", g.add("Add", y, g.constant(random.standard_normal(WIDTH, np.float32))))
        x = g.add("Sub", y, x)
    return g.model(x, inputs=INPUTS, opset=OPSET)


def elementwise(size: int) -> onnx.ModelProto:
    """A chain of elementwise operators only."""
    g, x = Graph(), "x"
    for i in range(size // 2):
        x = g.add("Sub", g.add(("Sin", "Exp", "Tanh")[i % 3], x), "x")
    return g.model(x, inputs=INPUTS, opset=OPSET)


def wide(size: int) -> onnx.ModelProto:
    """Many users of one value, which a tree of differences joins at the end."""
    g = Graph()
    random = np.random.default_rng(1)
    level = [g.add("MatMul", "x", g.constant(random.standard_normal((WIDTH, WIDTH), np.float32))) for _ in range(size // 2)]
    while len(level) > 1:
        level = [g.add("Sub", a, b) for a, b in zip(level[::2], level[1::2])] + level[len(level) // 2 * 2:]
    return g.model(level[0], inputs=INPUTS, opset=OPSET)


def outputs(size: int) -> onnx.ModelProto:
    """Every layer has a separate small output."""
    g, x, found = Graph(), "x", []
    matrix = g.constant(np.eye(WIDTH, dtype=np.float32) * 2)
    for _ in range(size // 4):
        x = g.add("Sub", g.add("Sin", g.add("MatMul", x, matrix)), x)
        found.append(g.add("ReduceMax", x, axes=[1], keepdims=0))
    return g.model(x, *found, inputs=INPUTS, opset=OPSET)


def dynamic(size: int) -> onnx.ModelProto:
    """Layers with a dynamic batch size, which their reshapes compute with."""
    g, x = Graph(), "x"
    matrix = g.constant(np.eye(WIDTH, dtype=np.float32) * 2)
    width, zero = g.constant(np.asarray([2, WIDTH // 2], np.int64)), g.constant(np.asarray([0, WIDTH], np.int64))
    first = g.constant(np.asarray([0], np.int64))
    for _ in range(size // 8):
        y = g.add("Sin", g.add("MatMul", x, matrix))
        target = g.add("Concat", g.add("Gather", g.add("Shape", y), first, axis=0), width, axis=0)
        y = g.add("Softmax", g.add("Reshape", y, target), axis=-1)
        x = g.add("Reshape", y, zero)
    return g.model(x, inputs=(("x", TensorProto.FLOAT, ["n", WIDTH]),), opset=OPSET)


def integers(name: str, values: list[int]) -> TensorProto:
    return numpy_helper.from_array(np.asarray(values, np.int64), name)


def attention_layers(layers: int) -> tuple[onnx.ModelProto, int]:
    """Reshape -> Einsum -> Shape -> Reshape, `layers` times, over [seq, batch, 768]."""
    nodes = []
    x = "x"
    for i in range(layers):
        def name(part: str) -> str:
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
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["seq", "batch", HEADS * HEAD_SIZE])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, None)],
        [integers("split", [0, 0, HEADS, HEAD_SIZE]), integers("zero", [0]), integers("two", [2]),
         integers("minus_one", [-1])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), 9 * layers


KINDS: tuple[Callable[[int], onnx.ModelProto], ...] = (
    nested_functions, nested_functions_backward, functions_in_sequence, one_function, chain, weights, elementwise, wide,
    outputs, dynamic)
