# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that make tensors from a few numbers."""
import numpy as np
from onnx import numpy_helper

from . import BITS, SUM, Case, cases_of, make
from .draw import Draw, element_type, is_float
from .movement import ints


@cases_of("Constant")
def constant(draw: Draw, op: str) -> Case:
    how = draw.integer(0, 5)
    if how < 3:
        return make(op, [], {"value": numpy_helper.from_array(draw.values(draw.type(op), draw.shape()))}, BITS)
    if how == 3:
        return make(op, [], {"value_float": draw.choose((0.5, -0.0, 3e38))}, BITS)
    if how == 4:
        return make(op, [], {"value_ints": draw.integers(draw.integer(1, 4), -9, 9)}, BITS)
    return make(op, [], {"value_strings": list(draw.words((draw.integer(1, 3),)))}, BITS)


@cases_of("ConstantOfShape")
def constant_of_shape(draw: Draw, op: str) -> Case:
    attributes = {"value": numpy_helper.from_array(draw.values(draw.type(op, "T2"), (1,)))} if draw.chance(0.8) else {}
    return make(op, [ints(*draw.shape(0, 4))], attributes, BITS)


@cases_of("Range")
def arange(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    if is_float(dtype):
        numbers = [draw.integer(-40, 40) / 8, draw.integer(-40, 40) / 8, draw.choose((-1.5, -0.5, 0.25, 0.75, 3.0))]
    else:
        numbers = [draw.integer(-20, 20), draw.integer(-20, 20), draw.choose((-7, -2, -1, 1, 2, 3))]
    return make(op, [np.array(n).astype(dtype) for n in numbers], check=SUM)


@cases_of("BlackmanWindow", "HammingWindow", "HannWindow")
def window(draw: Draw, op: str) -> Case:
    target = draw.type(op, "T2")
    attributes = draw.attributes(periodic=(0, 1))
    if is_float(target) or draw.chance(0.2):
        attributes["output_datatype"] = element_type(target)
    return make(op, [np.array(draw.integer(3, 12), draw.type(op, "T1"))], attributes, SUM)


@cases_of("MelWeightMatrix")
def mel_weight_matrix(draw: Draw, op: str) -> Case:
    index, edge, target = draw.type(op, "T1"), draw.type(op, "T2"), draw.type(op, "T3")
    numbers = [draw.integer(2, 8), draw.choose((16, 32, 64)), draw.choose((8000, 16000))]
    edges = [draw.choose((0, 125)), draw.choose((2000, 4000))]
    return make(op, [*(np.array(n, index) for n in numbers), *(np.array(e).astype(edge) for e in edges)],
                {"output_datatype": element_type(target)} if draw.chance() else {}, SUM)
