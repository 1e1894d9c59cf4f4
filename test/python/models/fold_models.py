#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that models with folded constants compute the same as before, and are not bigger.

Each model goes through `invar optimize` twice. With the default options, the outputs in onnxruntime, with its
optimizations disabled, must be within 1e-5 of the greatest output of the original. With --exact-only --fuse=off,
which folds only what every engine computes alike, they must be the same bits. onnxruntime packs constant weights and
multiplies them with another kernel; if bits differ, both models run again without packing, and then must be equal.
Neither result may exceed the original by more than 64 KiB. The script prints a line for each model.

  fold_models.py --invar build/release/bin/invar [--fetch] FOLDER|FILE…
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import onnx

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness
from closeness import TOLERANCE, distance

ROOT = pathlib.Path(__file__).resolve().parents[3]
GROWTH = 64 << 10
RUNS = {"default": [], "exact": ["--exact-only", "--fuse=off"]}


def bytes_of(folder: str) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def size_of(path: str) -> int:
    """Returns the size of a model and of the files that it refers to."""
    names = {os.path.basename(path)}
    for tensor in onnx.load(path, load_external_data=False).graph.initializer:
        names.update(entry.value for entry in tensor.external_data if entry.key == "location")
    return sum(os.path.getsize(os.path.join(os.path.dirname(path), name)) for name in names)


def nodes_of(path: str) -> int:
    return len(onnx.load(path, load_external_data=False).graph.node)


def same_unpacked(before: str, after: str, feeds: dict) -> bool:
    want, got = (engines.OnnxRuntime(model, packs=False).run(feeds) for model in (before, after))
    return engines.same_bits(want, got)


def judge(invar: str, path: str, report: harness.Report) -> None:
    name, before = os.path.basename(path), size_of(path)
    try:
        feeds = feeding.random_feeds(path)
        want = engines.OnnxRuntime(path).run(feeds)
    except engines.CannotRun as error:
        return report.skip(name, str(error))
    line = [f"{name}: {nodes_of(path)} nodes, {before:,} bytes"]
    for run, options in RUNS.items():
        with tempfile.TemporaryDirectory(prefix="fold") as folder:
            target = os.path.join(folder, "out.onnx")
            ended = harness.run(invar, "optimize", path, "-o", target, "--quiet", *options)
            complaints = []
            if ended.code:
                report.check(f"{name} {run}", [ended.ending()])
                continue
            after = bytes_of(folder)
            if after > before + GROWTH:
                complaints.append(f"grew by {after - before:,} bytes")
            try:
                got = engines.OnnxRuntime(target).run(feeds)
            except engines.CannotRun as error:
                report.check(f"{name} {run}", [f"does not run: {error}"])
                continue
            off = distance(want, got)
            if run == "exact" and not engines.same_bits(want, got):
                if not same_unpacked(path, target, feeds):
                    complaints.append(f"other bits, {off:.1e} off")
                else:
                    line.append("same bits unpacked")
            elif off > TOLERANCE:
                complaints.append(f"outputs are {off:.1e} off")
            line.append(f"{run} {nodes_of(target)} nodes, {after - before:+,} bytes, {off:.0e} off")
            report.check(f"{name} {run}", complaints)
    print("; ".join(line), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--fetch", action="store_true", help="first get what is missing into the folder")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    report = harness.Report()
    for path in options.paths:
        if options.fetch and not path.is_file():
            subprocess.run([sys.executable, ROOT / "utils/fetch-models", "--out", path], check=True)
        for model in [path] if path.is_file() else sorted(path.rglob("*.onnx")):
            judge(options.invar, str(model), report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
