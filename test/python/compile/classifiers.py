#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the labels and scores of classifiers with onnxruntime: trees, support vectors and linear models, with two
and three classes, with every transform of scores, and with scores for all classes or for one of two.

The standard does not say how one score decides between two classes. Exporters write such models for onnxruntime.

  classifiers.py --build build/dev [--seed 1]
"""
import argparse
import itertools
import os
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
from invar_engine import RunFailed
from toolchain import Refused, Toolchain, Variant

EXAMPLES, FEATURES, TREES = 64, 4, 5
DOMAIN = "ai.onnx.ml"
TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")


class Case(NamedTuple):
    name: str
    operator: str
    attributes: dict

    def model(self) -> onnx.ModelProto:
        node = helper.make_node(self.operator, ["x"], ["label", "scores"], domain=DOMAIN, **self.attributes)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", FEATURES])],
                                  [helper.make_tensor_value_info("label", TensorProto.INT64, None),
                                   helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 3)], ir_version=8)


def draw_trees(rng: np.random.Generator) -> Iterator[Case]:
    """Trees of one branch and two leaves. A leaf votes for each of `voted`."""
    for (classes, voted), sign, transform, bases in itertools.product(
            ((2, (0,)), (2, (1,)), (3, (0, 1, 2)), (3, (1,))), ("positive", "mixed"), TRANSFORMS, (0, 1)):
        if bases and voted != (0,):
            continue  # onnxruntime reads base values that are not there, or adds them to other classes.
        nodes = [(tree, node) for tree in range(TREES) for node in range(3)]
        votes = [(tree, leaf, target) for tree in range(TREES) for leaf in (1, 2) for target in voted]
        weights = rng.random(len(votes)) * 0.4 - (0.2 if sign == "mixed" else 0)
        attributes = {
            "nodes_treeids": [tree for tree, _ in nodes], "nodes_nodeids": [node for _, node in nodes],
            "nodes_featureids": [tree % FEATURES for tree, _ in nodes], "nodes_values": rng.standard_normal(len(nodes)).tolist(),
            "nodes_modes": ["LEAF" if node else "BRANCH_LEQ" for _, node in nodes],
            "nodes_truenodeids": [0 if node else 1 for _, node in nodes],
            "nodes_falsenodeids": [0 if node else 2 for _, node in nodes],
            "class_treeids": [tree for tree, _, _ in votes], "class_nodeids": [leaf for _, leaf, _ in votes],
            "class_ids": [target for _, _, target in votes], "class_weights": weights.tolist(),
            "classlabels_int64s": list(range(classes)), "post_transform": transform}
        if bases:
            attributes["base_values"] = [0.1]
        yield Case(f"trees, {classes} classes, votes for {list(voted)}, {sign} weights, {transform}, {bases} base values",
                   "TreeEnsembleClassifier", attributes)


def draw_machines(rng: np.random.Generator) -> Iterator[Case]:
    for classes, kernel, transform, has_probabilities in itertools.product((2, 3), ("RBF", "LINEAR", "POLY", "SIGMOID"), TRANSFORMS, (0, 1)):
        vectors, pairs = 6, classes * (classes - 1) // 2
        attributes = {
            "kernel_type": kernel, "kernel_params": [0.5, 0.1, 2.0], "post_transform": transform,
            "classlabels_ints": list(range(classes)), "support_vectors": rng.standard_normal(vectors * FEATURES).tolist(),
            "vectors_per_class": [vectors // classes] * classes, "rho": rng.standard_normal(pairs).tolist(),
            "coefficients": rng.standard_normal(vectors * (classes - 1)).tolist()}
        if has_probabilities:
            attributes |= {"prob_a": rng.standard_normal(pairs).tolist(), "prob_b": rng.standard_normal(pairs).tolist()}
        words = "probabilities" if has_probabilities else "scores"
        yield Case(f"support vectors, {classes} classes, {kernel}, {transform}, {words}", "SVMClassifier", attributes)


def draw_linear(rng: np.random.Generator) -> Iterator[Case]:
    for (classes, rows), transform, is_multiclass in itertools.product(((2, 1), (2, 2), (3, 3)), TRANSFORMS, (0, 1)):
        yield Case(f"linear, {classes} classes, {rows} rows, {transform}, multi_class {is_multiclass}", "LinearClassifier", {
            "classlabels_ints": list(range(classes)), "coefficients": rng.standard_normal(rows * FEATURES).tolist(),
            "intercepts": rng.standard_normal(rows).tolist(), "post_transform": transform, "multi_class": is_multiclass})


def judge(toolchain: Toolchain, folder: str, case: Case, x: np.ndarray) -> Iterator[str]:
    data = case.model().SerializeToString()
    label, scores = engines.OnnxRuntime(data).run({"x": x})
    library = os.path.join(folder, "model.so")
    try:
        toolchain.compile(data, library, Variant(), {})
        session = toolchain.load(library, 1)
        own_label, own_scores = session.run({"x": x})
        session.close()
    except (Refused, RunFailed) as error:
        yield str(error)
        return
    if own_scores.shape != scores.shape or not np.allclose(own_scores, scores, 1e-4, 1e-5):
        yield f"expected scores {scores[0]}, but got {own_scores[0]}"
    if wrong := int((own_label != label).sum()):
        yield f"{wrong} of {len(label)} labels differ"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    toolchain, report, rng = Toolchain(options.build), harness.Report(), np.random.default_rng(options.seed)
    x = rng.standard_normal((EXAMPLES, FEATURES)).astype(np.float32)
    with tempfile.TemporaryDirectory(prefix="classifiers") as folder:
        for case in itertools.chain(draw_trees(rng), draw_machines(rng), draw_linear(rng)):
            report.check(case.name, judge(toolchain, folder, case, x))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
