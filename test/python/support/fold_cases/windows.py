# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move a window or a grid over images: convolutions, pools, resizing, sampling, boxes."""
import math
from typing import Any

import numpy as np

from . import REFERENCE, STEP, SUM, VALUE, Case, cases_of, make
from .draw import FLOAT32, Draw, is_float
from .movement import ints


def moves(draw: Draw, rank: int, kernel: list[int]) -> dict[str, Any]:
    """Draws strides, dilations and pads, some of which are omitted."""
    found: dict[str, Any] = {}
    if draw.chance():
        found["strides"] = draw.integers(rank, 1, 3)
    if draw.chance(0.4):
        found["dilations"] = draw.integers(rank, 1, 2)
    if draw.chance():
        found["pads"] = [draw.integer(0, k - 1) for k in kernel * 2]
    elif draw.chance(0.4):
        found["auto_pad"] = draw.choose(("SAME_UPPER", "SAME_LOWER", "VALID"))
        found.pop("dilations", None)
    return found


def image(draw: Draw, rank: int, channels: int) -> tuple[int, ...]:
    return (draw.integer(1, 2), channels, *draw.integers(rank, 5, 7))


@cases_of("Conv")
def conv(draw: Draw, op: str) -> Case:
    rank, group, dtype = draw.integer(1, 3), draw.choose((1, 1, 2, 3)), draw.type(op)
    inner, outer, kernel = draw.integer(1, 3), group * draw.integer(1, 3), draw.integers(rank, 1, 3)
    bias = draw.mild(dtype, (outer,)) if draw.chance() else None
    return make(op, [draw.mild(dtype, image(draw, rank, group * inner)), draw.mild(dtype, (outer, inner, *kernel)), bias],
                {"group": group, **moves(draw, rank, kernel)}, SUM)


@cases_of("ConvTranspose")
def conv_transpose(draw: Draw, op: str) -> Case:
    rank, group, dtype = draw.integer(1, 2), draw.choose((1, 1, 2)), draw.type(op)
    inner, outer, kernel = draw.integer(1, 3), draw.integer(1, 3), draw.integers(rank, 1, 3)
    attributes = moves(draw, rank, kernel)
    attributes.pop("auto_pad", None)
    if "strides" in attributes and draw.chance(0.4):
        attributes["output_padding"] = [draw.integer(0, s - 1) for s in attributes["strides"]]
    bias = draw.mild(dtype, (group * outer,)) if draw.chance() else None
    return make(op, [draw.mild(dtype, image(draw, rank, group * inner)), draw.mild(dtype, (group * inner, outer, *kernel)), bias],
                {"group": group, **attributes}, SUM, not_in={REFERENCE: "it has one bias for all groups"} if group > 1 else {})


@cases_of("ConvInteger")
def conv_integer(draw: Draw, op: str) -> Case:
    rank, first, second = draw.integer(1, 2), draw.type(op, "T1"), draw.type(op, "T2")
    inner, outer, kernel = draw.integer(1, 3), draw.integer(1, 3), draw.integers(rank, 1, 3)
    zeros = [draw.mild(first, ()) if draw.chance() else None, draw.mild(second, ()) if draw.chance() else None]
    return make(op, [draw.values(first, image(draw, rank, inner)), draw.values(second, (outer, inner, *kernel)), *zeros],
                moves(draw, rank, kernel))


@cases_of("QLinearConv")
def qlinear_conv(draw: Draw, op: str) -> Case:
    data, weights, result = (draw.type(op, t) for t in ("T1", "T2", "T3"))
    inner, outer, kernel = draw.integer(1, 3), draw.integer(1, 3), draw.integers(2, 1, 3)
    of_weights = (outer,) if draw.chance(0.3) else ()
    bias = draw.random.integers(-99, 99, outer).astype(np.int32) if draw.chance() else None
    weight_zero = np.zeros(of_weights, weights) if of_weights else draw.mild(weights, ())
    return make(op, [draw.values(data, image(draw, 2, inner)), draw.positive(FLOAT32, (), 0.01, 0.1), draw.mild(data, ()),
                     draw.values(weights, (outer, inner, *kernel)), draw.positive(FLOAT32, of_weights, 0.01, 0.1), weight_zero,
                     draw.positive(FLOAT32, (), 1.0, 9.0), draw.mild(result, ()), bias], moves(draw, 2, kernel), STEP)


