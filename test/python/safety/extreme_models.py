# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws small models with a few absurd numbers from a seed, for every operator that Invar knows.

A model starts as a valid one: a node test of the onnx package, or a case of fold_cases. Then one to three places of
it are attacked: an attribute (an existing one, or one of the operator's schema), the contents of an operand that
holds sizes, axes or scales, or the declared size of an input. Each operand is a constant, an input of a stated
shape, or an input of an open shape, so that inference, folding, lowering and runs all see the numbers.
"""
import functools
import math
import random
import warnings
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, defs, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import engines
import fold_cases
from fold_cases.draw import element_type, schema_of

POWERS = (8, 16, 31, 32, 33, 40, 53, 61, 62, 63)
INTEGERS = tuple(sorted({0, 1, -1, 2, -2, 3, 7, -7, 64, 255, 1000} | {
    sign * 2**power + near for power in POWERS for sign in (1, -1) for near in (-1, 0, 1)
    if -2**63 <= sign * 2**power + near < 2**63}))
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-45, 1e-38, 1e-7, 1e7, 2.0**31, 2.0**63, 1e19, 1e30, 3.4028235e38, -3.4028235e38,
          math.inf, -math.inf, math.nan)
MOST_ENTRIES = 16  # Operands that control the operator are short.


class Attacked(NamedTuple):
    op: str
    model: onnx.ModelProto
    feeds: dict[str, Any]
    places: tuple[str, ...]  # Descriptions of the attacked places.
    is_misdeclared: bool  # The inputs do not have the declared shapes.


class Base(NamedTuple):
    """A valid model, with the values of all its operands."""
    model: onnx.ModelProto
    values: dict[str, Any]


def name_of(node: onnx.NodeProto) -> str:
    return f"{node.domain}.{node.op_type}" if node.domain else node.op_type


@functools.cache
def node_tests() -> dict[str, list[Any]]:
    """Returns the onnx package's node tests by operator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    tests: dict[str, list[Any]] = {}
    for case in cases:
        if len(case.model.graph.node) == 1:
            tests.setdefault(name_of(case.model.graph.node[0]), []).append(case)
    return tests


def has_sizes(op: str) -> bool:
    """Whether the operator is controlled by lists of integers or by tensors that can only hold integers."""
    try:
        schema = schema_of(op)
    except (KeyError, defs.SchemaError):
        return True
    types = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
    integers = {"tensor(int32)", "tensor(int64)"}
    operands = (types.get(formal.type_str, {formal.type_str}) for formal in schema.inputs)
    return any(kind == AttributeProto.INTS for _, kind in schema_attributes(op)) or any(t <= integers for t in operands)


@functools.cache
def operators() -> list[str]:
    """Returns all known operators; those that compute with sizes occur four times."""
    known = sorted(set(node_tests()) | set(fold_cases.MAKERS))
    return [op for turn in range(4) for op in known if turn == 0 or has_sizes(op)]


def base_of(op: str, number: int, draw: random.Random) -> Base:
    tests = node_tests().get(op, [])
    if tests and (op not in fold_cases.MAKERS or draw.random() < 0.5):
        case = draw.choice(tests)
        model = onnx.ModelProto()
        model.CopyFrom(case.model)
        return Base(model, {info.name: engines.as_array(value) for info, value in zip(case.model.graph.input, case.data_sets[0][0])})
    case = fold_cases.make_case(op, draw.randrange(2**31), number)
    model = fold_cases.make_model(case.graph, ml_opset=fold_cases.ml_opset_of(op))
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    del model.graph.initializer[:]
    for name, value in values.items():
        model.graph.input.append(helper.make_tensor_value_info(name, element_type(value.dtype), value.shape))
    return Base(model, values)


#===-- Places ----------------------------------------------------------------===#

def attack_list(values: list[Any], numbers: tuple[Any, ...], draw: random.Random) -> list[Any]:
    values = list(values)
    chance = draw.random()
    if values and chance < 0.6:
        for i in draw.sample(range(len(values)), draw.randint(1, len(values)) if draw.random() < 0.3 else 1):
            values[i] = draw.choice(numbers)
    elif values and chance < 0.8:
        values = [draw.choice(numbers)] * len(values)
    elif chance < 0.87:
        values.append(draw.choice(numbers))
    elif chance < 0.93 and values:
        values.pop()
    elif chance < 0.97:
        values = []
    else:
        values = [draw.choice(numbers)] * draw.choice((64, 1000, 5000))
    return values


def attack_attribute(node: onnx.NodeProto, name: str, kind: int, draw: random.Random) -> str:
    old = next((a for a in node.attribute if a.name == name), None)
    if kind == AttributeProto.INT:
        value: Any = draw.choice(INTEGERS)
    elif kind == AttributeProto.FLOAT:
        value = draw.choice(FLOATS)
    elif kind == AttributeProto.INTS:
        given = list(old.ints) if old else [1] * draw.randint(1, 4)
        value = attack_list(given, INTEGERS, draw)
    else:
        value = attack_list(list(old.floats) if old else [1.0], FLOATS, draw)
    if old:
        node.attribute.remove(old)
    node.attribute.append(helper.make_attribute(name, value, attr_type=kind))
    return f"{name} = {value if not isinstance(value, list) or len(value) < 9 else f'{len(value)} times {value[0]}'}"


NUMERIC = (AttributeProto.INT, AttributeProto.INTS, AttributeProto.FLOAT, AttributeProto.FLOATS)


@functools.cache
def schema_attributes(op: str) -> tuple[tuple[str, int], ...]:
    try:
        attributes = getattr(schema_of(op), "attributes", {})
    except (KeyError, defs.SchemaError):
        return ()
    return tuple((name, int(attribute.type.value)) for name, attribute in attributes.items())


def attributes_of(node: onnx.NodeProto) -> Iterator[tuple[str, int]]:
    """Yields the existing attributes, and the other ones of the schema."""
    there = {a.name: a.type for a in node.attribute}
    # The attributes of a Constant exclude each other.
    more = () if node.op_type == "Constant" else schema_attributes(name_of(node))
    for name, kind in (*there.items(), *more):
        if kind in NUMERIC and (name not in there or there[name] == kind):
            yield name, kind


def attack_contents(array: np.ndarray, draw: random.Random) -> np.ndarray:
    flat = np.array(array).reshape(-1)
    if flat.dtype.kind == "f":
        numbers: tuple[Any, ...] = FLOATS
    else:
        limits = np.iinfo(flat.dtype)
        numbers = tuple(n for n in INTEGERS if limits.min <= n <= limits.max)
    values = attack_list(flat.tolist(), numbers, draw)
    with np.errstate(all="ignore"):
        changed = np.array(values, flat.dtype)
    return changed.reshape(array.shape) if changed.size == array.size else changed


def is_attackable(node: onnx.NodeProto, name: str, value: Any) -> bool:
    # A loop with 2^62 iterations would really run them.
    if node.op_type == "Loop" and node.input[0] == name:
        return False
    return isinstance(value, np.ndarray) and value.dtype.isbuiltin and value.dtype.kind in "iuf" and value.size <= MOST_ENTRIES


def attack_declaration(info: onnx.ValueInfoProto, draw: random.Random) -> str:
    dims = info.type.tensor_type.shape.dim
    size = draw.choice(INTEGERS)
    if dims and draw.random() < 0.8:
        dims[draw.randrange(len(dims))].dim_value = size
    elif draw.random() < 0.5:
        dims.add().dim_value = size
    else:
        for _ in range(draw.choice((1, 8, 64, 1000))):
            dims.add().dim_value = size
    text = [d.dim_value or d.dim_param or "?" for d in dims]
    return f"{info.name} declared {text if len(text) < 9 else f'of rank {len(text)}'}"


def settle(model: onnx.ModelProto, values: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """Makes each operand a constant or an input. Returns the values of the inputs."""
    feeds = {}
    constant = draw.choice((0.0, 0.3, 0.7, 1.0))
    open_sizes = draw.random() < 0.5
    kept = []
    for info in model.graph.input:
        value = values.get(info.name)
        if isinstance(value, np.ndarray) and value.dtype.isbuiltin and value.dtype != object and draw.random() < constant:
            model.graph.initializer.append(numpy_helper.from_array(value, info.name))
            continue
        kept.append(info)
        if info.name in values:
            feeds[info.name] = value
        if isinstance(value, np.ndarray) and info.type.HasField("tensor_type"):
            info.type.tensor_type.ClearField("shape")
            if open_sizes and draw.random() < 0.1:
                continue
            for axis, size in enumerate(value.shape):
                dim = info.type.tensor_type.shape.dim.add()
                if open_sizes and draw.random() < 0.7:
                    dim.dim_param = f"{info.name}_{axis}"
                else:
                    dim.dim_value = size
            info.type.tensor_type.shape.SetInParent()
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return feeds


def draw_model(op: str, number: int, seed: int) -> Attacked:
    draw = random.Random(f"{seed} {number} {op}")
    model, values = base_of(op, number, draw)
    node = model.graph.node[0]
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    attacks: list[Callable[[], str]] = [
        functools.partial(attack_attribute, node, name, kind, draw) for name, kind in attributes_of(node)]
    for name, value in values.items():
        if is_attackable(node, name, value):
            def attack(name: str = name) -> str:
                values[name] = attack_contents(values[name], draw)
                return f"{name} = {values[name].tolist() if values[name].size < 9 else f'{values[name].size} numbers'}"
            attacks.extend([attack] * (1 if value.dtype.kind == "f" else 3))
    places = [attack() for attack in draw.sample(attacks, min(len(attacks), draw.choice((1, 1, 2, 3))))]
    feeds = settle(model, values, draw)
    tensors = [info for info in model.graph.input if info.type.HasField("tensor_type")]
    is_misdeclared = bool(tensors) and (not places or draw.random() < 0.15)
    if is_misdeclared:
        places.append(attack_declaration(draw.choice(tensors), draw))
    return Attacked(op, model, feeds, tuple(places), is_misdeclared)
