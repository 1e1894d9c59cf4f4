#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that compiled models compute the same as onnxruntime: within 1e-4 of the greatest output, quantized models
within 1e-2 or twice the difference between onnxruntime with and without its optimizations. If the difference is
greater, the same model with wider floats decides, if onnxruntime can run it: Invar's outputs may be twice as far
from it as onnxruntime's, or as the wide model with rounded values.

Each model is compiled twice: as it is, with its sizes open, and run with inputs of two different sizes; and with the
shapes of those inputs stated. The script prints a line for each model, with the compile time. Models with an
operator that is not in the standard are skipped, and the operator is printed.

  compiled_models.py --build build/dev [--json] [--option=--winograd=on] FOLDER|FILE…
"""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile
import time
import warnings
from typing import NamedTuple

warnings.filterwarnings("ignore")

import numpy as np
import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import closeness
import engines
import feeding
import harness
import invar_engine
import wide_floats

TOLERANCE, QUANTIZED_TOLERANCE = 1e-4, 1e-2


def is_quantized(model: onnx.ModelProto) -> bool:
    return any("Quantize" in node.op_type or "Integer" in node.op_type for node in model.graph.node)


class Truth:
    """The outputs of the model with wider floats, computed only if outputs differ; none if onnxruntime cannot run
    it."""

    def __init__(self, path: str, feeds: dict[str, np.ndarray]):
        self.outputs = self.rounded = None
        for widening in map(wide_floats.Widening, wide_floats.NARROW):
            try:
                self.outputs, self.rounded = (engines.OnnxRuntime(model).run(widening.feeds(feeds))
                                              for model in (widening.model(path), widening.rounding_model(path)))
                return
            except engines.CannotRun:
                pass  # onnxruntime has no convolution of doubles, but float32 can decide about float16.

    def distance(self, outputs: list) -> float:
        return closeness.distance(self.outputs, [np.asarray(o, t.dtype) for o, t in zip(outputs, self.outputs)])


class Off(NamedTuple):
    """How far outputs are off, and how far they may be."""
    by: float
    allowed: float


def measure(path: str, feeds: dict[str, np.ndarray], want: list, got: list, tolerance: float) -> Off:
    off = Off(closeness.distance(want, got), tolerance)
    if off.by <= off.allowed:
        return off
    truth = Truth(path, feeds)
    if truth.outputs is None:
        return off
    return Off(truth.distance(got), max(tolerance, 2 * truth.distance(want), 2 * truth.distance(truth.rounded)))


def find_foreign(error: invar_engine.NotCompiled) -> str:
    """Returns the message about the operator that was not compiled, if the operator is not in the standard."""
    found = re.search(r"expected an operator that can be compiled, but got '([^']+)'(?: of the domain '([^']+)')?", str(error))
    return found[0] if found and not onnx.defs.has(found[1], found[2] or "") else ""


def judge(build: str, path: str, given: list[str]) -> dict:
    """Returns the outcome for a model: complaints by way of compiling, seconds, and the difference."""
    model = onnx.load(path, load_external_data=False)
    tolerance = QUANTIZED_TOLERANCE if is_quantized(model) else TOLERANCE
    all_feeds = [feeding.signed_feeds(path, lengths) for lengths in feeding.TWO_SIZES]
    reference = engines.OnnxRuntime(path)
    wants = [reference.run(feeds) for feeds in all_feeds]
    if is_quantized(model):
        # If a sum is between two quantization steps, the last bit of a float decides, and the difference grows later.
        tolerance = max(tolerance, *(2 * closeness.distance(want, engines.optimized(path, feeds))
                                     for want, feeds in zip(wants, all_feeds)))
    engine = invar_engine.Engine(build)
    result: dict = {"off": 0.0, "tolerance": tolerance}
    for way, options in {"dynamic": [], "static": feeding.shape_options(all_feeds[0])}.items():
        with tempfile.TemporaryDirectory(prefix="compiled") as folder:
            library = os.path.join(folder, "model.so")
            begun = time.monotonic()
            try:
                engine.compile(path, library, *options, *given)
                result[f"{way}_seconds"] = time.monotonic() - begun
                session = engine.load(library)
                offs = []
                for want, feeds in list(zip(wants, all_feeds))[:2 if way == "dynamic" else 1]:
                    offs.append(measure(path, feeds, want, session.run(feeds), tolerance))
                session.close()
            except (invar_engine.NotCompiled, invar_engine.RunFailed, invar_engine.CompilerCrashed) as error:
                if foreign := find_foreign(error):
                    raise engines.CannotRun(foreign) from None
                result[way] = f"{type(error).__name__}: {error}"
                continue
            result["off"] = max(result["off"], *(off.by for off in offs))
            result["tolerance"] = max(result["tolerance"], *(off.allowed for off in offs))
            result[way] = "; ".join(f"outputs are {off.by:.1e} off, where {off.allowed:.1e} is right"
                                    for off in offs if off.by > off.allowed)
    return result


def judge_apart(build: str, path: str, given: list[str]) -> dict:
    """Judges in a separate process, because compiled code could crash it."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        try:
            return pool.submit(judge, build, path, given).result()
        except concurrent.futures.process.BrokenProcessPool:
            return {"dynamic": "the process that ran it died"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each model")
    parser.add_argument("--option", action="append", default=[], help="for the compiler: --option=--winograd=on")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    report = harness.Report()
    for path in options.paths:
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            try:
                result = judge_apart(options.build, str(model), options.option)
            except engines.CannotRun as error:
                report.skip(model.name, str(error))
                print(f"{model.name}: skipped: {error}", flush=True)
                continue
            for way in ("dynamic", "static"):
                if way in result:
                    report.check(f"{model.name} {way}", [result[way]] if result[way] else [])
            if options.json:
                print(json.dumps({"model": model.name, **result}), flush=True)
            elif "off" in result:
                times = ", ".join(f"{way} {result[f'{way}_seconds']:.1f} s" for way in ("dynamic", "static") if f"{way}_seconds" in result)
                print(f"{model.name}: {result['off']:.0e} off; compiled: {times}", flush=True)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
