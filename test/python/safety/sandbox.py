#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the sandbox of the command line: it allows the necessary actions and nothing else.

Each command runs with and without the sandbox, with a preloaded library (escape.c) that tries to escape when the
process ends: read, write, create, rename and remove other files, open sockets, start processes, inspect other
processes. Without the sandbox the attempts must succeed, which shows that the test can fail. In the sandbox all must
be refused, and the command must write the same bytes: with data beside the model, through links, to devices and
descriptors, with tensors that spill to disk.

  sandbox.py --invar build/dev/bin/invar [-v]
"""
import argparse
import errno
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Iterator, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness

REFUSED = {errno.EACCES, errno.EPERM, errno.EXDEV}
HERE = pathlib.Path(__file__).parent


class Case(NamedTuple):
    """A command in a folder; {in} and {out} are the folders of input and output."""
    name: str
    arguments: list[str]
    outputs: list[str] = []
    prints: bool = False


CASES = [
    Case("optimize", ["optimize", "{in}/model.onnx", "-o", "{out}/a.onnx", "--quiet"], ["a.onnx"]),
    Case("optimize, nothing written", ["optimize", "{in}/model.onnx"]),
    Case("optimize, data beside", ["optimize", "{in}/external.onnx", "-o", "{out}/b.onnx", "--external-data", "--quiet"],
         ["b.onnx", "b.onnx.data"]),
    Case("optimize, data referred to", ["optimize", "{in}/external.onnx", "-o", "{in}/c.onnx", "--external-data=reference", "--quiet"]),
    Case("optimize, spilling", ["optimize", "{in}/spilling.onnx", "-o", "{out}/d.onnx", "--memory-limit=1K", "--quiet"], ["d.onnx"]),
    Case("optimize, through links", ["optimize", "{in}/link.onnx", "-o", "{out}/link.onnx", "--quiet"], ["link.onnx"]),
    Case("optimize, links as hubs make them", ["optimize", "{in}/hub/snapshots/x/model.onnx", "-o", "{out}/e.onnx", "--quiet"], ["e.onnx"]),
    Case("optimize to standard output", ["optimize", "{in}/model.onnx", "-o", "/dev/stdout"], prints=True),
    Case("optimize to a device", ["optimize", "{in}/model.onnx", "-o", "/dev/null", "--quiet"]),
    Case("compile", ["compile", "{in}/model.onnx", "-o", "{out}/a.so", "--quiet"], ["a.so"]),
    Case("compile, constants beside", ["compile", "{in}/model.onnx", "-o", "{out}/b.so", "--link-params=file", "--quiet"],
         ["b.so", "b.safetensors"]),
    Case("compile, folding now", ["compile", "{in}/model.onnx", "-o", "{out}/c.so", "--fold-at=compile", "--quiet"], ["c.so"]),
    Case("compile, checking kernels", ["compile", "{in}/model.onnx", "-o", "{out}/d.so", "--check-kernels", "--quiet"], ["d.so"]),
    Case("compile, with a picture", ["compile", "{in}/model.onnx", "-o", "{out}/e.so", "--memory-plan-svg={out}/e.svg", "--quiet"],
         ["e.so", "e.svg"]),
    Case("compile to text", ["compile", "{in}/model.onnx", "--emit=linalg"], prints=True),
    Case("inspect a model", ["inspect", "{in}/external.onnx", "--shapes"], prints=True),
    Case("inspect a library", ["inspect", "{in}/library.so"], prints=True),
    Case("inspect a library with constants beside it", ["inspect", "{in}/apart.so"], prints=True),
]


def write_models(folder: pathlib.Path, invar: str) -> None:
    rng = np.random.default_rng(1)
    weights = [numpy_helper.from_array(rng.random((64, 64), np.float32), f"w{i}") for i in range(3)]
    weights.append(numpy_helper.from_array(np.array(0), "axis"))

    def make(computed: onnx.NodeProto) -> onnx.ModelProto:
        nodes = [computed, helper.make_node("Add", ["s", "w2"], ["w"]), helper.make_node("MatMul", ["x", "w0"], ["a"]),
                 helper.make_node("MatMul", ["a", "w"], ["b"]), helper.make_node("Softmax", ["b"], ["y"])]
        graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 64])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 64])], weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    model = make(helper.make_node("Neg", ["w1"], ["s"]))
    onnx.save(model, folder / "model.onnx")
    # A cumulative sum is computed as a whole, so it spills.
    onnx.save(make(helper.make_node("CumSum", ["w1", "axis"], ["s"])), folder / "spilling.onnx")
    onnx.save(model, folder / "external.onnx", save_as_external_data=True, location="external.data", size_threshold=0)
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    shutil.copy(folder / "model.onnx", elsewhere / "model.onnx")
    (folder / "link.onnx").symlink_to("../elsewhere/model.onnx")
    blobs, snapshot = folder / "hub/blobs", folder / "hub/snapshots/x"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    for name, blob in (("external.onnx", "one"), ("external.data", "two")):
        shutil.copy(folder / name, blobs / blob)
    (snapshot / "model.onnx").symlink_to("../../blobs/one")
    (snapshot / "external.data").symlink_to("../../blobs/two")
    for name, more in (("library.so", []), ("apart.so", ["--link-params=file"])):
        done = harness.run(invar, "compile", folder / "model.onnx", "-o", folder / name, "--quiet", "--no-sandbox", *more)
        if done.code:
            sys.exit(f"cannot compile: {done.ending()}")


class Trial:
    def __init__(self, invar: str, preload: str, folder: pathlib.Path):
        self.invar, self.preload, self.folder = invar, preload, folder

    def run(self, case: Case, is_confined: bool) -> tuple[subprocess.CompletedProcess, dict[str, int], pathlib.Path]:
        outputs = self.folder / ("confined" if is_confined else "free")
        shutil.rmtree(outputs, ignore_errors=True)
        outputs.mkdir()
        # If the output is a link to a file in another folder, that file is written.
        away = outputs.with_name(outputs.name + "-away")
        shutil.rmtree(away, ignore_errors=True)
        away.mkdir()
        (away / "linked.onnx").write_bytes(b"")
        (outputs / "link.onnx").symlink_to(away / "linked.onnx")
        private = self.folder / "private"
        shutil.rmtree(private, ignore_errors=True)
        private.mkdir()
        for secret in ("secret", "second"):
            (private / secret).write_text("secret")
        arguments = [a.format(**{"in": self.folder / "in", "out": outputs}) for a in case.arguments]
        environment = os.environ | {"LD_PRELOAD": self.preload, "ESCAPE_FILE": str(private / "secret"), "ESCAPE_FOLDER": str(private)}
        done = subprocess.run([self.invar, *arguments, "--sandbox" if is_confined else "--no-sandbox"], stdin=subprocess.DEVNULL,
                              capture_output=True, env=environment)
        tried = {name: int(code) for name, code in re.findall(rb"^escape: (\S+) (\d+)$", done.stderr, re.MULTILINE)}
        return done, {name.decode(): code for name, code in tried.items()}, outputs

    def judge(self, case: Case) -> Iterator[str]:
        free, could, before = self.run(case, False)
        confined, can, after = self.run(case, True)
        for done, how in ((free, "without"), (confined, "within")):
            if done.returncode:
                yield f"{how} the sandbox: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()[-300:]}"
                return
        if len(could) < 15 or could.keys() != can.keys():
            yield f"expected the same attempts, at least 15, but got {len(could)} and {len(can)}"
        if stopped := [name for name, code in could.items() if code]:
            yield f"without the sandbox: expected every attempt to work, but not {', '.join(stopped)}"
        if escaped := [f"{name} ({os.strerror(code) if code else 'works'})" for name, code in can.items() if code not in REFUSED]:
            yield f"within the sandbox: expected every attempt to be refused, but not {', '.join(escaped)}"
        for name in case.outputs:
            if not filecmp.cmp(before / name, after / name, shallow=False):
                yield f"expected the same bytes in {name}"
        if case.prints and (not confined.stdout or confined.stdout != free.stdout):
            yield "expected the same words on standard output"


def judge_flags(invar: str, folder: pathlib.Path) -> Iterator[str]:
    model = str(folder / "in/model.onnx")
    done = harness.run(invar, "optimize", model, "-o", folder / "checked.onnx", "--check", "--sandbox")
    if done.code != 2 or "--check" not in done.stderr:
        yield f"--check and --sandbox: expected a usage error that names '--check', but got {done.ending()}"
    done = harness.run(invar, "optimize", folder / "in/none.onnx", "-o", folder / "none.onnx", "--sandbox")
    if done.code != 1 or "No such file" not in done.stderr:
        yield f"no such model: expected to be told, but got {done.ending()}"
    done = harness.run(invar, "optimize", model, "-o", folder / "none/out.onnx", "--sandbox")
    if done.code not in (1, 3) or "No such file" not in done.stderr:
        yield f"no such folder: expected to be told, but got {done.ending()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)
    with tempfile.TemporaryDirectory(prefix="sandbox") as name:
        folder = pathlib.Path(name)
        (folder / "in").mkdir()
        write_models(folder / "in", options.invar)
        if "sandbox: " in (why := harness.run(options.invar, "inspect", folder / "in/model.onnx", "--sandbox").stderr):
            report.skip("all", f"this system cannot confine a process: {why.strip()}")
            return report.finish() and 0
        preload = str(folder / "escape.so")
        compiler = next(filter(None, map(shutil.which, ("clang-22", "cc"))))
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", str(HERE / "escape.c"), "-o", preload], check=True)
        trial = Trial(options.invar, preload, folder)
        for case in CASES:
            report.check(case.name, trial.judge(case))
        report.check("flags", judge_flags(options.invar, folder))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
