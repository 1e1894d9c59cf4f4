# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches, loops, sequences and optionals with tensors as results."""
import numpy as np
from onnx import TensorProto, helper
from onnx.helper import make_node as node

from . import BITS, EXACT, REFERENCE, SUM, Case, cases_of, make_graph
from .draw import FLOAT32, INT64, Draw, element_type


def number(value: int) -> np.ndarray:
    return np.array(value, np.int64)


def unknown(name: str, dtype: np.dtype) -> object:
    """Declares a value of a body with its element type, but without a shape."""
    return helper.make_tensor_value_info(name, element_type(dtype), None)


@cases_of("If")
def branch(draw: Draw, op: str) -> Case:
    shape, dtype = draw.shape(), draw.choose([np.dtype(t) for t in ("float32", "float64", "int64", "int32")])
    bodies = {name: helper.make_graph([node(inner, ["x0", "x1"], [name])], name, [], [unknown(name, dtype)])
              for name, inner in zip(("then_branch", "else_branch"), draw.sample(("Add", "Sub", "Mul", "Max"), 2))}
    graph = make_graph([node("If", ["condition"], ["y0"], **bodies)],
                       {"condition": np.array(draw.chance()), "x0": draw.values(dtype, shape), "x1": draw.mild(dtype, shape)})
    return Case(op, graph, EXACT)


@cases_of("Loop")
def loop(draw: Draw, op: str) -> Case:
    """Adds up a value of the outer graph and collects the intermediate sums; ends by count or when the sum gets big."""
    dtype, shape = draw.choose((FLOAT32, INT64)), draw.full_shape(0, 2)
    body = helper.make_graph(
        [node("Add", ["state", "outer"], ["next"]), node("Identity", ["state"], ["seen"]),
         node("ReduceMax", ["next"], ["biggest"], keepdims=0), node("Less", ["biggest", "limit"], ["go_on"])], "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("go", TensorProto.BOOL, []),
         helper.make_tensor_value_info("state", element_type(dtype), shape)],
        [helper.make_tensor_value_info("go_on", TensorProto.BOOL, []), helper.make_tensor_value_info("next", element_type(dtype), shape),
         helper.make_tensor_value_info("seen", element_type(dtype), shape)])
    graph = make_graph([node("Loop", ["count", "first" if draw.chance() else "", "start"], ["y0", "y1"], body=body)], {
        "count": number(draw.integer(1, 7)), "first": np.array(draw.chance(0.8)), "start": np.abs(draw.mild(dtype, shape)),
        "outer": np.abs(draw.mild(dtype, shape)), "limit": np.array(draw.integer(5, 20), dtype)})
    return Case(op, graph, SUM)


@cases_of("Scan")
def scan(draw: Draw, op: str) -> Case:
    dtype, shape, length, axis = draw.choose((FLOAT32, INT64)), draw.full_shape(1, 2), draw.integer(1, 4), draw.flag()
    body = helper.make_graph(
        [node(draw.choose(("Add", "Mul", "Max")), ["state", "item"], ["next"]), node("Sub", ["next", "item"], ["made"])], "body",
        [helper.make_tensor_value_info(n, element_type(dtype), shape) for n in ("state", "item")],
        [helper.make_tensor_value_info(n, element_type(dtype), shape) for n in ("next", "made")])
    items = list(shape)
    items.insert(axis, length)
    graph = make_graph([node("Scan", ["start", "items"], ["y0", "y1"], body=body, num_scan_inputs=1, scan_input_axes=[axis],
                             scan_input_directions=[draw.flag()], scan_output_axes=[draw.flag()], scan_output_directions=[draw.flag()])],
                       {"start": draw.mild(dtype, shape, 1.0), "items": draw.mild(dtype, tuple(items), 1.0)})
    return Case(op, graph, SUM)


