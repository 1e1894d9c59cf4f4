#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests weights outside the model: wherever they are read and written, the model must stay complete.

A model with weights of 12 bytes and of 16 KB in every possible place (initializers of the graph and of a branch,
Constant nodes, defaults of inputs) is exported from inside and from outside, into its own folder and others, with
each placement. The output must be the same message, and must not need a file of the input unless the placement is by
reference.

  weights_outside.py --invar build/dev/bin/invar
"""
import argparse
import os
import sys
import tempfile
from typing import Iterator

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from models import message_of, model_of, value

INLINE, BESIDE, NAMED, REFERENCE = (), ("--external-data",), ("--external-data=w.bin",), ("--external-data=reference",)


def sample() -> ModelProto:
    def weights(where: str) -> list[TensorProto]:
        generator = np.random.default_rng(len(where))
        return [numpy_helper.from_array(generator.random(size, np.float32), f"{where}.{size}") for size in (3, 4096)]

    def constant(name: str, tensor: TensorProto) -> onnx.NodeProto:
        tensor.ClearField("name")  # The name has no meaning there, and is not preserved.
        return helper.make_node("Constant", [], [name], value=tensor)

    def branch(where: str) -> onnx.GraphProto:
        inner = weights(where)
        nodes = [constant(f"{where}.c{i}", w) for i, w in enumerate(weights(f"{where} constant"))]
        names = [w.name for w in inner] + [n.output[0] for n in nodes]
        out = value(f"{where}.out", None)
        nodes += [helper.make_node("Concat", names, [out.name], axis=0)]
        return helper.make_graph(nodes, where, [], [out], inner)

    outer, defaults = weights("outer"), weights("default")
    nodes = [
        constant("c", weights("constant")[1]),
        helper.make_node("If", ["condition"], ["chosen"], then_branch=branch("then"), else_branch=branch("else")),
        helper.make_node("Concat", [*(w.name for w in outer + defaults), "c", "chosen"], ["y"], axis=0),
    ]
    model = model_of(nodes, [*outer, *defaults], inputs="")
    model.graph.input.append(helper.make_tensor_value_info("condition", TensorProto.BOOL, []))
    model.graph.input.extend(value(w.name, *w.dims) for w in defaults)
    model.graph.output[0].CopyFrom(value("y", None))
    onnx.checker.check_model(model)
    return model


def locations(path: str) -> set[str]:
    model = onnx.load(path, load_external_data=False)
    return {entry.value for tensor in onnx.external_data_helper._get_all_tensors(model)
            if tensor.data_location == TensorProto.EXTERNAL for entry in tensor.external_data if entry.key == "location"}


def complaints(invar: str, outside: bool, target: str, options: tuple[str, ...]) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="external") as top:
        folder = os.path.join(top, "a", "b")
        for name in ("a/b/sub", "other"):
            os.makedirs(os.path.join(top, name))
        before, after = os.path.join(folder, "in.onnx"), os.path.normpath(os.path.join(folder, target))
        # Everything outside, also weights that Invar would keep in the model.
        extra = dict(save_as_external_data=True, location="in.data", size_threshold=0, convert_attribute=True)
        onnx.save(sample(), before, **(extra if outside else {}))
        want = message_of(before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--passes=none", *options)
        reaches = os.path.relpath(folder, os.path.dirname(after)).split("/")[0] != ".."
        if options == REFERENCE and not reaches:
            if ended.code != 2:
                yield f"expected exit 2, since the weights are out of reach, but got {ended.ending()}"
            return
        if ended.code:
            yield ended.ending()
            return
        if options == REFERENCE:
            kept = os.path.join(os.path.relpath(folder, os.path.dirname(after)), "in.data" if outside else "in.onnx")
            if (found := locations(after)) != {os.path.normpath(kept)}:
                yield f"expected a reference to '{kept}', but got {sorted(found)}"
        else:
            for name in {"in.onnx", "in.data"}.intersection(os.listdir(folder)):
                os.unlink(os.path.join(folder, name))
        if options == INLINE and (found := locations(after)):
            yield f"expected all weights inside, but got references to {sorted(found)}"
        try:
            if message_of(after) != want:
                yield "the result is another message"
        except Exception as error:
            yield f"the result cannot be read: {error}"


def links(invar: str) -> Iterator[tuple[str, list[str]]]:
    """Nothing may be written through a link that leads out of the output's folder."""
    def place(name: str) -> str:
        return os.path.join(top, name)
    for name, option, code in (("out/w.bin", "out/w.bin", 2), ("w.bin", "w.bin", 2), ("dangling.bin", "dangling.bin", 2),
                               ("within/w.bin", "within/w.bin", 0), ("sub/w.bin", "sub/w.bin", 0), ("no name", "", 0)):
        with tempfile.TemporaryDirectory(prefix="external") as top:
            for folder in ("outside", "inside/sub"):
                os.makedirs(place(folder))
            with open(place("outside/w.bin"), "w") as file:
                file.write("kept")
            for link, target in (("out", "../outside"), ("w.bin", "../outside/w.bin"), ("dangling.bin", "../outside/new.bin"),
                                 ("within", "sub"), ("out.onnx.data", "../outside/new.bin")):
                os.symlink(target, place(f"inside/{link}"))
            onnx.save(sample(), place("in.onnx"))
            ended = harness.run(invar, "optimize", place("in.onnx"), "-o", place("inside/out.onnx"), "--passes=none",
                                f"--external-data={option}" if option else "--external-data")
            complaints = [] if ended.code == code and (code == 0 or "leads out of it through a link" in ended.stderr) else [ended.ending()]
            if os.listdir(place("outside")) != ["w.bin"] or open(place("outside/w.bin"), "rb").read() != b"kept":
                complaints.append(f"expected nothing outside, but got {os.listdir(place('outside'))}")
            # The onnx package follows no links, not even those that stay inside.
            if name == "within/w.bin" and not os.path.isfile(place("inside/sub/w.bin")):
                complaints.append("expected the data where the link leads")
            elif name != "within/w.bin" and code == 0 and not ended.code and message_of(place("inside/out.onnx")) != message_of(place("in.onnx")):
                complaints.append("the result is another message")
            yield f"links: {name}", complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    report = harness.Report(arguments.verbose)
    for outside in (False, True):
        for target in ("out.onnx", "sub/out.onnx", "../out.onnx", "../../other/out.onnx"):
            for options in (INLINE, BESIDE, NAMED, REFERENCE):
                name = f"weights {'outside' if outside else 'inside'}, to {target} {' '.join(options)}"
                report.check(name, complaints(arguments.invar, outside, target, options))
    for name, found in links(arguments.invar):
        report.check(name, found)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