@cases_of("CausalConvWithState")
def causal_conv(draw: Draw, op: str) -> Case:
    dtype, batch, channels, length, kernel = draw.type(op), *draw.integers(3, 1, 4), draw.integer(1, 4)
    bias = draw.mild(dtype, (channels,)) if draw.chance() else None
    past = draw.mild(dtype, (batch, channels, kernel - 1)) if draw.chance() else None
    return make(op, [draw.mild(dtype, (batch, channels, length)), draw.mild(dtype, (channels, 1, kernel)), bias, past],
                draw.attributes(activation=("none", "silu", "swish")), SUM, outputs=2)


@cases_of("DeformConv")
def deform_conv(draw: Draw, op: str) -> Case:
    dtype, inner, outer, kernel = draw.type(op), draw.integer(1, 2), draw.integer(1, 2), draw.integers(2, 1, 2)
    shape = image(draw, 2, inner)
    size = [s - k + 1 for s, k in zip(shape[2:], kernel)]
    taps = math.prod(kernel)
    bias = draw.mild(dtype, (outer,)) if draw.chance() else None
    mask = draw.mild(dtype, (shape[0], taps, *size)) if draw.chance() else None
    return make(op, [draw.mild(dtype, shape), draw.mild(dtype, (outer, inner, *kernel)),
                     draw.mild(dtype, (shape[0], 2 * taps, *size), 1.0), bias, mask],
                {"kernel_shape": kernel, "pads": [0] * 4} if draw.chance() else {}, SUM)


@cases_of("MaxPool", "AveragePool", "LpPool")
def pool(draw: Draw, op: str) -> Case:
    rank, dtype = draw.integer(1, 3), draw.type(op)
    kernel = draw.integers(rank, 1, 3)
    attributes = {"kernel_shape": kernel, **moves(draw, rank, kernel), **draw.attributes(ceil_mode=(0, 1))}
    if "auto_pad" in attributes and "strides" in attributes:
        # Strides that exceed the kernel would need negative pads, which engines handle differently.
        attributes["strides"] = [min(s, k) for s, k in zip(attributes["strides"], kernel)]
    if op == "AveragePool":
        attributes |= draw.attributes(count_include_pad=(0, 1))
    elif op == "LpPool":
        attributes |= draw.attributes(p=(1, 2, 3))
    else:
        attributes |= draw.attributes(storage_order=(0,))
    outputs = draw.integer(1, 2) if op == "MaxPool" else 1
    not_in = {}
    if outputs == 2:
        not_in = {REFERENCE: "its indices are within a channel"}
    elif "auto_pad" in attributes or attributes.get("ceil_mode"):
        not_in = {REFERENCE: "it shifts windows that stick out"}
    data = draw.mild(dtype, image(draw, rank, draw.integer(1, 2)))
    return make(op, [data], attributes, VALUE if op == "MaxPool" else SUM, outputs, not_in)