@cases_of("SequenceConstruct", "SequenceAt", "SequenceLength", "SequenceInsert", "SequenceErase")
def sequence(draw: Draw, op: str) -> Case:
    dtype, count = draw.type("SequenceConstruct"), draw.integer(1, 4)
    tensors = {f"x{i}": draw.values(dtype, draw.shape()) for i in range(count)}
    nodes = [node("SequenceConstruct", list(tensors), ["s0"])]
    if op == "SequenceInsert":
        tensors |= {"new": draw.values(dtype, draw.shape()), "place": number(draw.integer(-count, count))}
        nodes.append(node(op, ["s0", "new", *(["place"] if draw.chance(0.7) else [])], ["s1"]))
        count += 1
    elif op == "SequenceErase" and count > 1:
        tensors |= {"place": number(draw.integer(-count, count - 1))}
        nodes.append(node(op, ["s0", *(["place"] if draw.chance(0.7) else [])], ["s1"]))
        count -= 1
    last = nodes[-1].output[0]
    tensors["at"] = number(draw.integer(-count, count - 1))
    nodes += [node("SequenceAt", [last, "at"], ["y0"]), node("SequenceLength", [last], ["y1"])]
    return Case(op, make_graph(nodes, tensors), BITS, {REFERENCE: "it takes the end for the beginning"} if op == "SequenceInsert" else {})


@cases_of("SequenceEmpty")
def sequence_empty(draw: Draw, op: str) -> Case:
    return Case(op, make_graph([node(op, [], ["s"], dtype=TensorProto.FLOAT), node("SequenceLength", ["s"], ["y0"])], {}), EXACT)


@cases_of("SplitToSequence", "ConcatFromSequence")
def split_and_concat(draw: Draw, op: str) -> Case:
    shape, dtype = list(draw.full_shape(1, 3)), draw.type("SequenceConstruct")
    axis, how = draw.axis(len(shape)), draw.integer(0, 2)
    tensors, operands, attributes, stacked = {}, ["x"], {"axis": axis}, draw.flag()
    if how == 0:
        attributes |= draw.attributes(keepdims=(0, 1))
    else:
        parts = np.array(draw.integers(draw.integer(1, 3), 1, 3), draw.type("SplitToSequence", "I"))
        if how == 1:
            shape[axis] = int(parts.sum())
        tensors["split"] = parts if how == 1 else parts.reshape(-1)[0]
        operands.append("split")
    tensors["x"] = draw.values(dtype, tuple(shape))
    nodes = [node("SplitToSequence", operands, ["s"], **attributes)]
    if op == "SplitToSequence":
        tensors["at"] = number(draw.choose((0, -1)))
        nodes += [node("SequenceAt", ["s", "at"], ["y0"]), node("SequenceLength", ["s"], ["y1"])]
    else:
        nodes.append(node("ConcatFromSequence", ["s"], ["y0"], axis=draw.axis(len(shape) - 1) if len(shape) > 1 else 0, new_axis=stacked))
    return Case(op, make_graph(nodes, tensors), BITS)


@cases_of("SequenceMap")
def sequence_map(draw: Draw, op: str) -> Case:
    dtype, count, shape = draw.choose((FLOAT32, INT64)), draw.integer(1, 3), draw.shape(0, 2)
    body = helper.make_graph([node("Add", ["item", "more"], ["made"])], "body", [unknown("item", dtype), unknown("more", dtype)],
                             [unknown("made", dtype)])
    tensors = {f"x{i}": draw.mild(dtype, shape) for i in range(count)}
    nodes = [node("SequenceConstruct", list(tensors), ["s"]), node("SequenceMap", ["s", "extra"], ["t"], body=body),
             node("SequenceAt", ["t", "at"], ["y0"]), node("SequenceLength", ["t"], ["y1"])]
    return Case(op, make_graph(nodes, tensors | {"extra": draw.mild(dtype, shape), "at": number(draw.integer(0, count - 1))}), EXACT)


@cases_of("Optional", "OptionalGetElement", "OptionalHasElement")
def optional(draw: Draw, op: str) -> Case:
    dtype = draw.type("SequenceConstruct")
    value = {"x": draw.values(dtype, draw.shape())}
    if op == "OptionalHasElement" and draw.chance():
        kind = helper.make_tensor_type_proto(element_type(dtype), None)
        return Case(op, make_graph([node("Optional", [], ["o"], type=kind), node(op, ["o"], ["y0"])], {}), EXACT,
                    not_in={REFERENCE: "it finds an element in an empty optional"})
    nodes = [node("Optional", ["x"], ["o"])]
    nodes.append(node("OptionalHasElement" if op == "OptionalHasElement" else "OptionalGetElement", ["o"], ["y0"]))
    return Case(op, make_graph(nodes, value), BITS, not_in={REFERENCE: "it puts the tensor into a list"})
