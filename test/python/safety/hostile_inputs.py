#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that no input makes a run crash: sizes, indices, lengths and axes that no model expects (hostile_models.py).

Each model is compiled with these as inputs, and run with random ones in a forked process with little memory. A run
must end with outputs or with a status, without a signal or a hang. The results are compared with onnxruntime: for
operators that take indices or lengths, Invar must reject what onnxruntime rejects; if onnxruntime computes outputs,
Invar must compute the same, or reject the inputs for a reason that is listed below.

  hostile_inputs.py --build build/dev [--count 500] [--seed 1] [--only NAME]

With a sanitized build (build/asan-mlir), a report of the sanitizer is a failure.
"""
import argparse
import collections
import os
import re
import sys
import tempfile
from typing import Any, Callable, NamedTuple

import numpy as np
import onnxruntime as ort

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import isolate
import sanitized
from hostile_models import INDEXED, OPERATORS, Model
from invar_engine import RunFailed
from toolchain import Refused, Toolchain, Variant

DRAWS = 10  # Per model.
MEMORY = 2 << 30  # In addition to the initial size of the process.

# Inputs that Invar rejects although onnxruntime runs: operator, message, reason.
REFUSALS = [
    (r".*", r"bytes", "memory is limited here, and onnxruntime may need less of it"),
    (r".*", r"expected input '", "inputs whose sizes the model itself says are equal are not"),
    (r"resize_scales|resize_sizes", r"up to \d+ places", "an axis longer than the runtime resizes"),
    (r"mel_weights", r"expected a length from 1", "a length below 1, of which onnxruntime makes an empty tensor"),
    (r"top_k", r"expected 'K'", "more than there are: onnxruntime keeps the lowest bits of the number"),
    (r"cum_sum", r"expected an axis", "an axis that is not there, of a tensor without elements"),
    (r"reduce.*|squeeze", r"different axes|expected result 0", "an axis that is listed twice"),
    (r"center_crop_pad", r"expected no more to be cropped", "a negative size, of which onnxruntime makes an empty tensor"),
    (r"roi_align_boxes", r"expected images with elements", "an image without elements, beyond which onnxruntime reads"),
]
# Inputs that only onnxruntime rejects: operator, its message, reason.
ALLOWANCES = [
    (r"pad_axes", r"zero effective input extent", "a result without elements, of a part without elements"),
    (r"pad_axes", r"exceeds maximum allowed|requires axis length", "a border longer than the axis, which is reflected again, as the reference evaluator does"),
    (r"tile", r"would require more than", "a result without elements, of which one size is large"),
]
# Outputs that may differ: operator, difference, reason.
DIFFERENCES = [
    (r"center_crop_pad", r"shape \[.*\b0\b", "onnxruntime leaves sizes of a result without elements as they are"),
    (r"reduce.*", r"shape \[.*\b0\b", "onnxruntime leaves an axis of a tensor without elements as it is"),
]
LARGEST = 1e6  # For greater coordinates or scales, the standard does not define the result.


class Item(NamedTuple):
    number: int
    seed: int
    draws: int
    skipped: tuple[int, ...] = ()  # Draws that crash onnxruntime.

    @property
    def name(self) -> str:
        names = sorted(OPERATORS)
        return names[self.number % len(names)]


def describe(feeds: dict[str, np.ndarray]) -> str:
    return ", ".join(f"{name}={value.tolist()}" if value.dtype.kind in "iu" or value.size < 13 else f"{name}={list(value.shape)}"
                     for name, value in feeds.items())[:600]


def differs(ours: list[Any], theirs: list[Any]) -> str:
    if len(ours) != len(theirs):
        return f"{len(ours)} values for {len(theirs)}"
    for own, other in zip(ours, theirs):
        if isinstance(own, list):
            if inner := differs(own, other):
                return inner
            continue
        if own.shape != other.shape:
            return f"shape {list(own.shape)} for {list(other.shape)}"
        if own.dtype.kind in "fc":
            if not np.allclose(own, other, rtol=1e-3, atol=1e-4, equal_nan=True):
                return f"{own.reshape(-1)[:8].tolist()} for {other.reshape(-1)[:8].tolist()}"
        elif not np.array_equal(own, other):
            return f"{own.reshape(-1)[:8].tolist()} for {other.reshape(-1)[:8].tolist()}"
    return ""


class Case:
    """A model and its draws."""

    def __init__(self, item: Item):
        self.model = Model(np.random.default_rng([item.number, item.seed]))
        OPERATORS[item.name](self.model)
        self.bytes = self.model.proto().SerializeToString()

    def draw(self, item: Item, number: int) -> dict[str, np.ndarray]:
        rng = np.random.default_rng([item.number, item.seed, number])
        return {name: draw(rng) for name, draw in self.model.draws.items()}


def run_theirs(model: bytes) -> Callable[[dict[str, np.ndarray]], list[Any] | str]:
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(feeds: dict[str, np.ndarray]) -> list[Any] | str:
        try:
            return session.run(None, feeds)
        except Exception as error:
            return "refused: " + str(error).replace("\n", " ")[:200]
    return run


def work(item: Item, say: Callable[[str], None], toolchain: Toolchain) -> list[list[str]]:
    """Returns for each draw an outcome and a text."""
    sanitized.limit_memory(MEMORY)
    case = Case(item)
    with tempfile.TemporaryDirectory(prefix="hostile") as folder:
        library = os.path.join(folder, "model.so")
        say("compile")
        try:
            toolchain.compile(case.bytes, library, Variant(is_open=True), {})
        except Refused as refused:
            return [["not compiled", str(refused)]]
        session = toolchain.load(library, 2)
        ours: list[list[Any] | str | None] = []
        for number in range(item.draws):
            say(f"draw {number}: {describe(case.draw(item, number))}")
            try:
                ours.append(session.run(case.draw(item, number)))
            except RunFailed as failed:
                ours.append(str(failed))
            except (MemoryError, ValueError):
                ours.append(None)
        session.close()
    say("onnxruntime: open")
    try:
        theirs = run_theirs(case.bytes)
    except Exception as error:
        return [["alone", f"onnxruntime does not load it: {str(error)[:120]}"]] * item.draws
    outcomes = []
    for number, own in enumerate(ours):
        feeds = case.draw(item, number)
        if number in item.skipped:
            outcomes.append(["alone", "onnxruntime died of it"])
            continue
        say(f"onnxruntime: draw {number}")
        is_strange = any(not (np.abs(feeds[name]) <= LARGEST).all() for name in case.model.strange)
        outcomes.append([*judge(item.name, own, theirs(feeds), is_strange), describe(feeds)])
    return outcomes


def find_reason(table: list[tuple[str, str, str]], name: str, text: str) -> str:
    return next((reason for operators, words, reason in table if re.fullmatch(operators, name) and re.search(words, text)), "")


def judge(name: str, own: list[Any] | str | None, other: list[Any] | str, is_strange: bool) -> list[str]:
    if own is None:
        return ["alone", "outputs that numpy has no memory for"]
    if isinstance(own, str) and isinstance(other, str):
        return ["refused by both", own]
    if isinstance(own, str):
        if reason := find_reason(REFUSALS, name, own):
            return ["refused here", reason]
        return ["wrong", f"refused, where onnxruntime runs: {own}"]
    if isinstance(other, str):
        is_wrong = name in INDEXED and not find_reason(ALLOWANCES, name, other)
        return ["wrong" if is_wrong else "refused there", f"runs, where onnxruntime does not: {other}"]
    difference = differs(own, other)
    reason = find_reason(DIFFERENCES, name, difference) or ("a float that is no number, or beyond all sizes" if is_strange else "")
    if difference and reason:
        return ["differs", reason]
    return ["wrong", f"gives {difference}"] if difference else ["same", ""]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--count", type=int, default=500, help="runs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="operators whose names contain this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    sanitized.prepare(arguments.build)
    toolchain = Toolchain(arguments.build)
    report = harness.Report(arguments.verbose)
    counts: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    items = [Item(number, arguments.seed, DRAWS) for number in range(max(len(OPERATORS), arguments.count // DRAWS))]
    items = [item for item in items if not arguments.only or arguments.only in item.name]
    while items:
        again = []
        for item, outcome in isolate.run_all(lambda item, say: work(item, say, toolchain), items, jobs=arguments.jobs, batch=1):
            title = f"{item.name} {item.number} of seed {item.seed}"
            if isinstance(outcome, isolate.Died):
                dead = re.match(r"onnxruntime: draw (\d+)", outcome.stage)
                if dead:
                    again.append(item._replace(skipped=(*item.skipped, int(dead.group(1)))))
                elif outcome.stage == "onnxruntime: open":
                    report.skip(title, "onnxruntime dies when it loads the model")
                else:
                    report.check(title, [f"{outcome.ending} at {outcome.stage}: {outcome.words}"])
                continue
            for kind, text, *feeds in outcome:
                counts[kind] += 1
                if kind in ("alone", "differs", "refused here", "refused there"):
                    reasons[f"{item.name}: {kind}: {text[:150]}"] += 1
                    if arguments.verbose:
                        print(f"{kind}: {title}: {text}; for {''.join(feeds)}")
                if kind == "not compiled":
                    report.check(title, [f"not compiled: {text}"])
                else:
                    report.check(title, [f"{text}; for {''.join(feeds)}"] if kind == "wrong" else [])
        items = again
    if arguments.verbose:
        harness.print_reasons("count", reasons)
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return report.finish()


if __name__ == "__main__":
    raise SystemExit(main())
