# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random models of one operator each, all of whose operands are constants.

A new operator is one small function in the module of its kind:

    @cases_of("Transpose")
    def transpose(draw: Draw, op: str) -> Case:
        shape = draw.shape()
        return make(op, [draw.values(draw.type(op), shape)], {"perm": draw.sample(range(len(shape)), len(shape))})

The function may draw invalid cases: cases that no engine runs do not count. A case depends only on the seed, the
operator and the number of the case, so that it can be made again.
"""
import pathlib
import re
from typing import Any, Callable, Mapping, NamedTuple, Sequence

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper

from .draw import Draw, MICROSOFT, ML_OPSET, OPSET

RECORDS = pathlib.Path(__file__).resolve().parents[4] / "lib/Dialect/ONNX/Ops"

# How close a result must be to the engines' results. Integers, texts and booleans must always be equal.
BITS = "bits"      # The same bits: for operators that only move elements.
EXACT = "exact"    # The same numbers, and zeros of the same sign; any NaN equals any other.
VALUE = "value"    # The same, but signs of zeros may differ: the standard does not define which zero is greater.
NEAR = "near"      # Relative to the element.
SUM = "sum"        # Relative to the greatest element: sums may cancel.
STEP = "step"      # Integers that come from rounded floats: ties may round either way.

REFERENCE, ONNXRUNTIME = "the reference evaluator", "onnxruntime"


class Case(NamedTuple):
    op: str
    graph: onnx.GraphProto
    check: str
    not_in: Mapping[str, str] = {}  # Why an engine does not run the case: it would crash, or is known to be wrong.
    no_better_than: np.dtype | None = None  # The type in which the engines compute, regardless of the result's type.


Maker = Callable[[Draw, str], Case]
MAKERS: dict[str, Maker] = {}

# Operators without cases, and the reasons.
WITHOUT_CASES = {
    **dict.fromkeys(("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"),
                    "the results are random"),
    "ImageDecoder": "no decoder of images is linked",
    "Scatter": "not in this opset any more",
    "Upsample": "not in this opset any more",
    "ai.onnx.ml.CastMap": "the input is a map",
    "ai.onnx.ml.DictVectorizer": "the input is a map",
    "ai.onnx.ml.ZipMap": "the output is a sequence of maps",
}


def cases_of(*ops: str) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(ops, maker))
        return maker
    return register


def make(op: str, operands: Sequence[np.ndarray | onnx.TensorProto | None], attributes: dict[str, Any] | None = None,
         check: str = EXACT, outputs: int = 1, not_in: Mapping[str, str] = {}, no_better_than: np.dtype | None = None) -> Case:
    """Makes a model of one node. An operand that is None is omitted."""
    domain, _, name = op.rpartition(".")
    names = [f"x{i}" if value is not None else "" for i, value in enumerate(operands)]
    while names and not names[-1]:
        names.pop()
    node = helper.make_node(name, names, [f"y{i}" for i in range(outputs)], domain=domain, **(attributes or {}))
    tensors = {n: v for n, v in zip(names, operands) if n}
    return Case(op, make_graph([node], tensors), check, not_in, no_better_than)


def make_graph(nodes: Sequence[onnx.NodeProto], tensors: dict[str, Any]) -> onnx.GraphProto:
    """The graph's outputs are the results whose names begin with 'y'."""
    initializers = []
    for name, value in tensors.items():
        initializers.append(value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(np.asarray(value), name))
        initializers[-1].name = name
    outputs = [helper.make_empty_tensor_value_info(n) for node in nodes for n in node.output if n.startswith("y")]
    return helper.make_graph(nodes, "case", [], outputs, initializers)


def operators() -> list[str]:
    """Returns all operators of both domains in the tested opset, and those of com.microsoft that have a record."""
    known = {(s.domain, s.name) for s in defs.get_all_schemas_with_history() if s.domain in ("", "ai.onnx.ml")}
    known |= {(MICROSOFT, name) for path in RECORDS.glob("*/*.td") for name in re.findall(r'ONNX_MicrosoftOp<"(\w+)"', path.read_text())}
    return sorted(f"{domain}.{name}" if domain else name for domain, name in known)


def make_case(op: str, seed: int, number: int) -> Case:
    return MAKERS[op](Draw(seed, number, *op.encode()), op)


def ml_opset_of(op: str) -> int:
    """Returns the newest opset that has the operator."""
    return 3 if op in ("ai.onnx.ml.TreeEnsembleClassifier", "ai.onnx.ml.TreeEnsembleRegressor") else ML_OPSET


def make_model(graph: onnx.GraphProto, opset: int = OPSET, ml_opset: int = ML_OPSET) -> onnx.ModelProto:
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", ml_opset)]
    if any(node.domain == MICROSOFT for node in graph.node):
        imports.append(helper.make_opsetid(MICROSOFT, 1))
    return helper.make_model(graph, ir_version=13, opset_imports=imports)


from . import contraction, contrib, control, elementwise, generation, learning, movement, reduction, texts, windows  # noqa: E402,F401
