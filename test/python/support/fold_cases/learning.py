# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of ai.onnx.ml: features, linear models, support vectors, trees."""
from typing import Any

import numpy as np
from onnx import numpy_helper

from . import BITS, NEAR, REFERENCE, SUM, Case, cases_of, make
from .draw import FLOAT32, INT64, Draw, is_float

POST_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")


def numbers(draw: Draw, count: int) -> list[float]:
    return [draw.integer(-16, 16) / 8 for _ in range(count)]


def rows(draw: Draw, op: str, parameter: str, features: int) -> np.ndarray:
    return draw.mild(draw.type(op, parameter), (draw.integer(1, 4), features))


@cases_of("ai.onnx.ml.ArrayFeatureExtractor")
def array_feature_extractor(draw: Draw, op: str) -> Case:
    shape = draw.full_shape(1, 3)
    return make(op, [draw.values(draw.type(op), shape), draw.indices(shape[-1], (draw.integer(1, 4),), negative=False)], check=BITS)


@cases_of("ai.onnx.ml.Binarizer")
def binarizer(draw: Draw, op: str) -> Case:
    return make(op, [draw.mild(draw.type(op), draw.shape())], draw.attributes(threshold=(0.0, 0.5, -1.0)))


@cases_of("ai.onnx.ml.CategoryMapper")
def category_mapper(draw: Draw, op: str) -> Case:
    attributes = {"cats_int64s": [1, 2, 3], "cats_strings": ["a", "b", "hello"],
                  **draw.attributes(default_int64=(-5,), default_string=("none",))}
    data = draw.words(draw.shape()) if draw.chance() else draw.random.integers(0, 5, draw.shape())
    return make(op, [np.asarray(data, object if data.dtype == object else np.int64)], attributes)


@cases_of("ai.onnx.ml.FeatureVectorizer")
def feature_vectorizer(draw: Draw, op: str) -> Case:
    dtype, batch, widths = draw.type(op, "T1"), draw.integer(1, 3), draw.integers(draw.integer(1, 3), 1, 4)
    return make(op, [draw.mild(dtype, (batch, width)) for width in widths], {"inputdimensions": widths})


@cases_of("ai.onnx.ml.Imputer")
def imputer(draw: Draw, op: str) -> Case:
    dtype, features = draw.type(op), draw.integer(1, 4)
    count = draw.choose((1, features))
    data = draw.mild(dtype, (draw.integer(1, 4), features))
    if is_float(dtype):
        data.flat[::3] = np.nan if (missing := draw.chance()) else 1
        return make(op, [data], {"imputed_value_floats": numbers(draw, count), "replaced_value_float": float("nan") if missing else 1.0})
    return make(op, [data], {"imputed_value_int64s": draw.integers(count, -9, 9), "replaced_value_int64": 1})


@cases_of("ai.onnx.ml.LabelEncoder")
def label_encoder(draw: Draw, op: str) -> Case:
    kinds = {"int64s": ([1, 2, 3, -4], INT64), "floats": ([1.0, 0.5, -2.0, 3.0], FLOAT32),
             "strings": (["a", "b", "hello", ""], np.dtype(object))}
    source, target = draw.choose(list(kinds)), draw.choose(list(kinds))
    keys, dtype = kinds[source]
    shape = draw.shape()
    data = draw.random.choice(np.array([*keys, keys[0] * 2 if dtype == object else 9], object), shape).reshape(shape).astype(dtype)
    default = {"int64s": ("default_int64", -7), "floats": ("default_float", 2.5), "strings": ("default_string", "none")}[target]
    return make(op, [data], {f"keys_{source}": keys, f"values_{target}": kinds[target][0]} | (dict([default]) if draw.chance() else {}))


@cases_of("ai.onnx.ml.LinearClassifier")
def linear_classifier(draw: Draw, op: str) -> Case:
    features, classes = draw.integer(1, 4), draw.integer(2, 4)
    labels = {"classlabels_ints": list(range(10, 10 + classes))}
    if draw.chance():
        labels = {"classlabels_strings": ["a", "b", "c", "d"][:classes]}
    return make(op, [rows(draw, op, "T1", features)], {
        "coefficients": numbers(draw, features * classes), "intercepts": numbers(draw, classes), "multi_class": draw.flag(),
        "post_transform": draw.choose(POST_TRANSFORMS), **labels}, SUM, 2)


@cases_of("ai.onnx.ml.LinearRegressor")
def linear_regressor(draw: Draw, op: str) -> Case:
    features, targets = draw.integer(1, 4), draw.integer(1, 3)
    attributes: dict[str, Any] = {"coefficients": numbers(draw, features * targets), "targets": targets}
    if draw.chance(0.7):
        attributes["intercepts"] = numbers(draw, targets)
    return make(op, [rows(draw, op, "T", features)], attributes | draw.attributes(post_transform=POST_TRANSFORMS), SUM,
                not_in={} if "intercepts" in attributes else {REFERENCE: "it adds NaN where there is no intercept"})


@cases_of("ai.onnx.ml.Normalizer")
def normalizer(draw: Draw, op: str) -> Case:
    return make(op, [rows(draw, op, "T", draw.integer(1, 5))], draw.attributes(norm=("MAX", "L1", "L2")), SUM)


