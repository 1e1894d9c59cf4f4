#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that `invar optimize` never rejects a model that onnxruntime loads and runs, and keeps unknown parts unchanged.

Each model (tolerance_models.py) is optimized, written in its own opset with all nodes encoded anew, and only read
and written. A warning must name each tolerated fault, and --strict must reject it in one line. The written model
must compute the same in onnxruntime, and the checker must accept it if it accepted the original; the compiled model
must compute the same, too. Then follow files that are not models, links of download caches, and errors about unknown
operators.

  tolerance.py --invar build/dev/bin/invar [--only TEXT] [-v]
"""
import argparse
import os
import re
import sys
import tempfile
import warnings
from typing import Any, Iterator

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import harness
import tolerance_models
from tolerance_models import Case, info, model_of, node

WAYS = ((), ("--forget-source",), ("--passes=none",), ("--passes=none", "--forget-source"))


def is_accepted(path: str) -> bool:
    try:
        onnx.checker.check_model(path)
    except onnx.checker.ValidationError:
        return False
    return True


def outputs_of(path: str, feeds: list[dict[str, Any]]) -> list[list[Any]] | None:
    """Returns None if onnxruntime does not run the model."""
    try:
        engine = engines.OnnxRuntime(path)
        return [engine.run(given) for given in feeds]
    except engines.CannotRun:
        return None


def close(wanted: list[Any], got: list[Any]) -> bool:
    return len(wanted) == len(got) and all(
        a.shape == b.shape and a.dtype == b.dtype and np.allclose(a, b, 1e-5, 1e-6) for a, b in zip(map(np.asarray, wanted), map(np.asarray, got)))


def judge(invar: str, case: Case, folder: str) -> Iterator[str]:
    source, target = os.path.join(folder, "in.onnx"), os.path.join(folder, "out.onnx")
    with open(source, "wb") as sink:
        sink.write(case.model.SerializeToString())
    wanted, accepted = outputs_of(source, case.feeds), is_accepted(source)
    for way in WAYS:
        ended = harness.run(invar, "optimize", source, "-o", target, "--quiet", *way)
        said = "\n".join(line for line in ended.stderr.splitlines() if line.startswith("warning: "))
        if ended.code:
            yield f"{way}: {ended.ending()}"
            continue
        for warning in case.warning.splitlines():
            if not re.search(warning, said):
                yield f"{way}: expected a warning of '{warning}', but got '{said}'"
        if not case.warning and said:
            yield f"{way}: expected no warning, but got '{said}'"
        if accepted and not is_accepted(target):
            yield f"{way}: the checker accepts the model, but not what is written"
        if wanted is not None:
            got = outputs_of(target, case.feeds)
            if got is None:
                yield f"{way}: onnxruntime runs the model, but not what is written"
            elif not all(map(close, wanted, got)):
                yield f"{way}: outputs differ"
        if case.check and "--passes=none" not in way and not case.check(onnx.load(target)):
            yield f"{way}: what is written is not as it should be"
    yield from judge_strict(invar, case, source, os.path.join(folder, "strict.onnx"))
    if case.compiles:
        yield from judge_compiled(invar, case, source, folder, wanted)


def judge_strict(invar: str, case: Case, source: str, target: str) -> Iterator[str]:
    ended = harness.run(invar, "optimize", source, "-o", target, "--quiet", "--strict")
    if not case.warning:
        if ended.code:
            yield f"--strict refuses it: {ended.ending()}"
        return
    lines = ended.stderr.splitlines()
    if ended.code != 1 or os.path.exists(target):
        yield f"expected --strict to refuse it, but got {ended.ending()}"
    elif len(lines) != 1 or not re.search(case.warning.splitlines()[0].split(".*the last")[0].split("; the last")[0], lines[0]):
        yield f"expected --strict to say '{case.warning}', but got {lines}"


def judge_compiled(invar: str, case: Case, source: str, folder: str, wanted: list[list[Any]] | None) -> Iterator[str]:
    if any(not isinstance(value, np.ndarray) for feeds in case.feeds for value in feeds.values()):
        return  # Sequences cannot be stored in files.
    for turn, feeds in enumerate(case.feeds):
        given = []
        for name, value in feeds.items():
            np.save(os.path.join(folder, f"{name}.npy"), value)
            given.append(f"--input={name}={os.path.join(folder, name)}.npy")
        written = os.path.join(folder, f"outputs{turn}")
        ended = harness.run(invar, "run", source, "--no-cache", f"--output-dir={written}", *given)
        if ended.code:
            yield f"it cannot be compiled and run: {ended.ending()}"
            return
        if wanted is None:
            continue
        names = [output.name for output in case.model.graph.output]
        if not close(wanted[turn], [np.load(os.path.join(written, f"{name}.npy")) for name in names]):
            yield "compiled, its outputs differ"


# Files that are not models

NO_MODELS = {
    "JSON": (b'{"graph": []}\n', "JSON"),
    "text": (b"this is no model\n", "text"),
    "a web page": (b"\n<!DOCTYPE html><html>not found</html>", "a web page"),
    "a pointer of Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "a Git LFS pointer: fetch the file itself"),
    "a library": (b"\x7fELF\x02\x01\x01" + bytes(64), "a program or library"),
    "gzip": (b"\x1f\x8b\x08\x00" + bytes(32), "a gzip file"),
    "zip": (b"PK\x03\x04" + bytes(32), "a zip file"),
    "safetensors": ((2).to_bytes(8, "little") + b"{}", "safetensors"),
    "nothing": (b"", "an empty file"),
    "text format": (b'ir_version: 8\ngraph { name: "g" }\n', "Protocol Buffers' text format"),
}


def judge_no_model(invar: str, content: bytes, words: str, folder: str) -> Iterator[str]:
    path = os.path.join(folder, "in.onnx")
    with open(path, "wb") as sink:
        sink.write(content)
    for command in (("optimize", path, "-o", os.path.join(folder, "out.onnx")), ("compile", path, "-o", os.path.join(folder, "out.so"))):
        ended = harness.run(invar, *command)
        if ended.code != 1 or f"{path}: expected an ONNX model, but got {words}" not in ended.stderr:
            if words not in ended.stderr or ended.code != 1:
                yield f"{command[0]}: expected '{words}', but got {ended.ending()}"


# Errors about unknown operators

def judge_unknown(invar: str, folder: str) -> Iterator[str]:
    path = os.path.join(folder, "in.onnx")
    nodes = [node("Relu", ["x"], ["r"]), node("Frobnicate", ["r"], ["y"], domain="com.example", name="frob")]
    onnx.save(model_of(nodes, opsets=[("", 17), ("com.example", 1)]), path)
    ended = harness.run(invar, "compile", path, "-o", os.path.join(folder, "out.so"))
    for words in ("graph.node[1] 'frob'", "'Frobnicate'", "'com.example'"):
        if words not in ended.stderr:
            yield f"expected {words}, but got {ended.ending()}"


def judge_contradiction(invar: str, folder: str) -> Iterator[str]:
    """Types in errors are written as in the standard, and are short even if names of sizes are long."""
    path, long = os.path.join(folder, "in.onnx"), "/features/" + "block/" * 40 + "Pad_output_0"
    nodes = [node("NonZero", ["x"], [long]), node("Reshape", [long, "t"], ["a"]), node("MatMul", ["a", "b"], ["y"])]
    onnx.save(model_of(nodes, opsets=[("", 17)], inputs=[info("x", [None, None]), info("b", [4, 5])], outputs=[info("y", None)],
                       weights={"t": np.array([-1, 3], np.int64)}), path)
    ended = harness.run(invar, "optimize", path, "-o", os.path.join(folder, "out.onnx"))
    if ended.code != 1:
        yield f"expected exit 1, but got {ended.ending()}"
    if "tensor<" in ended.stderr or "#onnx" in ended.stderr or len(ended.stderr) > 600:
        yield f"expected a short error without MLIR's types, but got {ended.stderr!r}"


# Data files of a model, as in download caches

def save_with_data(folder: str, model: str, data: str) -> None:
    weights = np.arange(256, dtype=np.float32).reshape(16, 16)
    made = model_of([node("MatMul", ["x", "w"], ["y"])], opsets=[("", 17)], inputs=[info("x", [2, 16])], outputs=[info("y", [2, 16])],
                    weights={"w": weights})
    tensor = made.graph.initializer[0]
    onnx.external_data_helper.set_external_data(tensor, location="model.onnx_data")
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for path, content in ((model, made.SerializeToString()), (data, weights.tobytes())):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "wb") as sink:
            sink.write(content)


def link(folder: str, path: str, target: str) -> None:
    os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
    os.symlink(target, os.path.join(folder, path))


def cache(folder: str) -> None:
    save_with_data(folder, "blobs/8a41", "blobs/c07d")
    link(folder, "snapshots/1/model.onnx", "../../blobs/8a41")
    link(folder, "snapshots/1/model.onnx_data", "../../blobs/c07d")


def below(folder: str) -> None:
    """The data are in a folder below that of the model's content."""
    save_with_data(folder, "blobs/8a41", "blobs/c0/c07d")
    link(folder, "snapshots/1/model.onnx", "../../blobs/8a41")
    link(folder, "snapshots/1/model.onnx_data", "../../blobs/c0/c07d")


