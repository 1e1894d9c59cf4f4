# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the duration of runs with other engines."""
import contextlib
import math
import pathlib
import sys
from typing import Iterator

import numpy as np

import bars
import compiling
import corpus
from page import Limit, met, milliseconds, table, versions
from setting import Setting
from turns import LEAST_RUNS, TURN_SECONDS, Engine, EngineFailed, take_turns

TITLE = "Running"
PEERS = {"onnxruntime": "onnxruntime", "OpenVINO": "openvino"}
THREADS = (1, 2)
MEAN_LIMIT, MODEL_LIMIT = 1.5, 3.0  # multiples of onnxruntime's time
# Relative to the greatest element: random inputs make some outputs almost zero, where rounding is visible. The tests
# are stricter.
MOST_DIFFERENCE = 0.1


def measure(setting: Setting) -> list[dict]:
    cases = [case for case in corpus.RUN if setting.wants(case.label, case.model)]
    rows: list[dict] = []
    for case, model in corpus.to_run(setting.models, cases):
        if not model.exists():
            rows += [failure(case, threads, "invar", "the model could not be fetched") for threads in THREADS]
            continue
        feeds = setting.scratch / "feeds.npz"
        np.savez(feeds, **case.feeds())
        for threads in THREADS:
            rows += measure_case(setting, case, model, feeds, threads)
            print(f"{case.label}, {counted(threads)}: " + ", ".join(
                f"{row['engine']} {best(row):.3f} ms" if "medians" in row else f"{row['engine']} failed ({row['failed']})"
                for row in rows if row["model"] == case.label and row["threads"] == threads), file=sys.stderr)
    return rows


def failure(case: corpus.Case, threads: int, engine: str, why: str) -> dict:
    return {"model": case.label, "sizes": case.sizes_text(), "threads": threads, "engine": engine, "failed": why[-300:]}


def measure_case(setting: Setting, case: corpus.Case, model: pathlib.Path, feeds: pathlib.Path, threads: int) -> Iterator[dict]:
    """Yields one row per engine."""
    with contextlib.ExitStack() as stack:
        engines: dict[str, Engine] = {}
        for name in ("invar", *PEERS):
            try:
                file = compiling.library(setting, model) if name == "invar" else model
                engines[name] = stack.enter_context(Engine(setting, name, file, feeds, threads))
            except (EngineFailed, compiling.NotCompiled) as error:
                yield failure(case, threads, name, str(error))
        expected = engines["onnxruntime"].results() if "onnxruntime" in engines else None
        for name, medians in take_turns(engines, setting.rounds).items():
            if isinstance(medians, EngineFailed):
                yield failure(case, threads, name, str(medians))
            elif expected and not (apart := difference(engines[name].results(), expected)) <= MOST_DIFFERENCE:
                yield failure(case, threads, name, f"outputs differ from onnxruntime's by {apart:.2g} of the greatest element")
            else:
                yield {"model": case.label, "sizes": case.sizes_text(), "threads": threads, "engine": name, "medians": medians}


