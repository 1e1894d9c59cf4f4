# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the overhead that the runtime adds to the work of kernels."""
import json
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper

import compiling
from corpus import Case, make_model
from inference import PEERS, best, measure_case
from page import Limit, met, table
from setting import Setting

TITLE = "Overhead"
ALMOST_EMPTY = Case("call from Python", "almost_empty", {"x": (1,)})
FORK = "fork and join, a piece on each thread"
FORK_LIMIT = 1.5  # microseconds; the goal is about one


def measure(setting: Setting) -> list[dict]:
    """Measures a model that negates one number."""
    model, feeds = setting.scratch / "almost_empty.onnx", setting.scratch / "feeds.npz"
    onnx.save(make_model([helper.make_node("Neg", ["x"], ["y"])], [1], "y", []), model)
    np.savez(feeds, **ALMOST_EMPTY.feeds())
    found: dict[str, dict] = {}
    for _ in range(setting.repeat):
        ended = subprocess.run([setting.program("invar-bench-runtime"), compiling.library(setting, model)], check=True,
                               stdout=subprocess.PIPE, text=True)
        for row in map(json.loads, ended.stdout.splitlines()):
            found[row["name"]] = min(row, found.get(row["name"], row), key=lambda r: r["us"])
    for row in found.values():
        print(f"{row['name']}: {row['us']:.2f} µs", file=sys.stderr)
    return [*found.values(), *measure_case(setting, ALMOST_EMPTY, model, feeds, 1)]


def limits(rows: list[dict]) -> list[Limit]:
    return [Limit("fork and join of two threads", "about 1 µs", f"{row['us']:.2f} µs", row["us"] <= FORK_LIMIT)
            for row in rows if row.get("name") == FORK]


def section(rows: list[dict]) -> str:
    lines = [(row["name"], f"{row['us']:.2f}", "about 1" if row["name"] == FORK else "–",
              met(row["us"] <= FORK_LIMIT) if row["name"] == FORK else "–") for row in rows if "name" in row]
    lines += [(f"{row['model']}, {row['engine']}", f"{1e3 * best(row):.2f}" if "medians" in row else "failed", "–", "–")
              for row in rows if "engine" in row]
    return f"""Microseconds. The model negates one number; its calls run on one thread. The first lines are measured in C++
(`invar-bench-runtime`); from Python, as in the tables above, the interpreter's own work is in the figure of every engine.

{table(("what", "µs", "limit", "met"), lines)}
"""


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
