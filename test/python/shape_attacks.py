#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No numbers in a model may bring shape inference down, nor compiling and running.

Takes the onnx package's node tests and puts absurd numbers into them: sizes of inputs, integer
attributes, the contents of small integer tensors, ranks. Inference must end with 0, or with 1
and one line that says why; an assert, a trap or an endless loop is a failure. Which numbers
go where is drawn from a seed, so that a failure can be repeated. With --compile models are compiled
instead, and what could be compiled is run on random inputs.

  shape_attacks.py --invar build/dev/bin/invar [--compile] [--rounds 1] [--seed 1] [--only NAME]
"""
import argparse
import concurrent.futures
import os
import random
import resource
import sys
import tempfile
import warnings
import zlib

import numpy as np
import onnx
from onnx import AttributeProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import harness
from bad_input import limit_memory

NUMBERS = (0, 1, -1, 2, 3, 7, -2, -7, 64, 255, 2**31 - 1, -2**31, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -2**63, -2**63 + 1)


COMPILE = "compile"


def limit() -> None:
    """An endless loop is ended by the processor time that it takes, thousands of times what is needed."""
    limit_memory()
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))


def attack_ints(values: list[int], draw: random.Random) -> list[int]:
    values = list(values)
    if values and draw.random() < 0.8:
        values[draw.randrange(len(values))] = draw.choice(NUMBERS)
    elif draw.random() < 0.5:
        values.append(draw.choice(NUMBERS))
    elif values:
        values.pop()
    return values


def attack_node(node: onnx.NodeProto, draw: random.Random) -> None:
    for attribute in node.attribute:
        if attribute.type == AttributeProto.INT and draw.random() < 0.5:
            attribute.i = draw.choice(NUMBERS)
        elif attribute.type == AttributeProto.INTS and draw.random() < 0.5:
            values = attack_ints(attribute.ints, draw)
            del attribute.ints[:]
            attribute.ints.extend(values)
        elif attribute.type == AttributeProto.GRAPH:
            for inner in attribute.g.node:
                attack_node(inner, draw)


def attack_input(info: onnx.ValueInfoProto, draw: random.Random) -> None:
    if not info.type.HasField("tensor_type"):
        return
    dims = info.type.tensor_type.shape.dim
    for dim in dims:
        chance = draw.random()
        if chance < 0.2:
            dim.dim_value = draw.choice(NUMBERS)
        elif chance < 0.5:
            dim.dim_param = draw.choice(("n", "m", "n + 1", "2*n", "n*m", "n floordiv 0", "-n", "max(n, m)", "((((n"))
        elif chance < 0.55:
            dim.Clear()
    if draw.random() < 0.1 and dims:
        dims.pop()
    elif draw.random() < 0.1:
        dims.add().dim_value = draw.choice(NUMBERS)
    elif draw.random() < 0.1:
        info.type.tensor_type.ClearField("shape")


def attack_contents(array: np.ndarray, draw: random.Random) -> np.ndarray:
    flat = np.array(array).reshape(-1)
    limits = np.iinfo(flat.dtype)
    for i in range(flat.size):
        if draw.random() < 0.4:
            flat[i] = min(max(draw.choice(NUMBERS), limits.min), limits.max)
    return flat.reshape(array.shape) if draw.random() < 0.9 else flat


def attacked(case, folded: bool, draw: random.Random) -> onnx.ModelProto:
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    del model.graph.value_info[:]
    kept = []
    for info, value in zip(list(model.graph.input), case.data_sets[0][0]):
        small = isinstance(value, np.ndarray) and value.dtype in (np.int64, np.int32) and value.size <= 16
        plain = isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.dtype.isbuiltin
        if small and draw.random() < 0.9:
            model.graph.initializer.append(numpy_helper.from_array(attack_contents(value, draw), info.name))
        elif folded and plain:
            model.graph.initializer.append(numpy_helper.from_array(value, info.name))
        else:
            attack_input(info, draw)
            kept.append(info)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    for node in model.graph.node:
        if draw.random() < 0.6:
            attack_node(node, draw)
    return model


def commands_of(passes: str) -> list[tuple[str, ...]]:
    if passes == COMPILE:
        return [("compile", "in.onnx", "-o", "out.so", "--quiet", "--threads=1"), ("run", "out.so", "--random", "--threads=1")]
    return [("optimize", "in.onnx", "-o", "out.onnx", f"--passes={passes}", "--quiet")]


def attack(invar: str, case, passes: str, seed: int) -> tuple[str, str]:
    """Empty when it ended as it should."""
    draw = random.Random(zlib.crc32(case.name.encode()) + seed)
    try:
        data = attacked(case, passes not in ("infer-shapes", COMPILE), draw).SerializeToString()
    except Exception as error:
        return "skipped", f"no such model can be written: {type(error).__name__}"
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in.onnx"), "wb") as file:
            file.write(data)
        for command in commands_of(passes):
            ended = harness.run(invar, *command, cwd=folder, preexec=limit)
            # Absurd sizes may need more memory than there is, once they are to be filled; and a shape may be any.
            if ended.code not in ((0, 1, 2, 3) if command[0] == "run" else (0, 1)):
                return "failed", f"seed {seed}: {command[0]}: {ended.ending()}"
            notes = [line for line in ended.stderr.splitlines() if not line.startswith("note: ")]
            if ended.code and len(notes) != 1:
                return "failed", f"seed {seed}: expected one line on stderr, but got {ended.stderr[:300]!r}"
            if ended.code:
                return "passed", ""
        if passes != COMPILE:
            try:
                onnx.load(os.path.join(folder, "out.onnx"))
            except Exception as error:
                return "failed", f"seed {seed}: the output cannot be read: {error}"
    return "passed", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--passes", default="simplify", help="of all but infer-shapes, operands are constants")
    parser.add_argument("--compile", action="store_const", const=COMPILE, dest="passes", help="compile and run")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases(None) if arguments.only in case.name]
    report = harness.Report()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for seed in range(arguments.seed, arguments.seed + arguments.rounds):
            for case, (outcome, why) in zip(cases, pool.map(lambda c: attack(arguments.invar, c, arguments.passes, seed), cases)):
                report.add(harness.Verdict(case.name, outcome, why))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
