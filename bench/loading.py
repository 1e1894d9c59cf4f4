# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time from opening a large model to its first result."""
import pathlib
import sys

import numpy as np

import compiling
import corpus
from inference import PEERS
from page import Limit, met, table
from setting import MB, Setting
from turns import Engine, EngineFailed

TITLE = "Loading"
LABELS = ("ResNet-152", "BERT-base", "XLNet-base", "GPT-2")
ASKED = "BERT-base"  # the model of about 400 MB
THREADS = 2
MS_LIMIT, RATIO_LIMIT = 100.0, 5.0
RUNS = 3  # enough to know the duration of a run other than the first


def measure(setting: Setting) -> list[dict]:
    """Returns one row per process."""
    cases = [case for case in corpus.RUN if case.label in LABELS and setting.wants(case.label, case.model)]
    rows = []
    for case, model in corpus.to_run(setting.models, cases):
        feeds = setting.scratch / "feeds.npz"
        np.savez(feeds, **case.feeds())
        for turn in range(setting.rounds):
            for engine in ("invar", *PEERS):
                rows.append({"model": case.label, "engine": engine, "turn": turn, **measure_once(setting, engine, model, feeds)})
        print(f"{case.label}: first result after " + ", ".join(
            f"{took:.1f} ms in {engine}" for engine in ("invar", *PEERS)
            if (took := best(rows, case.label, engine, "first_ms")) is not None), file=sys.stderr)
    return rows


def measure_once(setting: Setting, engine: str, model: pathlib.Path, feeds: pathlib.Path) -> dict:
    try:
        if not model.exists():
            raise EngineFailed("the model could not be fetched")
        file = compiling.library(setting, model) if engine == "invar" else model
        file.read_bytes()  # Load the file into the page cache.
        with Engine(setting, engine, file, feeds, THREADS) as running:
            run = min(running.run(RUNS))
            start = running.start
    except (EngineFailed, compiling.NotCompiled) as error:
        return {"failed": str(error)[-300:]}
    return {"mb": file.stat().st_size / MB, "load_ms": start["load_ms"], "first_ms": start["load_ms"] + start["first_ms"], "run_ms": run}


def best(rows: list[dict], model: str, engine: str, what: str) -> float | None:
    return min((row[what] for row in rows if row["model"] == model and row["engine"] == engine and what in row), default=None)


def beyond(rows: list[dict], model: str) -> float | None:
    """Returns Invar's time to the first result without the run itself, but at least the time to load."""
    load, first, run = (best(rows, model, "invar", what) for what in ("load_ms", "first_ms", "run_ms"))
    return None if load is None else max(first - run, load)


def limits(rows: list[dict]) -> list[Limit]:
    own, peer = beyond(rows, ASKED), best(rows, ASKED, "onnxruntime", "load_ms")
    if own is None or peer is None:
        return [Limit(f"load of {ASKED}", f"< {MS_LIMIT:.0f} ms", "did not run", False)]
    return [Limit(f"load of {ASKED} to the first result, beyond the run", f"< {MS_LIMIT:.0f} ms", f"{own:.1f} ms", own < MS_LIMIT),
            Limit("the same beside onnxruntime's session creation", f"≥ {RATIO_LIMIT:.0f}× faster", f"{peer / own:.1f}× ({peer:.0f} ms)",
                  peer / own >= RATIO_LIMIT)]


def section(rows: list[dict]) -> str:
    lines = []
    for model in dict.fromkeys(row["model"] for row in rows):
        own, created = beyond(rows, model), best(rows, model, "onnxruntime", "load_ms")
        cells = [best(rows, model, "invar", "load_ms"), own, *(best(rows, model, peer, "load_ms") for peer in PEERS)]
        size, is_known = best(rows, model, "invar", "mb"), own is not None and created is not None
        lines.append((model if size is None else f"{model} ({size:.0f})", *("failed" if cell is None else f"{cell:.1f}" for cell in cells),
                      f"{created / own:.1f}×" if is_known else "–",
                      met(is_known and own < MS_LIMIT and created / own >= RATIO_LIMIT)))
    head = ("model (MB compiled)", "invar: load", "invar: load and first run, beyond a run",
            *(f"{peer}: session" for peer in PEERS), "times faster than onnxruntime's session", "within limits")
    failures = "".join(f"- {row['model']} in {row['engine']}: {row['failed']}\n" for row in rows if "failed" in row and row["turn"] == 0)
    return f"""Milliseconds with {THREADS} threads, the least of {1 + max(row["turn"] for row in rows)} processes.

- Files are in the page cache, and an engine's own libraries are loaded before. Engines take turns.
- A compiled model is mapped: its first run brings in the pages, so that what it takes beyond a later run is counted too.
  Of the others only creating the session is counted.
- The limits are {MS_LIMIT:.0f} ms, and {RATIO_LIMIT:.0f} times faster than onnxruntime's session creation.

{table(head, lines)}

{failures}"""


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