@cases_of("ai.onnx.ml.OneHotEncoder")
def one_hot_encoder(draw: Draw, op: str) -> Case:
    dtype, shape = draw.type(op), draw.shape(1, 2)
    if dtype == object:
        return make(op, [draw.words(shape)], {"cats_strings": ["a", "b", "hello"], "zeros": 1})
    return make(op, [draw.random.integers(0, 5, shape).astype(dtype)], {"cats_int64s": [1, 2, 4], "zeros": 1})


@cases_of("ai.onnx.ml.Scaler")
def scaler(draw: Draw, op: str) -> Case:
    features = draw.integer(1, 4)
    count = draw.choose((1, features))
    return make(op, [rows(draw, op, "T", features)], {"offset": numbers(draw, count), "scale": numbers(draw, count)}, NEAR)


KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")


@cases_of("ai.onnx.ml.SVMRegressor")
def svm_regressor(draw: Draw, op: str) -> Case:
    features, vectors = draw.integer(1, 3), draw.integer(1, 4)
    return make(op, [rows(draw, op, "T", features)], {
        "coefficients": numbers(draw, vectors), "support_vectors": numbers(draw, vectors * features), "n_supports": vectors,
        "rho": numbers(draw, 1), "kernel_type": draw.choose(KERNELS), "kernel_params": [0.5, 0.25, 2.0],
        **draw.attributes(one_class=(0, 1))}, SUM)


@cases_of("ai.onnx.ml.SVMClassifier")
def svm_classifier(draw: Draw, op: str) -> Case:
    features, classes = draw.integer(1, 3), draw.integer(2, 3)
    per_class = draw.integers(classes, 1, 2)
    vectors, pairs = sum(per_class), classes * (classes - 1) // 2
    attributes = {"coefficients": numbers(draw, vectors * (classes - 1)), "support_vectors": numbers(draw, vectors * features),
                  "vectors_per_class": per_class, "rho": numbers(draw, pairs), "classlabels_ints": list(range(classes)),
                  "kernel_type": draw.choose(KERNELS), "kernel_params": [0.5, 0.25, 2.0]}
    if draw.chance(0.4):
        attributes |= {"prob_a": numbers(draw, pairs), "prob_b": numbers(draw, pairs)}
    return make(op, [rows(draw, op, "T1", features)], attributes, SUM, 2)


def tree(draw: Draw, features: int) -> dict[str, list[Any]]:
    """Draws a tree in the old form: a root, one node below it, three leaves."""
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
    return {"nodes_treeids": [0] * 5, "nodes_nodeids": list(range(5)), "nodes_featureids": [*draw.integers(2, 0, features - 1), 0, 0, 0],
            "nodes_values": [*numbers(draw, 2), 0.0, 0.0, 0.0], "nodes_modes": [draw.choose(modes), draw.choose(modes), *["LEAF"] * 3],
            "nodes_truenodeids": [1, 3, 0, 0, 0], "nodes_falsenodeids": [2, 4, 0, 0, 0],
            "nodes_missing_value_tracks_true": [*draw.integers(2, 0, 1), 0, 0, 0]}


@cases_of("ai.onnx.ml.TreeEnsembleRegressor")
def tree_ensemble_regressor(draw: Draw, op: str) -> Case:
    features, targets = draw.integer(1, 3), draw.integer(1, 2)
    attributes = {"n_targets": targets, "target_treeids": [0] * 3, "target_nodeids": [2, 3, 4],
                  "target_ids": draw.integers(3, 0, targets - 1), "target_weights": numbers(draw, 3), **draw.attributes(aggregate_function=("SUM", "AVERAGE", "MIN", "MAX"))}
    if draw.chance(0.4):
        attributes["base_values"] = numbers(draw, targets)
    return make(op, [rows(draw, op, "T", features)], {**tree(draw, features), **attributes}, SUM)


@cases_of("ai.onnx.ml.TreeEnsembleClassifier")
def tree_ensemble_classifier(draw: Draw, op: str) -> Case:
    features, classes = draw.integer(1, 3), draw.integer(2, 3)
    attributes = {"classlabels_int64s": list(range(classes)), "class_treeids": [0] * 3, "class_nodeids": [2, 3, 4],
                  "class_ids": draw.integers(3, 0, classes - 1), "class_weights": numbers(draw, 3),
                  **draw.attributes(post_transform=POST_TRANSFORMS)}
    return make(op, [rows(draw, op, "T1", features)], {**tree(draw, features), **attributes}, SUM, 2)


@cases_of("ai.onnx.ml.TreeEnsemble")
def tree_ensemble(draw: Draw, op: str) -> Case:
    dtype, features, targets = draw.type(op), draw.integer(1, 3), draw.integer(1, 2)
    data = draw.mild(dtype, (draw.integer(1, 4), features))
    return make(op, [data], {
        "n_targets": targets, "aggregate_function": draw.choose((0, 1, 2, 3)), "post_transform": 0, "tree_roots": [0],
        "nodes_modes": numpy_helper.from_array(np.array(draw.integers(2, 0, 5), np.uint8)),
        "nodes_splits": numpy_helper.from_array(np.array(numbers(draw, 2), dtype)), "nodes_featureids": draw.integers(2, 0, features - 1),
        "nodes_truenodeids": [1, 0], "nodes_trueleafs": [0, 1], "nodes_falsenodeids": [2, 1], "nodes_falseleafs": [1, 1],
        "leaf_targetids": draw.integers(3, 0, targets - 1),
        "leaf_weights": numpy_helper.from_array(np.array(numbers(draw, 3), dtype))}, SUM)
