# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures run-once constants: the time that they save in each run, and the time and memory that they cost."""
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import onnx
from onnx import helper

import corpus
from compiling import NotCompiled
from feeding import shape_options
from measure import measure as measure_process
from page import Limit, met, milliseconds, table
from setting import MB, Setting
from turns import Engine, EngineFailed, take_turns, worker_command

TITLE = "Constant tensors"
LABELS = ("BERT-base", "ResNet-152")
THREADS, PROCESSES = 2, 4
FOLD, PACK = ("--fold-at=run",), ("--fold-at=never",)
FAST = "--winograd=fast"  # without a limit on the growth of filters
RUNS = 10  # enough to know the duration of a run other than the first
START_LIMIT = 30.0  # milliseconds
COPY_LIMIT, PEAK_LIMIT = 1.05, 1.15  # multiples of one copy, and of the weights


class Library(NamedTuple):
    """A compiled model and the compiler's JSON output for it."""
    path: pathlib.Path
    told: dict

    @property
    def weights_mb(self) -> float:
        """The size of the weights in the model file."""
        return self.told["constant_bytes"] / MB

    @property
    def folded_mb(self) -> float:
        return self.told["folded_bytes"] / MB

    @property
    def activations_mb(self) -> float:
        return (self.told["memory"]["bytes"] + self.told["memory"]["output_bytes"]) / MB


def measure(setting: Setting) -> list[dict]:
    """Returns one row per model."""
    cases = [case for case in corpus.RUN if case.label in LABELS and setting.wants(case.label, case.model)]
    rows = []
    for case, model in corpus.to_run(setting.models, cases):
        try:
            if not model.exists():
                raise EngineFailed("the model could not be fetched")
            rows.append({"model": case.label, "sizes": case.sizes_text(), **measure_model(setting, case, model)})
        except (EngineFailed, NotCompiled) as error:
            rows.append({"model": case.label, "failed": str(error)[-300:]})
        print(f"{case.label}: {json.dumps(rows[-1])}", file=sys.stderr)
    return rows


def measure_model(setting: Setting, case: corpus.Case, model: pathlib.Path) -> dict:
    feeds, facts = setting.scratch / "feeds.npz", shape_options(case.feeds())
    np.savez(feeds, **case.feeds())
    folded, packed, fast = (compile_library(setting, model, *options, *facts) for options in (FOLD, PACK, (*FOLD, FAST)))
    variants = {"": folded, **({f", `{FAST}`": fast} if fast.folded_mb != folded.folded_mb else {})}
    folds = setting.scratch / f"{model.stem}-folds"
    # The variants run in reverse order, so that the folder ends with the constants of the plain one, which the
    # measurements below use.
    memory = [{"variant": variant, "kept": kept, **measure_first_run(setting, library, feeds, folder)}
              for variant, library in reversed(variants.items())
              for kept, folder in (("by the process", None), ("in a file", folds))]
    return {"memory": memory,
            "starts": measure_starts(setting, folded, feeds, folds),
            "medians": measure_runs(setting, {"folded": folded, "packed": packed, "fast": fast}, feeds, folds),
            **measure_sharing(setting, folded, feeds, folds)}


def compile_library(setting: Setting, model: pathlib.Path, *options: str) -> Library:
    target = setting.scratch / f"{model.stem}-{len(list(setting.scratch.iterdir()))}.so"
    ended = subprocess.run([setting.invar, "compile", model, "-o", target, "--json", *options], capture_output=True, text=True)
    if ended.returncode:
        raise NotCompiled(ended.stderr.strip() or f"ended with code {ended.returncode}")
    return Library(target, json.loads(ended.stdout))


def almost_empty(setting: Setting) -> tuple[pathlib.Path, pathlib.Path]:
    """Returns a library without weights that negates one number, and its input."""
    model, feeds = setting.scratch / "no_weights.onnx", setting.scratch / "no_weights.npz"
    onnx.save(corpus.make_model([helper.make_node("Neg", ["x"], ["y"])], [1], "y", []), model)
    np.savez(feeds, x=np.ones(1, np.float32))
    return compile_library(setting, model).path, feeds


# Memory