def plain_model(folder: str) -> None:
    save_with_data(folder, "snapshots/1/model.onnx", "blobs/c07d")
    link(folder, "snapshots/1/model.onnx_data", "../../blobs/c07d")


def elsewhere(folder: str) -> None:
    save_with_data(folder, "blobs/8a41", "secrets/c07d")
    link(folder, "snapshots/1/model.onnx", "../../blobs/8a41")
    link(folder, "snapshots/1/model.onnx_data", "../../secrets/c07d")


def beside_by_name(folder: str) -> None:
    """The data are in a folder whose name only begins like that of the content."""
    save_with_data(folder, "blobs/8a41", "blobs2/c07d")
    link(folder, "snapshots/1/model.onnx", "../../blobs/8a41")
    link(folder, "snapshots/1/model.onnx_data", "../../blobs2/c07d")


FOLDERS = {"a cache": (cache, True), "a cache with folders": (below, True), "a link out of a plain model's folder": (plain_model, False),
           "a link to elsewhere from a linked model": (elsewhere, False), "a link to a folder of a similar name": (beside_by_name, False)}


def judge_folder(invar: str, make, fits: bool, folder: str) -> Iterator[str]:
    """Tests both readers: that of models, and that of a library's weights."""
    make(folder)
    model = os.path.join(folder, "snapshots/1/model.onnx")
    feed = os.path.join(folder, "x.npy")
    np.save(feed, np.ones((2, 16), np.float32))
    ended = harness.run(invar, "optimize", model, "-o", os.path.join(folder, "out.onnx"))
    if (ended.code == 0) != fits or ended.code < 0:
        yield f"optimize: {ended.ending()}"
    if not fits and "leads out" not in ended.stderr:
        yield f"expected 'leads out', but got {ended.ending()}"
    # Compile a library without weights from a valid model.
    with tempfile.TemporaryDirectory(prefix="plain") as plain:
        save_with_data(plain, "a/model.onnx", "a/model.onnx_data")
        library = os.path.join(plain, "a/model.so")
        ended = harness.run(invar, "compile", os.path.join(plain, "a/model.onnx"), "-o", library, "--link-params=none")
        if ended.code:
            yield f"compile: {ended.ending()}"
            return
        ended = harness.run(invar, "run", library, f"--weights={model}", f"--input=x={feed}")
    if (ended.code == 0) != fits or ended.code < 0:
        yield f"run --weights: {ended.ending()}"
    if not fits and "leads out" not in ended.stderr:
        yield f"run --weights: expected 'leads out', but got {ended.ending()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    report = harness.Report(options.verbose)

    def check(name: str, complain, *arguments) -> None:
        if options.only in name:
            with tempfile.TemporaryDirectory(prefix="tolerance") as folder:
                report.check(name, complain(options.invar, *arguments, folder))

    for case in tolerance_models.all_cases():
        check(case.name, judge, case)
    for name, (content, words) in NO_MODELS.items():
        check(f"no model: {name}", judge_no_model, content, words)
    check("an operator that nobody knows", judge_unknown)
    check("shapes that contradict each other", judge_contradiction)
    for name, (make, fits) in FOLDERS.items():
        check(name, judge_folder, make, fits)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