@cases_of("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool")
def global_pool(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(p=(1, 2, 3)) if op == "GlobalLpPool" else {}
    shape = draw.full_shape(3, 5)
    return make(op, [draw.mild(draw.type(op), shape)], attributes, VALUE if op == "GlobalMaxPool" else SUM,
                not_in={REFERENCE: "it keeps two axes"} if op == "GlobalMaxPool" and len(shape) != 4 else {})


@cases_of("Resize")
def resize(draw: Draw, op: str) -> Case:
    # Other types run only in the reference evaluator, which computes in double and may choose other pixels than
    # onnxruntime.
    dtype = draw.type(op, "T1", [np.dtype(t) for t in ("uint8", "int8", "int32", "float32", "float16")])
    shape = (1, 1, *draw.integers(2, 1, 5))
    mode = draw.choose(("nearest", "linear", "cubic"))
    attributes = {"mode": mode, **draw.attributes(coordinate_transformation_mode=(
        "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"))}
    if mode == "nearest":
        attributes |= draw.attributes(nearest_mode=("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if mode == "cubic":
        attributes |= draw.attributes(cubic_coeff_a=(-0.75, -0.5), exclude_outside=(0, 1))
    if mode != "nearest":
        attributes |= draw.attributes(antialias=(0, 0, 1))
    if draw.chance():
        scales = np.array([1, 1, *(draw.choose((0.5, 0.6, 1.0, 1.5, 2.0, 2.3)) for _ in range(2))], np.float32)
        return make(op, [draw.mild(dtype, shape), None, scales], attributes, SUM if is_float(dtype) else STEP, no_better_than=FLOAT32)
    attributes |= draw.attributes(keep_aspect_ratio_policy=("stretch", "not_larger", "not_smaller"))
    axes = draw.sample((2, 3), 2)
    return make(op, [draw.mild(dtype, shape), None, None, ints(*draw.integers(2, 1, 8))], {"axes": axes, **attributes},
                SUM if is_float(dtype) else STEP, no_better_than=FLOAT32)


@cases_of("GridSample")
def grid_sample(draw: Draw, op: str) -> Case:
    dtype, rank = draw.type(op, "T1", [np.dtype(t) for t in ("float32", "float64", "float16")]), draw.choose((2, 2, 3))
    shape = (draw.integer(1, 2), draw.integer(1, 2), *draw.integers(rank, 1, 4))
    grid = draw.random.uniform(-1.4, 1.4, (shape[0], *draw.integers(rank, 1, 3), rank)).astype(np.float32)
    return make(op, [draw.mild(dtype, shape), grid], draw.attributes(
        mode=("linear", "nearest") if rank == 3 else ("linear", "nearest", "cubic"), padding_mode=("zeros", "border", "reflection"),
        align_corners=(0, 1)), SUM)


@cases_of("AffineGrid")
def affine_grid(draw: Draw, op: str) -> Case:
    rank, batch = draw.integer(2, 3), draw.integer(1, 2)
    return make(op, [draw.mild(draw.type(op, "T1"), (batch, rank, rank + 1)), ints(batch, 1, *draw.integers(rank, 1, 4))],
                draw.attributes(align_corners=(0, 1)), SUM)


@cases_of("RoiAlign")
def roi_align(draw: Draw, op: str) -> Case:
    dtype, shape, count = draw.type(op, "T1"), (draw.integer(1, 2), draw.integer(1, 2), 6, 7), draw.integer(0 if draw.chance(0.1) else 1, 3)
    corner = draw.random.uniform(0, 3, (count, 2))
    rois = np.concatenate([corner, corner + draw.random.uniform(0.5, 4, (count, 2))], -1).astype(dtype)
    return make(op, [draw.mild(dtype, shape), rois, draw.indices(shape[0], (count,), negative=False)], draw.attributes(
        mode=("avg", "max"), coordinate_transformation_mode=("half_pixel", "output_half_pixel"), output_height=(1, 2, 3),
        output_width=(1, 2), sampling_ratio=(0, 1, 2), spatial_scale=(1.0, 0.5)), SUM)


@cases_of("MaxRoiPool")
def max_roi_pool(draw: Draw, op: str) -> Case:
    dtype, shape, count = draw.type(op), (draw.integer(1, 2), draw.integer(1, 2), 6, 7), draw.integer(1, 3)
    corner = draw.random.integers(0, 3, (count, 2))
    rois = np.concatenate([draw.indices(shape[0], (count, 1), negative=False), corner, corner + draw.random.integers(1, 4, (count, 2))], -1)
    return make(op, [draw.mild(dtype, shape), rois.astype(dtype)],
                {"pooled_shape": draw.integers(2, 1, 3), **draw.attributes(spatial_scale=(1.0, 0.5))}, VALUE)


@cases_of("NonMaxSuppression")
def non_max_suppression(draw: Draw, op: str) -> Case:
    batch, count, classes = draw.integer(1, 2), draw.integer(1, 6), draw.integer(1, 2)
    corner = draw.random.uniform(0, 5, (batch, count, 2))
    boxes = np.concatenate([corner, corner + draw.random.uniform(0.5, 4, (batch, count, 2))], -1).astype(np.float32)
    scores = draw.random.uniform(0, 1, (batch, classes, count)).astype(np.float32)
    limits = [ints(draw.integer(0 if draw.chance(0.1) else 1, 5)), np.array([draw.choose((0.0, 0.3, 0.5))], np.float32),
              np.array([draw.choose((0.0, 0.2, 0.6))], np.float32)]
    return make(op, [boxes, scores, *limits[:draw.integer(1, 3)]], draw.attributes(center_point_box=(0, 1)))
