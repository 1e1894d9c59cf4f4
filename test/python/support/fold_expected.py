# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the expected results of folding a case, with the reference evaluator and onnxruntime."""
from typing import Any, NamedTuple

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper, shape_inference

import engines
import fold_cases
from fold_cases import NEAR, ONNXRUNTIME, REFERENCE, STEP, SUM, VALUE, Case
from fold_cases.draw import ELEMENT_TYPES, FLOAT32, FLOAT64, OPSET, element_type, schema_of
from fold_compare import difference

ort.set_default_logger_severity(4)  # Some of its kernels print warnings.

ORT_OPSETS = (27, 21)  # The newest one it supports, and one that has operators which it lacks in newer ones.
NARROW = {TensorProto.FLOAT16, TensorProto.BFLOAT16}
# For each kind of check, the wider types to compute in, before the result is rounded to a narrow type.
WIDER = {NEAR: ((NARROW | {TensorProto.FLOAT}, FLOAT64), (NARROW, FLOAT32)), **dict.fromkeys((SUM, STEP, VALUE), ((NARROW, FLOAT32),))}


class Expected(NamedTuple):
    values: list[list[np.ndarray]]  # One list for each engine that ran the case.
    engines: str


class Unknown(Exception):
    """The engines do not determine the right result. The text is a reason to count by."""


def expect(case: Case, deadly: bool = False) -> Expected:
    """`deadly`: onnxruntime crashes on this case."""
    found: dict[str, list[np.ndarray]] = {}
    for name, run in ((REFERENCE, run_reference), (ONNXRUNTIME, run_onnxruntime)):
        if name in case.not_in or (deadly and name == ONNXRUNTIME):
            continue
        try:
            found[name] = run_best(case, run)
        except engines.CannotRun:
            pass
    if not found:
        raise Unknown("no engine runs it")
    values = list(found.values())
    if len(values) == 2 and (why := difference_of(case, values[0], values[1:])):
        raise Unknown(f"the engines disagree: {why}")
    return Expected(values, "both engines" if len(found) == 2 else f"{next(iter(found))} only")


def difference_of(case: Case, got: list[np.ndarray], wants: list[list[np.ndarray]]) -> str:
    """Returns an empty text if each output equals that of one of the engines."""
    operands = [np.dtype(helper.tensor_dtype_to_np_dtype(t.data_type)) for t in case.graph.initializer]
    operands += [case.no_better_than] if case.no_better_than else []
    for i, value in enumerate(got):
        whys = [difference(value, want[i], case.check, operands) for want in wants]
        if all(whys):
            return f"output {i}: {whys[0]}"
    return ""


def run_best(case: Case, run: Any) -> list[np.ndarray]:
    """Runs the case in a wider type if the operator rounds more than once: there the engines differ less."""
    for narrow, wide in WIDER.get(case.check, ()):
        if any(t.data_type in narrow for t in case.graph.initializer):
            try:
                return with_types(case, run(case.op, widened(case.graph, narrow, wide)), wide)
            except engines.CannotRun:
                pass
    return with_types(case, run(case.op, case.graph))


def rounded_in_steps(case: Case) -> list[list[np.ndarray]]:
    """Returns the reference evaluator's result if it rounds narrow floats in each step, which is also right if the
    steps are specified."""
    if REFERENCE in case.not_in:
        return []
    try:
        return [with_types(case, run_reference(case.op, case.graph))]
    except engines.CannotRun:
        return []


def widened(graph: onnx.GraphProto, narrow: set[int], wide: np.dtype) -> onnx.GraphProto:
    """Returns the graph with narrow operands converted to `wide`."""
    result = onnx.GraphProto()
    result.CopyFrom(graph)
    for tensor in result.initializer:
        if tensor.data_type in narrow:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(wide), tensor.name))
    return result


def declared_types(case: Case) -> list[int]:
    """Returns the element type of each output according to the standard; 0: unknown."""
    inferred = shape_inference.infer_shapes(fold_cases.make_model(case.graph, ml_opset=fold_cases.ml_opset_of(case.op)))
    types = [info.type.tensor_type.elem_type for info in inferred.graph.output]
    if all(types) or len(case.graph.node) > 1:
        return types
    # If inference finds no type, the schema may state an operand's type, or a single type.
    schema, node = schema_of(case.op), case.graph.node[0]
    operands = {t.name: t.data_type for t in case.graph.initializer}
    said = {i.type_str: operands[name] for i, name in zip(schema.inputs, node.input) if name}
    said |= {kind: element_type(dtype) for kind, dtype in ELEMENT_TYPES.items()}
    return [known or said.get(output.type_str, 0) for known, output in zip(types, schema.outputs)]


def with_types(case: Case, values: list[Any], rounded_from: np.dtype | None = None) -> list[np.ndarray]:
    """Returns arrays of the element types that the standard defines. Raises CannotRun if the engine has other types."""
    arrays = []
    for want, value in zip(declared_types(case), values):
        if isinstance(value, tuple):
            raise engines.CannotRun("gives a type that numpy does not have")
        array = np.asarray(value)
        array = array.astype(object) if array.dtype.kind in "SU" else array
        if want in NARROW | {TensorProto.FLOAT} and array.dtype == rounded_from:
            with np.errstate(all="ignore"):
                array = array.astype(helper.tensor_dtype_to_np_dtype(want))
        if want and element_type(array.dtype) != want:
            raise engines.CannotRun("gives another type than the standard says")
        arrays.append(array)
    return arrays


def run_reference(op: str, graph: onnx.GraphProto) -> list[Any]:
    return engines.Reference(fold_cases.make_model(graph, OPSET, fold_cases.ml_opset_of(op)).SerializeToString()).run({})


def run_onnxruntime(op: str, graph: onnx.GraphProto) -> list[Any]:
    last = engines.CannotRun()
    for opset in ORT_OPSETS:
        try:
            return engines.OnnxRuntime(fold_cases.make_model(graph, opset, fold_cases.ml_opset_of(op)).SerializeToString()).run({})
        except engines.CannotRun as error:
            last = error
    raise last
