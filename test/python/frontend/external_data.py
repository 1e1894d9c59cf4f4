#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that weights in external files stay with their model.

A model whose weights are inside it, beside it, in a subgraph, in a Constant and in an input's default is written
with every placement of weights into every kind of folder. The result must have the same values and compute the same,
also after the original is removed, unless the result refers to it. No file may be left behind or lost. Impossible
requests must be rejected.

  external_data.py --invar build/dev/bin/invar
"""
import argparse
import os
import shutil
import sys
import tempfile
import warnings
from typing import Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
from model_parts import TRUE, graph, model, node
from models import value
from roundtrip import checker_complaint, message_of

SIZE = 500  # floats: more than an exporter keeps inline
FEEDS = {"x": np.linspace(-1, 1, SIZE, dtype=np.float32)}


def array(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(SIZE, np.float32)


class Folder:
    """A model with weights in all places, in a separate folder."""

    def __init__(self, top: str, inline: bool = True):
        self.top, self.at, self.written = top, os.path.join(top, "a"), 64
        os.makedirs(self.at)
        self.data = open(os.path.join(self.at, "w.bin"), "wb")
        self.data.write(bytes(64))
        wide = value("x", SIZE)
        branch = lambda n: graph([node("Add", f"x {n}", "b")], outputs=[value("b", SIZE)], weights=[self.outside(n, 5)])
        nodes = [node("Constant", "", "c", value=self.outside("", 1)),
                 node("If", "true", "branch", then_branch=branch("u"), else_branch=branch("v")),
                 node("Sum", "x c beside inside few default branch", "y")]
        inside = numpy_helper.from_array(array(3), "inside") if inline else self.outside("inside", 3)
        made = model(nodes, [wide, value("default", SIZE)], [value("y", SIZE)],
                     [TRUE, self.outside("beside", 2), inside, self.outside("few", 4, 1), self.outside("default", 6)])
        self.data.close()
        self.path = os.path.join(self.at, "in.onnx")
        with open(self.path, "wb") as sink:
            sink.write(made.SerializeToString())

    def outside(self, name: str, seed: int, count: int = SIZE) -> TensorProto:
        raw = array(seed)[:count].tobytes()
        tensor = TensorProto(data_type=TensorProto.FLOAT, dims=[count], data_location=TensorProto.EXTERNAL)
        if name:
            tensor.name = name
        for key, entry in (("location", "w.bin"), ("offset", self.written), ("length", len(raw))):
            tensor.external_data.add(key=key, value=str(entry))
        self.data.write(raw)
        self.written += len(raw)
        return tensor


def locations(path: str) -> set[str]:
    tensors = onnx.external_data_helper._get_all_tensors(onnx.load(path, load_external_data=False))
    return {e.value for t in tensors if t.data_location == TensorProto.EXTERNAL for e in t.external_data if e.key == "location"}


def judge(invar: str, top: str, out: str, option: str, expected: set[str] | None, inline: bool = True) -> Iterator[str]:
    """`expected` are the files that the result refers to, or None if the request must be rejected."""
    folder = Folder(top, inline)
    os.makedirs(os.path.join(top, "b"))
    copy = os.path.join(top, "copy")
    shutil.copytree(folder.at, copy)
    original = os.path.join(copy, "in.onnx")
    target = os.path.join(top, out)
    files = lambda: {os.path.relpath(os.path.join(d, f), top) for d, _, names in os.walk(top) for f in names if not d.startswith(copy)}
    before = files()
    ended = harness.run(invar, "optimize", folder.path, "-o", target, "--passes=none", *([option] if option else []))
    new = files() - before - {out}
    if expected is None:
        if ended.code != 2:
            yield f"expected exit 2, but got {ended.ending()}"
        if new or (out not in before and os.path.exists(target)):
            yield "refused, but files are left"
        return
    if ended.code:
        yield ended.ending()
        return
    if (got := locations(target)) != expected:
        yield f"expected references to {expected}, but got {got}"
    own = {os.path.join(os.path.dirname(out), name) for name in expected} - before
    if new != own:
        yield f"expected the new files {own}, but got {new}"
    if before - files():
        yield f"removed {before - files()}"
    if "reference" not in option:  # The result must be self-contained: remove the original.
        os.remove(os.path.join(folder.at, "w.bin"))
        if target != folder.path:
            os.remove(folder.path)
    if message_of(original) != message_of(target):
        yield "values or nodes differ"
    if why := checker_complaint(target):
        yield f"onnx.checker: {why}"
    if why := engines.compare(engines.OnnxRuntime, original, target, FEEDS):
        yield why


CASES = [
    # target, option, references
    *((out, option, refers) for out in ("a/out.onnx", "b/out.onnx", "out.onnx", "a/in.onnx") for option, refers in (
        ("", set()), ("--external-data", {os.path.basename(out) + ".data"}), ("--external-data=my.bin", {"my.bin"}))),
    ("a/out.onnx", "--external-data=reference", {"w.bin", "in.onnx"}),
    ("out.onnx", "--external-data=reference", {"a/w.bin", "a/in.onnx"}),
    ("b/out.onnx", "--external-data=reference", None),
    ("a/in.onnx", "--external-data=reference", None),
    ("a/out.onnx", "--external-data=../w.bin", None),
    ("a/out.onnx", "--external-data=/w.bin", None),
    ("a/out.onnx", "--external-data=out.onnx", None),
]


def judge_replacing(invar: str, top: str) -> Iterator[str]:
    """Writing repeatedly to the same path must leave one data file."""
    folder = Folder(top)
    target = os.path.join(top, "out.onnx")
    other = os.path.join(top, "out.onnx.7.data")  # Has a name of this form, but does not belong to the replaced model.
    open(other, "w").close()
    for step in range(3):
        ended = harness.run(invar, "optimize", folder.path, "-o", target, "--passes=none", "--external-data")
        if ended.code:
            yield ended.ending()
        data = {f for f in os.listdir(top) if f.endswith(".data")} - {os.path.basename(other)}
        if data != locations(target) or len(data) != 1:
            yield f"step {step}: expected one file, {locations(target)}, but got {data}"
    # Overwriting itself by reference must keep its data.
    ended = harness.run(invar, "optimize", target, "-o", target, "--passes=none", "--external-data=reference")
    if ended.code:
        yield ended.ending()
    if message_of(folder.path) != message_of(target):
        yield "values differ after a reference to itself"
    ended = harness.run(invar, "optimize", target, "-o", target, "--passes=none")
    if ended.code or locations(target) or message_of(folder.path) != message_of(target):
        yield "over itself, inline: " + ended.ending()
    if left := {f for f in os.listdir(top) if f.endswith(".data")} - {os.path.basename(other)}:
        yield f"inline, but {left} stays behind"
    if not os.path.exists(other):
        yield "removed a file that is not the model's"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    for out, option, expected in CASES:
        with tempfile.TemporaryDirectory(prefix="external") as top:
            report.check(f"to {out} {option or 'inline'}", judge(options.invar, top, out, option, expected))
    with tempfile.TemporaryDirectory(prefix="external") as top:
        report.check("over itself by reference, all weights beside it",
                     judge(options.invar, top, "a/in.onnx", "--external-data=reference", {"w.bin"}, inline=False))
    with tempfile.TemporaryDirectory(prefix="external") as top:
        report.check("replacing", judge_replacing(options.invar, top))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
