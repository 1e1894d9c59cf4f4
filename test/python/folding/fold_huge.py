#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds a model of 12 GB, all of whose weights are computed, in 512 MB of memory.

Each weight is scaled by row and transposed, which is streamed. Some are summed along an axis, which a reference
kernel computes as a whole: such results go to disk if they exceed `--memory-limit`. The peak of anonymous memory
must stay below 700 MB, and the checked values must be right.

  fold_huge.py --invar build/release/bin/invar [--scale 0.1]
"""
import argparse
import os
import shutil
import sys
import tempfile

import numpy as np
from onnx import TensorProto, helper, load, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from measure import measure

ROWS, COLUMNS = 16384, 15360  # About a gigabyte of floats.
MEMORY_LIMIT = 700_000_000
SPACE = 45_000_000_000


def write_model(folder: str, count: int, rows: int) -> str:
    """Weight i holds i + row / 1024 + column / 2^20 at each place."""
    path, nodes, weights, outputs = os.path.join(folder, "in.onnx"), [], [], []
    size = rows * COLUMNS * 4
    with open(os.path.join(folder, "in.data"), "wb") as sink:
        for i in range(count):
            tensor = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[rows, COLUMNS],
                                 data_location=TensorProto.EXTERNAL)
            for key, entry in {"location": "in.data", "offset": i * size, "length": size}.items():
                tensor.external_data.add(key=key, value=str(entry))
            weights.append(tensor)
            for row in range(rows):
                sink.write(row_of(i, row).tobytes())
            nodes.append(helper.make_node("Mul", [f"w{i}", "scale"], [f"m{i}"]))
            last = helper.make_node("CumSum", [f"m{i}", "axis"], [f"t{i}"]) if i % 4 == 3 else \
                helper.make_node("Transpose", [f"m{i}"], [f"t{i}"], perm=[1, 0])
            nodes += [last, helper.make_node("MatMul", ["z" if i % 4 == 3 else "x", f"t{i}"], [f"y{i}"])]
            outputs.append(helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, None))
    weights += [numpy_helper.from_array(np.full((rows, 1), 0.5, np.float32), "scale"),
                numpy_helper.from_array(np.array(1), "axis")]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", f"{name}_size"]) for name in ("x", "z")]
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    with open(path, "wb") as sink:
        sink.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString())
    return path


def row_of(weight: int, row: int) -> np.ndarray:
    return np.float32(weight) + np.float32(row / 1024) + np.arange(COLUMNS, dtype=np.float32) / np.float32(1 << 20)


def check_values(target: str, count: int, rows: int):
    """Checks some rows of the output."""
    model = load(target, load_external_data=False)
    if left := [node.op_type for node in model.graph.node if node.op_type != "MatMul"]:
        yield f"expected nothing but products to be left, but got {left}"
        return
    places = {t.name: {e.key: e.value for e in t.external_data} for t in model.graph.initializer}
    for i in range(count):
        place = places[f"t{i}"]
        data = np.memmap(os.path.join(os.path.dirname(target), place["location"]), np.float32, "r", int(place["offset"]),
                         (rows, COLUMNS) if i % 4 == 3 else (COLUMNS, rows))
        for row in (0, rows // 3, rows - 1):
            want = row_of(i, row) * np.float32(0.5)
            got = data[row] if i % 4 == 3 else data[:, row]
            if i % 4 == 3:
                want = np.cumsum(want, dtype=np.float64).astype(np.float32)
            if not np.array_equal(got, want):
                yield f"weight {i} is wrong in row {row}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--folder", help="where to make the files (default: the usual temporary folder)")
    parser.add_argument("--scale", type=float, default=1.0, help="below 1: smaller weights, to try this driver")
    options = parser.parse_args()
    report = harness.Report()
    rows, count = max(4, int(ROWS * options.scale)), 12
    with tempfile.TemporaryDirectory(prefix="fold_huge", dir=options.folder) as folder:
        if (free := shutil.disk_usage(folder).free) < SPACE * options.scale:
            report.skip("all", f"expected {SPACE / 1e9:.0f} GB of free disk, but got {free / 1e9:.0f} GB")
            return report.finish()
        path, target = write_model(folder, count, rows), os.path.join(folder, "out.onnx")
        usage = measure([options.invar, "optimize", path, "-o", target, "--memory-limit=512M", "--quiet"])
        size = sum(os.path.getsize(os.path.join(folder, name)) for name in ("in.onnx", "in.data"))
        print(f"{size / 1e9:.1f} GB: {usage.wall:.1f} s, peak of its own {usage.peak_anonymous / 1e6:.0f} MB, "
              f"with mapped pages {usage.peak_total / 1e6:.0f} MB", flush=True)
        if usage.code:
            report.check("fold", [f"ended with {usage.code}: {usage.stderr[-300:]}"])
            return report.finish()
        peak = usage.peak_anonymous
        report.check("memory", [f"expected at most {MEMORY_LIMIT / 1e6:.0f} MB of its own, but got {peak / 1e6:.0f} MB"]
                     if peak > MEMORY_LIMIT else [])
        report.check("values", check_values(target, count, rows))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
