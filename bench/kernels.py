# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels with the processor's peak, and operators that move memory with other engines."""
import json
import subprocess

import numpy as np
import onnx
from onnx import helper, numpy_helper

from corpus import Case, make_model
from inference import PEERS, best, measure_case
from page import Limit, met, milliseconds, table
from setting import Setting

TITLE = "Kernels"
PART_LIMIT = 0.9
# The matrix products and dense convolutions that the limit applies to.
LIMITED = ("matmul 128x768x768", "matmul 128x768x3072", "matmul 512x512x512", "matmul 512x4096x4096",
           "conv 3x3 / 1, 56x56x64 -> 64", "conv 1x1 / 1, 56x56x64 -> 64", "conv 3x3 / 1, 14x14x256 -> 256")


def softmax() -> onnx.ModelProto:
    return make_model([helper.make_node("Softmax", ["x"], ["y"], axis=-1)], [6144, 512], "y", [])


def layer_norm() -> onnx.ModelProto:
    weights = [numpy_helper.from_array(np.random.default_rng(3).random(768, np.float32), name) for name in ("scale", "bias")]
    return make_model([helper.make_node("LayerNormalization", ["x", "scale", "bias"], ["y"])], [128, 768], "y", weights)


def gelu() -> onnx.ModelProto:
    weights = [numpy_helper.from_array(np.array(value, np.float32), name) for name, value in
               (("root", np.sqrt(2.0)), ("one", 1.0), ("half", 0.5), ("bias", np.random.default_rng(3).random(3072)))]
    steps = (("Add", "x bias", "a"), ("Div", "a root", "b"), ("Erf", "b", "c"), ("Add", "c one", "d"), ("Mul", "a d", "e"),
             ("Mul", "e half", "y"))
    return make_model([helper.make_node(op, operands.split(), [result]) for op, operands, result in steps], [128, 3072], "y", weights)


OPERATORS = (
    (Case("softmax", "softmax", {"x": (6144, 512)}), softmax),
    (Case("layer normalization", "layer_norm", {"x": (128, 768)}), layer_norm),
    (Case("bias and GELU by erf", "gelu", {"x": (128, 3072)}), gelu))


def measure(setting: Setting) -> list[dict]:
    return measure_kernels(setting) + measure_operators(setting)


def measure_kernels(setting: Setting) -> list[dict]:
    """Returns the best speed and the best peak over several processes."""
    found: dict[str, dict] = {}
    for _ in range(setting.repeat):
        ended = subprocess.run([setting.program("invar-bench-kernels"), "--json"], check=True, stdout=subprocess.PIPE, text=True)
        for row in map(json.loads, ended.stdout.splitlines()):
            kept = found.setdefault(row["kernel"], row)
            kept["gflops"] = max(kept["gflops"], row["gflops"])
            kept["peak_gflops"] = max(kept["peak_gflops"], row["peak_gflops"])
    return [row for row in found.values() if setting.wants(row["kernel"])]


def measure_operators(setting: Setting) -> list[dict]:
    rows = []
    for case, make in OPERATORS:
        if not setting.wants(case.label):
            continue
        model, feeds = setting.scratch / f"{case.model}.onnx", setting.scratch / "feeds.npz"
        onnx.save(make(), model)
        np.savez(feeds, **case.feeds())
        rows += measure_case(setting, case, model, feeds, 1)
    return rows


def part(row: dict) -> float:
    return row["gflops"] / row["peak_gflops"]


def limits(rows: list[dict]) -> list[Limit]:
    found = [row for row in rows if row.get("kernel") in LIMITED]
    if not found:
        return []
    worst = min(found, key=part)
    return [Limit(f"speed of products and dense convolutions, the worst of {len(found)}", f"≥ {PART_LIMIT} of the peak",
                  f"{part(worst):.2f} ({worst['kernel']})", part(worst) >= PART_LIMIT)]


def section(rows: list[dict]) -> str:
    own = [row for row in rows if "kernel" in row]
    lines = [(row["kernel"], f"{row['gflops']:.1f}", f"{row['peak_gflops']:.1f}", f"{part(row):.2f}",
              f"≥ {PART_LIMIT}" if row["kernel"] in LIMITED else "–",
              met(part(row) >= PART_LIMIT) if row["kernel"] in LIMITED else "–", f"{row['compile_ms']:.0f}") for row in own]
    return f"""One thread. The peak is that of multiplications and additions of floats in registers, measured in turn with each
kernel; a product of bytes may be above it, and what waits for memory (gemv) or has few multiplications (depthwise,
maximum) is far below. The limit is about products and dense convolutions of floats.

{table(("kernel", "GF/s", "peak, GF/s", "part of the peak", "limit", "met", "compiled in ms"), lines)}

Operators that are no products, as models of their own, one thread, milliseconds; there is no limit:

{operator_table(rows)}
"""


def operator_table(rows: list[dict]) -> str:
    engines, by_model = ("invar", *PEERS), {}
    for row in (row for row in rows if "engine" in row):
        by_model.setdefault(f"{row['model']} {row['sizes']}", {})[row["engine"]] = best(row) if "medians" in row else None
    lines = [(model, *("failed" if found.get(engine) is None else milliseconds(found[engine]) for engine in engines),
              f"{found['invar'] / found['onnxruntime']:.2f}×" if found.get("invar") and found.get("onnxruntime") else "–")
             for model, found in by_model.items()]
    return table(("operator", *engines, "invar / onnxruntime"), lines)


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