def measure_first_run(setting: Setting, library: Library, feeds: pathlib.Path, folds: pathlib.Path | None) -> dict:
    """Returns the peak memory of a first run that computes constants, minus that of a process that runs a model without
    weights."""
    own = [peaks(setting, library.path, feeds, folds) for _ in range(setting.repeat)]
    base = [peaks(setting, *almost_empty(setting), None) for _ in range(setting.repeat)]
    total, anonymous = ((max(peak[i] for peak in own) - min(peak[i] for peak in base)) / MB for i in range(2))
    return {"weights_mb": library.weights_mb, "folded_mb": library.folded_mb, "folds": library.told["folds"],
            "activations_mb": library.activations_mb, "peak_mb": total, "anonymous_mb": anonymous}


def peaks(setting: Setting, library: pathlib.Path, feeds: pathlib.Path, folds: pathlib.Path | None) -> tuple[int, int]:
    """Returns the peaks of resident and of anonymous bytes, for a process that finds no stored constants."""
    if folds:
        shutil.rmtree(folds, ignore_errors=True)
    usage = measure_process(worker_command(setting, "invar", library, feeds, THREADS, setting.scratch / "peak.npz", folds))
    if usage.code:
        raise EngineFailed(usage.stderr.strip().splitlines()[-1])
    return usage.peak_total, usage.peak_anonymous


def measure_sharing(setting: Setting, library: Library, feeds: pathlib.Path, folds: pathlib.Path) -> dict:
    """Returns the memory of the mapped constants, per process and in total, over processes that have run the model and
    keep it."""
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(Engine(setting, "invar", library.path, feeds, THREADS, folds)) for _ in range(PROCESSES)]
        parts = [mapped(engine.process.pid, [library.path, *folds.iterdir()]) for engine in running]
    return {"copy_mb": max(part["Rss"] for part in parts) / MB, "shared_mb": sum(part["Pss"] for part in parts) / MB}


def mapped(process: int, files: list[pathlib.Path]) -> dict[str, int]:
    """Returns the bytes of these files that a process has in memory: Rss counts them fully, Pss counts shared pages in
    proportion."""
    found, is_wanted, names = {"Rss": 0, "Pss": 0}, False, [str(file.resolve()) for file in files]
    for line in pathlib.Path(f"/proc/{process}/smaps").read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            is_wanted = line.split(maxsplit=5)[-1] in names
        elif is_wanted and (key := line.partition(":")[0]) in found:
            found[key] += int(line.split()[1]) * 1024
    return found


# Time

def measure_starts(setting: Setting, library: Library, feeds: pathlib.Path, folds: pathlib.Path) -> list[dict]:
    """Measures processes that load stored constants, alternating with processes that have none to load."""
    empty, number = almost_empty(setting)
    rows = []
    for _ in range(setting.rounds):
        with Engine(setting, "invar", library.path, feeds, THREADS, folds) as engine:
            rows.append({**engine.start, "run_ms": min(engine.run(RUNS))})
        with Engine(setting, "invar", empty, number, THREADS, folds) as engine:
            rows[-1]["empty_ms"] = engine.start["load_ms"] + engine.start["first_ms"]
    return rows


def measure_runs(setting: Setting, libraries: dict[str, Library], feeds: pathlib.Path, folds: pathlib.Path) -> dict[str, list[float]]:
    with contextlib.ExitStack() as stack:
        engines = {way: stack.enter_context(Engine(setting, "invar", library.path, feeds, THREADS, folds))
                   for way, library in libraries.items()}
        found = take_turns(engines, setting.rounds)
    for failure in found.values():
        if isinstance(failure, EngineFailed):
            raise failure
    return found


# Results

def beyond(row: dict) -> float:
    """Returns the milliseconds to the first result, without the run itself and without the start of a process that has
    no weights."""
    least = lambda key: min(start[key] for start in row["starts"])
    whole = min(start["load_ms"] + start["first_ms"] for start in row["starts"])
    return max(whole - least("run_ms"), least("load_ms")) - least("empty_ms")


def folds_run(row: dict) -> int:
    return max(start["folds_run"] for start in row["starts"])


def best(row: dict, way: str) -> float:
    return min(row["medians"][way])


def over(first: dict, what: str) -> float:
    """Returns the peak memory without activations, as a multiple of `first[what]`."""
    return (first["peak_mb"] - first["activations_mb"]) / first[what]


