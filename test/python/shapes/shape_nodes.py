# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single nodes with operands, and the shapes of their results: the nodes of the onnx package's node tests, and random
nodes that onnxruntime has run."""
import random
import warnings
from typing import Any, Iterator, NamedTuple

warnings.filterwarnings("ignore")

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator

import engines
import harness
from engines import as_array, reason

SMALL = 16  # Operands with more elements are data.

Shape = tuple[int, ...]


class Node(NamedTuple):
    """A node with its operands, and the shape of each present and known result."""
    name: str
    op: str
    model: onnx.ModelProto
    results: list[Shape | None]


def is_small(value: np.ndarray) -> bool:
    return value.ndim <= 1 and value.size <= SMALL and (value.dtype.kind in "biuf" or value.dtype == ml_dtypes.bfloat16)


def has_graphs(node: onnx.NodeProto) -> bool:
    return any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS) for a in node.attribute)


def make_node(name: str, original: onnx.NodeProto, model: onnx.ModelProto, values: dict[str, Any]) -> Node | str:
    """Returns the node as a separate model, or the reason why there is none."""
    if has_graphs(original):
        return "has graphs"
    operands = [(n, values.get(n)) for n in original.input]
    if any(n and not isinstance(v, np.ndarray) for n, v in operands):
        return "has operands that are no tensors"
    node = onnx.NodeProto()
    node.CopyFrom(original)
    node.ClearField("name")
    inputs, initializers = {}, {}
    for i, (given, value) in enumerate(operands):
        if not given:
            continue
        node.input[i] = f"x{original.input[:].index(given)}"
        if is_small(value):
            initializers[node.input[i]] = numpy_helper.from_array(value, node.input[i])
        else:
            element = helper.np_dtype_to_tensor_dtype(value.dtype) if value.dtype.kind not in "OSU" else onnx.TensorProto.STRING
            inputs[node.input[i]] = helper.make_tensor_value_info(node.input[i], element, value.shape)
    results = []
    for i, output in enumerate(original.output):
        if not output:
            continue
        node.output[i] = f"y{i}"
        value = values.get(output)
        results.append(value.shape if isinstance(value, np.ndarray) else None)
    outputs = [helper.make_empty_tensor_value_info(n) for n in node.output if n]
    graph = helper.make_graph([node], "node", list(inputs.values()), outputs, list(initializers.values()))
    return Node(name, f"{node.domain + '.' if node.domain else ''}{node.op_type}",
                helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version), results)


def values_of(case: Any) -> dict[str, Any]:
    """Returns all values of a test by name. For a single node, the test contains them."""
    graph = case.model.graph
    values = {i.name: as_array(v) for i, v in zip(graph.input, case.data_sets[0][0])}
    values |= {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    values |= {o.name: as_array(v) for o, v in zip(graph.output, case.data_sets[0][1])}
    if len(graph.node) > 1:
        feeds = {i.name: values[i.name] for i in graph.input}
        with np.errstate(all="ignore"):
            found = ReferenceEvaluator(case.model).run(None, feeds, intermediate=True)
        values |= {n: np.asarray(v) if isinstance(v, np.generic) else v for n, v in found.items()}
    return values


def collect(report: harness.Report, only: str) -> list[Node]:
    """Returns each distinct node once: by its content, operands and results."""
    nodes: dict[bytes, Node] = {}
    for case in collect_testcases(None):
        if case.kind != "node" or only not in case.name:
            continue
        try:
            values = values_of(case)
        except Exception as error:
            report.skip(case.name, f"the reference evaluator: {reason(error)}")
            continue
        for i, original in enumerate(case.model.graph.node):
            node = make_node(f"{case.name}[{i}] {original.op_type}", original, case.model, values)
            if isinstance(node, str):
                report.skip(f"{case.name}[{i}] {original.op_type}", node)
            else:
                nodes.setdefault(node.model.SerializeToString(deterministic=True) + repr(node.results).encode(), node)
    return list(nodes.values())


# Random nodes

LEAST, MOST = -2**63, 2**63 - 1

Made = tuple[str, dict[str, Any], list[np.ndarray]]  # Operator, attributes, operands.


def floats(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def make_slices(pick: random.Random) -> Iterator[Made]:
    places = (LEAST, LEAST + 1, -6, -5, -4, -1, 0, 1, 4, 5, 6, MOST - 1, MOST)
    for _ in range(100):
        sizes = [pick.choice((0, 1, 5)) for _ in range(6)]
        starts, ends = ([pick.choice(places) for _ in sizes] for _ in range(2))
        steps = [pick.choice((1, 1, -1, 2, -3, MOST, -MOST)) for _ in sizes]
        axes = [] if pick.randint(0, 2) else [ints(*range(6)), ints(*steps)]
        yield "Slice", {}, [floats(*sizes), ints(*starts), ints(*ends), *axes]


def make_windows(pick: random.Random) -> Iterator[Made]:
    """Makes pools and convolutions with all attributes that move windows. The windows fit, so that expressions over
    names apply."""
    for _ in range(200):
        size = [pick.randint(7, 16) for _ in range(2)]
        kernel = [pick.randint(1, 4) for _ in size]
        moves = {"strides": [pick.randint(1, 3) for _ in size], "dilations": [pick.choice((1, 1, 2)) for _ in size]}
        if pick.random() < 0.5:
            moves["auto_pad"] = pick.choice(("SAME_UPPER", "SAME_LOWER", "VALID"))
        else:
            moves["pads"] = [pick.randint(0, 1) for _ in range(4)]
        data = floats(2, 3, *size)
        op = pick.choice(("MaxPool", "AveragePool", "LpPool", "Conv", "ConvTranspose"))
        if "Pool" in op and "SAME" in moves.get("auto_pad", ""):
            moves["dilations"] = [1, 1]  # The standard takes them into account here, onnxruntime does not.
        if "Conv" in op:
            if op == "ConvTranspose":
                moves["output_padding"] = [pick.randrange(max(s, d)) for s, d in zip(moves["strides"], moves["dilations"])]
            yield op, moves, [data, floats(*((3, 4) if op == "ConvTranspose" else (4, 3)), *kernel)]
        else:
            yield op, {**moves, "kernel_shape": kernel, "ceil_mode": pick.randint(0, 1)}, [data]


def make_broadcasts(pick: random.Random) -> Iterator[Made]:
    for _ in range(60):
        whole = [pick.choice((0, 1, 2, 7)) for _ in range(pick.randint(0, 4))]
        part = [pick.choice((1, n)) for n in whole][pick.randint(0, len(whole)):]
        both = [floats(*whole), floats(*part)]
        pick.shuffle(both)
        yield pick.choice(("Add", "Pow", "Max")), {}, both
        yield "Expand", {}, [floats(*part), ints(*whole)]
        yield "Where", {}, [floats(*part).astype(bool), *both]


def make_reshapes(pick: random.Random) -> Iterator[Made]:
    for sizes, target in (((2, 3, 4), (0, -1)), ((2, 3, 4), (-1, 0, 2)), ((2, 3, 4), (0, 0, 0, 1)), ((0, 3), (0, -1)),
                          ((0, 3), (3, 0)), ((2, 3), (6,)), ((), (1, 1)), ((1,), ()), ((4, 0, 2), (0, 0, 2, 1)), ((6,), (-1, 3, 1))):
        yield "Reshape", {}, [floats(*sizes), ints(*target)]
        if not {0, -1} <= set(target):
            yield "Reshape", {"allowzero": 1}, [floats(*sizes), ints(*target)]
    for axis in range(-3, 4):
        yield "Flatten", {"axis": axis}, [floats(2, 0, 5)]
        yield "Flatten", {"axis": axis}, [floats(2, 3, 5)]
    for _ in range(20):
        sizes = [pick.choice((1, 2, 3)) for _ in range(4)]
        yield "Unsqueeze", {}, [floats(*sizes), ints(*pick.sample((0, -1, 2, -4), pick.randint(0, 3)))]
        yield "Squeeze", {}, [floats(*sizes), ints(*(i - pick.choice((0, 4)) for i, n in enumerate(sizes) if n == 1))]


def make_others(pick: random.Random) -> Iterator[Made]:
    for _ in range(40):
        sizes = [pick.randint(0, 4) for _ in range(3)]
        yield "Tile", {}, [floats(*sizes), ints(*(pick.randint(0, 3) for _ in sizes))]
        yield "Pad", {}, [floats(*sizes), ints(*(pick.randint(-2, 3) for _ in range(6)))]
        yield "ConstantOfShape", {}, [ints(*sizes)]
        yield "Range", {}, [np.array(n, np.int64) for n in (pick.randint(-9, 9), pick.randint(-9, 9), pick.choice((-4, -1, 1, 3)))]
        yield "Range", {}, [np.array(n, np.float32) for n in (pick.uniform(-9, 9), pick.uniform(-9, 9), pick.choice((-0.3, 0.7)))]
        sizes = [pick.randint(1, 9) for _ in range(3)]
        axes = pick.sample((0, -1, 1), pick.randint(0, 3))
        yield "ReduceSum", {"keepdims": pick.randint(0, 1), "noop_with_empty_axes": pick.randint(0, 1)}, [floats(*sizes), ints(*axes)]
        yield "Resize", {"mode": "nearest"}, [floats(1, *sizes), np.array([], np.float32),
                                              np.array([1, *(pick.uniform(0.3, 3) for _ in sizes)], np.float32)]
        yield "MatMul", {}, [floats(*sizes), floats(*pick.choice(((sizes[0],), (1,), ())), sizes[2], pick.randint(0, 5))]
        yield "Gather", {"axis": pick.randint(-3, 2)}, [floats(*sizes), np.zeros(sizes[:pick.randint(0, 2)], np.int64)]


def make_own_nodes() -> list[Node]:
    """Returns the nodes that onnxruntime runs, with the shapes that it computes."""
    pick = random.Random(4)
    nodes = []
    for make in (make_slices, make_windows, make_broadcasts, make_reshapes, make_others):
        for i, (op, attributes, operands) in enumerate(make(pick)):
            values: dict[str, Any] = {f"x{k}": v for k, v in enumerate(operands)}
            node = helper.make_node(op, list(values), ["y0"], **attributes)
            inputs = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in values.items()]
            graph = helper.make_graph([node], op, inputs, [helper.make_empty_tensor_value_info("y0")])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
            try:
                values["y0"], = engines.OnnxRuntime(model.SerializeToString()).run(values)
            except engines.CannotRun:
                continue  # Not every random node is valid.
            made = make_node(f"own {make.__name__[5:]} {i} {op}", node, model, values)
            assert isinstance(made, Node)
            nodes.append(made)
    return nodes
