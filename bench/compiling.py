# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time and memory of `invar compile`."""
import pathlib
import sys

import onnx

import corpus
import growing_models
from measure import measure as measure_process
from page import Limit, met, table
from setting import MB, Setting

TITLE = "Compiling"
THREADS = 2
SECONDS_LIMIT = {"ResNet-152": 10.0, "BERT-base": 10.0}
# Kinds of generated models of growing size (test/python/support/growing_models.py). The limit applies to the largest.
GROWING = (growing_models.chain, growing_models.weights, growing_models.wide)
GROWING_NODES = (10_000, 30_000, 100_000)
GROWING_SECONDS_LIMIT = 15.0


class NotCompiled(Exception):
    """Holds the compiler's error output."""


def library(setting: Setting, model: pathlib.Path) -> pathlib.Path:
    """Returns the compiled model. Each model is compiled at most once per run of the benchmark."""
    target = setting.scratch / f"{model.stem}.so"
    if not target.exists():
        usage = measure_process(command(setting, model, target))
        if usage.code:
            raise NotCompiled(usage.stderr.strip() or f"ended with code {usage.code}")
    return target


def command(setting: Setting, model: pathlib.Path, target: pathlib.Path) -> list[str]:
    return [str(setting.invar), "compile", str(model), "-o", str(target), f"--threads={THREADS}", "--quiet"]


def memory_limit(weights: float) -> float:
    """Both numbers are in megabytes."""
    return 0.5 * weights + 300


def measure(setting: Setting) -> list[dict]:
    cases = [case for case in corpus.RUN if setting.wants(case.label, case.model)]
    rows = []
    for case, model in corpus.to_run(setting.models, cases):
        if not model.exists():
            rows.append({"model": case.label, "failed": "the model could not be fetched"})
            continue
        model.read_bytes()  # Load the file into the page cache.
        target = setting.scratch / f"{model.stem}.so"
        runs = [measure_process(command(setting, model, target)) for _ in range(setting.repeat)]
        bad = next((run for run in runs if run.code), None)
        if bad:
            rows.append({"model": case.label, "failed": bad.stderr.strip()[-300:] or f"ended with code {bad.code}"})
        else:
            rows.append({"model": case.label, "mb": model.stat().st_size / MB, "seconds": [run.wall for run in runs],
                         "anonymous_mb": max(run.peak_anonymous for run in runs) / MB,
                         "total_mb": max(run.peak_total for run in runs) / MB, "library_mb": target.stat().st_size / MB})
        print(f"{case.label}: " + (f"{min(rows[-1]['seconds']):.2f} s, {rows[-1]['anonymous_mb']:.0f} MB of its own"
                                   if "seconds" in rows[-1] else rows[-1]["failed"]), file=sys.stderr)
    return rows + measure_growing(setting)


def measure_growing(setting: Setting) -> list[dict]:
    rows = []
    for kind in GROWING:
        for nodes in GROWING_NODES if setting.wants("growing", kind.__name__) else ():
            label, model = f"{kind.__name__}, {nodes:,} nodes", setting.scratch / f"{kind.__name__}.onnx"
            onnx.save(kind(nodes), model)
            runs = [measure_process(command(setting, model, model.with_suffix(".so"))) for _ in range(setting.repeat)]
            row = {"growing": kind.__name__, "model": label, "nodes": nodes, "seconds": [run.wall for run in runs],
                   "user": min(run.user for run in runs)}
            bad = next((run for run in runs if run.code), None)
            if bad:
                row = {"growing": kind.__name__, "model": label, "nodes": nodes, "failed": bad.stderr.strip()[-300:]}
            rows.append(row)
            print(f"{label}: " + row.get("failed", f"{min(row.get('seconds', [0])):.2f} s"), file=sys.stderr)
    return rows


def limits(rows: list[dict]) -> list[Limit]:
    found = []
    for kind in dict.fromkeys(row["growing"] for row in rows if "growing" in row):
        largest = max((row for row in rows if row.get("growing") == kind), key=lambda row: row["nodes"])
        seconds = min(largest.get("seconds", [float("inf")]))
        found.append(Limit(f"compile time of {largest['model']}, {THREADS} threads", f"≤ {GROWING_SECONDS_LIMIT:.0f} s",
                           f"{seconds:.1f} s", seconds <= GROWING_SECONDS_LIMIT))
    rows = [row for row in rows if "growing" not in row]
    for row in rows:
        if row["model"] in SECONDS_LIMIT:
            seconds, limit = min(row.get("seconds", [float("inf")])), SECONDS_LIMIT[row["model"]]
            found.append(Limit(f"compile time of {row['model']}, {THREADS} threads", f"< {limit:.0f} s", f"{seconds:.1f} s", seconds < limit))
    compiled = [row for row in rows if "seconds" in row]
    if compiled:
        for kind, words in (("anonymous_mb", "of its own"), ("total_mb", "with mapped files")):
            worst = max(compiled, key=lambda row: row[kind] / memory_limit(row["mb"]))
            found.append(Limit(f"peak memory while compiling, {words}, the worst of {len(rows)} models", "≤ 0.5× weights + 300 MB",
                               f"{worst[kind]:.0f} of {memory_limit(worst['mb']):.0f} MB ({worst['model']})",
                               worst[kind] <= memory_limit(worst["mb"]) and len(compiled) == len(rows)))
    return found


def section(rows: list[dict]) -> str:
    lines = []
    growing = [(row["model"], *((f"{min(row['seconds']):.2f}", f"{row['user']:.2f}", f"{row['user'] / row['nodes'] * 1e6:.0f}")
                                if "seconds" in row else ("failed", "", ""))) for row in rows if "growing" in row]
    rows = [row for row in rows if "growing" not in row]
    for row in rows:
        if "failed" in row:
            lines.append((row["model"], "failed", *[""] * 5, met(False)))
            continue
        limit, seconds = memory_limit(row["mb"]), min(row["seconds"])
        is_met = row["anonymous_mb"] <= limit and seconds < SECONDS_LIMIT.get(row["model"], float("inf"))
        lines.append((f"{row['model']} ({row['mb']:.1f})", f"{seconds:.2f}",
                      f"< {SECONDS_LIMIT[row['model']]:.0f}" if row["model"] in SECONDS_LIMIT else "–",
                      f"{row['anonymous_mb']:.0f}", f"{row['total_mb']:.0f}", f"{limit:.0f}", f"{row['library_mb']:.1f}", met(is_met)))
    failures = "".join(f"- {row['model']}: {row['failed']}\n" for row in rows if "failed" in row)
    return f"""`invar compile IN -o OUT --threads={THREADS}`, the least time and the greatest memory of {max((len(r.get("seconds", ())) for r in rows), default=0)} runs.

- Each run is a process of its own; files are in the page cache.
- Memory of its own is what the system cannot drop (anonymous); the other figure counts pages of the mapped model, of the
  program and of the library that is written, too. The verdict of a line is about the first, the table at the top has both.
- The limit on memory is half of the model's bytes and 300 MB.
- For scale: onnx-mlir takes 26 s and 2.6 GB for BERT-base.

{table(("model (MB)", "seconds", "limit", "peak MB of its own", "peak MB with mapped files", "limit, MB", "library, MB", "met"), lines)}

{failures}
Models of small layers that grow, of which the largest is to take at most {GROWING_SECONDS_LIMIT:.0f} s:

{table(("model", "seconds", "processor, s", "processor, µs per node"), growing)}
"""


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