def difference(results: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """Returns the greatest difference of any element, relative to the greatest element."""
    if [r.shape for r in results] != [e.shape for e in expected]:
        return math.inf
    return max(float(np.max(np.abs(r.astype(np.float64) - e), initial=0) / max(np.max(np.abs(e), initial=0), 1e-30))
               for r, e in zip(results, expected))


def best(row: dict) -> float:
    return min(row["medians"])


Times = dict[str, dict[str, float]]  # model -> engine -> milliseconds


def times(rows: list[dict], threads: int) -> Times:
    found: Times = {}
    for row in rows:
        if row["threads"] == threads:
            by_engine = found.setdefault(row["model"], {})
            if "medians" in row:
                by_engine[row["engine"]] = best(row)
    return found


def ratios(found: Times, peer: str) -> dict[str, float]:
    """Returns Invar's time divided by the peer's, for the models that both run."""
    return {model: row["invar"] / row[peer] for model, row in found.items() if "invar" in row and peer in row}


def mean(values: dict[str, float]) -> float:
    return math.exp(sum(map(math.log, values.values())) / len(values)) if values else math.nan


def limits(rows: list[dict]) -> list[Limit]:
    found = []
    for threads in THREADS:
        these = times(rows, threads)
        beside = ratios(these, "onnxruntime")
        missing = [model for model in these if model not in beside]
        if not beside:
            found.append(Limit(f"time of a run, {counted(threads)}", f"≤ {MEAN_LIMIT}× onnxruntime", "no model ran", False))
            continue
        worst = max(beside, key=beside.get)
        found += [
            Limit(f"time of a run, geometric mean, {counted(threads)}", f"≤ {MEAN_LIMIT}× onnxruntime",
                  f"{mean(beside):.2f}×" + (f", without {', '.join(missing)}" if missing else ""),
                  mean(beside) <= MEAN_LIMIT and not missing),
            Limit(f"time of a run, the worst model, {counted(threads)}", f"≤ {MODEL_LIMIT:.0f}× onnxruntime",
                  f"{beside[worst]:.2f}× ({worst})", beside[worst] <= MODEL_LIMIT and not missing)]
    return found


def counted(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def section(rows: list[dict]) -> str:
    tables = "\n\n".join(f"### {counted(threads).capitalize()}, milliseconds\n{time_table(rows, threads)}" for threads in THREADS)
    failures = "".join(f"- {row['model']} in {row['engine']}, {counted(row['threads'])}: {row['failed']}\n"
                       for row in rows if "failed" in row)
    return f"""Beside {versions(PEERS)}.

- Every engine has a process of its own, gets the same file, and is called through its own interface with inputs that are
  bound before: the compiled library through Invar's C API, onnxruntime with an I/O binding, OpenVINO with the latency
  hint and in f32, as all others compute.
- Dimensions that a model leaves open stay open for all engines: the sizes below are those of the tensors that are passed.
- The engines run by turns of {TURN_SECONDS:g} s, but {LEAST_RUNS} runs at least; the least of the medians of all turns counts.
- The limits are {MODEL_LIMIT:g}× onnxruntime's time for each model, and {MEAN_LIMIT:g}× for the geometric mean.
- An engine whose outputs are no answer, further from onnxruntime's than {MOST_DIFFERENCE:g} of the greatest element, counts as
  failed; how near Invar's are is what the tests say.
- For scale: onnx-mlir (March 2026) took 7× onnxruntime's time for BERT-base and 5× to 9× for MobileNetV3, measured apart
  with 2 threads.

![time of a run in times onnxruntime's and OpenVINO's](benchmarks-running.svg)

{tables}

{"What did not run:" if failures else "All engines ran all models."}
{failures}"""


def time_table(rows: list[dict], threads: int) -> str:
    found, engines = times(rows, threads), ("invar", *PEERS)
    beside = {peer: ratios(found, peer) for peer in PEERS}
    sizes = {row["model"]: row["sizes"] for row in rows}
    lines = []
    for model, row in found.items():
        ratio = beside["onnxruntime"].get(model)
        lines.append((f"{model} ({sizes[model]})", *(milliseconds(row[e]) if e in row else "failed" for e in engines),
                      *(f"{beside[peer][model]:.2f}×" if model in beside[peer] else "–" for peer in PEERS),
                      met(ratio is not None and ratio <= MODEL_LIMIT)))
    lines.append(("geometric mean", *[""] * len(engines), *(f"{mean(beside[peer]):.2f}×" for peer in PEERS),
                  met(mean(beside["onnxruntime"]) <= MEAN_LIMIT)))
    return table(("model (input)", *engines, *(f"invar / {peer}" for peer in PEERS), "within limit"), lines)


def pictures(rows: list[dict]) -> dict[str, str]:
    groups = {f"invar / {peer}": {counted(threads): ratios(times(rows, threads), peer) for threads in THREADS} for peer in PEERS}
    models = list(times(rows, THREADS[0]))
    return {"benchmarks-running.svg": bars.draw("Time of a run, Invar's over others'", models, groups)}
