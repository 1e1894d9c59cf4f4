# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that work along axes: reductions, running sums, softmaxes, normalizations, losses."""
import numpy as np

from . import EXACT, ONNXRUNTIME, REFERENCE, SUM, VALUE, Case, cases_of, make
from .draw import FLOAT32, Draw, is_float
from .movement import ints


@cases_of("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
          "ReduceSum", "ReduceSumSquare")
def reduce(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    # The mean of no integers is undefined.
    shape = draw.shape(empty=is_float(dtype) or op != "ReduceMean")
    axes = ints(*draw.axes(len(shape))) if draw.chance(0.8) else None
    if op in ("ReduceMax", "ReduceMin"):
        data = draw.values(dtype, shape)
    elif is_float(dtype) and op == "ReduceLogSum":
        data = draw.positive(dtype, shape)
    else:
        data = draw.mild(dtype, shape, 1.5)
    return make(op, [data, axes], draw.attributes(keepdims=(0, 1), noop_with_empty_axes=(0, 1)),
                VALUE if op in ("ReduceMax", "ReduceMin") else SUM,
                not_in={ONNXRUNTIME: "it takes no axes where there are no squares"} if op == "ReduceSumSquare" and not data.size else {})


@cases_of("ArgMax", "ArgMin")
def arg(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    return make(op, [draw.mild(draw.type(op), shape)],
                {"axis": draw.axis(len(shape)), **draw.attributes(keepdims=(0, 1), select_last_index=(0, 1))})


@cases_of("CumSum", "CumProd")
def cumulative(draw: Draw, op: str) -> Case:
    shape, dtype = draw.shape(1), draw.type(op)
    data = draw.mild(dtype, shape, 1.5)
    return make(op, [data, np.array(draw.axis(len(shape)), draw.type(op, "T2"))], draw.attributes(exclusive=(0, 1), reverse=(0, 1)), SUM)


@cases_of("Softmax", "LogSoftmax", "Hardmax")
def softmax(draw: Draw, op: str) -> Case:
    shape = draw.shape(1)
    return make(op, [draw.mild(draw.type(op), shape, draw.choose((1.0, 20.0)))], {"axis": draw.axis(len(shape))},
                EXACT if op == "Hardmax" else SUM)


@cases_of("BatchNormalization")
def batch_normalization(draw: Draw, op: str) -> Case:
    shape = draw.shape(2, 4)
    channel = (shape[1],)
    first, second, third = (draw.type(op, t) for t in ("T", "T1", "T2")) if draw.chance(0.3) else (draw.type(op),) * 3
    return make(op, [draw.mild(first, shape), draw.mild(second, channel), draw.mild(second, channel), draw.mild(third, channel),
                     draw.positive(third, channel)], draw.attributes(epsilon=(1e-5, 1e-3, 0.1)), SUM)


@cases_of("InstanceNormalization")
def instance_normalization(draw: Draw, op: str) -> Case:
    shape, dtype = draw.full_shape(3, 4), draw.type(op)
    return make(op, [draw.mild(dtype, shape), draw.mild(dtype, (shape[1],)), draw.mild(dtype, (shape[1],))],
                draw.attributes(epsilon=(1e-5, 1e-3, 0.1)), SUM)


@cases_of("GroupNormalization")
def group_normalization(draw: Draw, op: str) -> Case:
    groups, dtype = draw.integer(1, 3), draw.type(op)
    channels = groups * draw.integer(1, 3)
    # If a group has few, almost equal elements, the result mainly shows rounding errors.
    shape = (draw.integer(1, 3), channels, *draw.integers(draw.integer(1, 2), 3, 5))
    return make(op, [draw.mild(dtype, shape), draw.mild(dtype, (channels,)), draw.mild(dtype, (channels,))],
                {"num_groups": groups, **draw.attributes(epsilon=(1e-5, 1e-3, 0.1))}, SUM, no_better_than=FLOAT32)


@cases_of("LayerNormalization", "RMSNormalization")
def layer_normalization(draw: Draw, op: str) -> Case:
    shape, dtype = draw.full_shape(1, 4), draw.type(op)
    axis = draw.integer(0, len(shape) - 1)
    scale = draw.mild(dtype, shape[axis:])
    attributes = {"axis": axis - len(shape) * draw.flag(), **draw.attributes(epsilon=(1e-5, 1e-3, 0.1))}
    if op == "RMSNormalization":
        return make(op, [draw.mild(dtype, shape), scale], attributes, SUM)
    bias = draw.mild(dtype, shape[axis:]) if draw.chance(0.7) else None
    return make(op, [draw.mild(dtype, shape), scale, bias], attributes, SUM, outputs=draw.choose((1, 1, 3)))


@cases_of("MeanVarianceNormalization")
def mean_variance_normalization(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(4, 4)
    return make(op, [draw.mild(draw.type(op), shape)], {"axes": draw.axes(4, 1)} if draw.chance() else {}, SUM)


@cases_of("LpNormalization")
def lp_normalization(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 4)
    return make(op, [draw.mild(draw.type(op), shape)], {"axis": draw.axis(len(shape)), **draw.attributes(p=(1, 2))}, SUM)


@cases_of("LRN")
def lrn(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(3, 4)
    return make(op, [draw.mild(draw.type(op), shape)],
                {"size": draw.choose((1, 3, 5)), **draw.attributes(alpha=(1e-4, 0.5), beta=(0.75, 1.5), bias=(1.0, 2.0))}, SUM,
                not_in={REFERENCE: "it takes the size of the batch for the number of channels"} if shape[0] != shape[1] else {},
                no_better_than=FLOAT32)


@cases_of("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(draw: Draw, op: str) -> Case:
    batch, classes, rest = draw.integer(1, 4), draw.integer(2, 5), draw.full_shape(0, 2)
    dtype, labels = draw.type(op), draw.type(op, "Tind")
    target = draw.indices(classes, (batch, *rest), labels, negative=False)
    target.flat[0] = 0
    weight = draw.positive(dtype, (classes,)) if draw.chance() else None
    attributes = draw.attributes(reduction=("none", "sum", "mean"), ignore_index=(1, -1))
    outputs = draw.integer(1, 2) if op == "SoftmaxCrossEntropyLoss" else 1
    return make(op, [draw.mild(dtype, (batch, classes, *rest)), target, weight], attributes, SUM, outputs)
