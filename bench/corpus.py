# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models to measure: a synthetic one, and some that utils/fetch-models gets."""
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of each kind and size one: audio, text recognition, vision, embeddings, and the large ones.
NAMES = ("silero-vad__silero_vad_16k_op15", "npm-gutenye__ch_PP-OCRv4_rec_infer", "mobilenetv3_large_bn",
         "lc4j__all-minilm-l6-v2", "resnet152_bn", "arcface_iresnet100_bn", "bert_base_dyn", "xlnet_base_dyn")


def many_nodes(count: int) -> onnx.ModelProto:
    """Start-up and bytes cost nothing here: what is left is the time that a node takes."""
    generator = np.random.default_rng(5)
    nodes, weights, last = [], [], "x"
    for i in range(count):
        op = ("Add", "Mul", "Relu", "Sigmoid", "Sub")[i % 5]
        operands = [last]
        if op in ("Add", "Mul", "Sub"):
            weights.append(numpy_helper.from_array(generator.random(16, np.float32), f"w{i}"))
            operands.append(f"w{i}")
        last = f"t{i}"
        nodes.append(helper.make_node(op, operands, [last], name=f"n{i}"))
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 16])
    graph = helper.make_graph(nodes, "many", [value("x")], [value(last)], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def short_name(model: pathlib.Path) -> str:
    """Without the package that it came in."""
    return model.stem.split("__")[-1]


def collect(folder: pathlib.Path, everything: bool) -> list[pathlib.Path]:
    """The models, small ones first. Those that are missing are fetched into `folder`."""
    synthetic = ROOT / "build/bench/5000_nodes.onnx"
    onnx.save(many_nodes(5000), synthetic)
    subprocess.run([sys.executable, ROOT / "utils/fetch-models", "--out", folder, *(() if everything else NAMES)], check=True)
    found = [m for m in folder.rglob("*.onnx") if everything or m.stem in NAMES]
    return sorted([synthetic, *found], key=lambda m: m.stat().st_size)