def limits(rows: list[dict]) -> list[Limit]:
    found = []
    for row in rows:
        name = row["model"]
        if "failed" in row:
            found.append(Limit(f"constants of {name}", "computed once", "did not run", False))
            continue
        worst = max(over(first, "weights_mb") for first in row["memory"] if not first["variant"])
        found += [
            Limit(f"folds of {name} in a second process", "0", str(folds_run(row)), folds_run(row) == 0),
            Limit("its start, beyond one without weights", f"≤ {START_LIMIT:.0f} ms", f"{beyond(row):.1f} ms",
                  beyond(row) <= START_LIMIT),
            Limit(f"constants of {name} in {PROCESSES} processes", f"≤ {COPY_LIMIT}× one copy",
                  f"{row['shared_mb'] / row['copy_mb']:.2f}×", row["shared_mb"] <= COPY_LIMIT * row["copy_mb"]),
            Limit(f"peak memory of the first run of {name}, without activations", f"≤ {PEAK_LIMIT}× the weights",
                  f"{worst:.2f}×", worst <= PEAK_LIMIT)]
    return found


def time_line(row: dict) -> tuple[str, ...]:
    return (f"{row['model']} ({row['sizes']})", milliseconds(best(row, "folded")), milliseconds(best(row, "fast")),
            milliseconds(best(row, "packed")),
            f"{best(row, 'packed') / best(row, 'folded'):.2f}×", str(folds_run(row)), f"{beyond(row):.1f}", met(beyond(row) <= START_LIMIT))


def memory_line(model: str, first: dict) -> tuple[str, ...]:
    return (f"{model}{first['variant']}, kept {first['kept']}", f"{first['weights_mb']:.0f}",
            f"{first['folded_mb']:.0f} ({first['folds']})", f"{first['activations_mb']:.1f}", f"{first['peak_mb']:.0f}",
            f"{first['anonymous_mb']:.0f}", f"{over(first, 'weights_mb'):.2f}×", f"{over(first, 'folded_mb'):.2f}×",
            "–" if first["variant"] else met(over(first, "weights_mb") <= PEAK_LIMIT))


def section(rows: list[dict]) -> str:
    ran = [row for row in rows if "failed" not in row]
    times = table(("model (input)", "folded, ms", f"with `{FAST}`, ms", "packed in each run, ms", "times faster",
                   "folds in a second process", "its start, ms more", f"≤ {START_LIMIT:.0f} ms"), map(time_line, ran))
    memory = table(("model", "weights, MB", "folded, MB (folds)", "activations, MB", "peak, MB", "anonymous, MB", "of the weights",
                    "of what is folded", "met"),
                   [memory_line(row["model"], first) for row in ran for first in sorted(row["memory"], key=lambda first: first["variant"])])
    shared = "\n".join(f"- {row['model']}: {row['copy_mb']:.0f} MB in one process, {row['shared_mb']:.0f} MB in {PROCESSES} together"
                       for row in ran)
    failures = "".join(f"- {row['model']}: {row['failed']}\n" for row in rows if "failed" in row)
    return f"""What weights are turned into, computed by the first run and kept in a file (`{" ".join(FOLD)}`), beside the same computed
in each run (`{" ".join(PACK)}`). Shapes are stated when compiling; {THREADS} threads. Runs take turns as above.

- The start is that of a second process, which finds the file: what it takes to the first result beyond a later run, or to load
  where that is more, and beyond what a model takes that has no weights and negates one number. Files are in the page cache.
- What is packed in each run is also transformed there, where convolutions multiply transformed filters.

{times}

Memory at the fullest moment of a first run that computes constants, beyond a process whose model has no weights: all that is
resident, with pages of mapped files, and what is anonymous alone. Activations are the planned block and the outputs; the multiples
are those of the peak without them. The limit is {PEAK_LIMIT} times the weights as the model has them. Filters are larger when they
are transformed; with `{FAST}` there is no limit to that, and none is set here.

{memory}

Of {PROCESSES} processes that have run the model, constants in memory, where those of several count in parts (PSS):

{shared}

{failures}"""


def pictures(rows: list[dict]) -> dict[str, str]:
    return {}
