#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the decomposition of operators, and runs the results.

Every node test of the onnx package for an operator that has a decomposition rule goes through `invar optimize
--passes=decompose`. The operator must be gone, and the outputs must be the expected ones within the tolerances of
the case, in onnxruntime or otherwise in the reference evaluator. A second run must change nothing. The same is done
with all sizes unknown. Cases that are not decomposed are listed below with the reason; the lists must match exactly.

Random Einsum equations follow, with random sizes of which some are unknown. They are compared with numpy.einsum.

  decompose.py --invar build/dev/bin/invar [--only NAME] [--seed N] [--equations N]
"""
import argparse
import concurrent.futures
import os
import random
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(1, sys.path[0] + "/../support")
import harness
from closeness import difference
from engines import CannotRun, OnnxRuntime, Reference, as_array

OPERATORS = """
    AffineGrid Attention BatchNormalization BlackmanWindow CausalConvWithState Celu CenterCropPad Clip DepthToSpace
    DynamicQuantizeLinear Einsum Elu Gelu GroupNormalization HammingWindow HannWindow HardSigmoid HardSwish
    InstanceNormalization LayerNormalization LeakyRelu LpNormalization Mean MeanVarianceNormalization Mish
    NegativeLogLikelihoodLoss PRelu RMSNormalization ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare
    RotaryEmbedding Selu Shrink SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Sum SwiGLU Swish
    ThresholdedRelu""".split()

# Cases that are not decomposed.
STAYS: dict[str, str] = {}
# Operators of which some are not decomposed if only ranks are known.
STAYS_UNSIZED = {
    "AffineGrid": "whether the grid has two dimensions or three is not known",
    "CausalConvWithState": "how many channels there are, which are groups, is not known",
    "Einsum": "whether an axis is summed over or repeated is not known",
    "RotaryEmbedding": "where the second half begins is not known",
}


def operators_of(model: onnx.ModelProto) -> set[str]:
    found = {node.op_type for node in model.graph.node}
    return found | {node.op_type for function in model.functions for node in function.node}


def without_sizes(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model with only the ranks of inputs and outputs known."""
    free = onnx.ModelProto()
    free.CopyFrom(model)
    for info in (*free.graph.input, *free.graph.output):
        for dim in info.type.tensor_type.shape.dim:
            dim.Clear()
    return free


def decompose(invar: str, model: onnx.ModelProto, *options: str) -> onnx.ModelProto:
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(model, before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet", *(options or ("--passes=decompose",)))
        if ended.code:
            raise ChildProcessError(ended.ending())
        return onnx.load(after)


def run(model: onnx.ModelProto, feeds: dict, engines: tuple = (OnnxRuntime, Reference)) -> list:
    """Runs the model in the first engine that can."""
    content = model.SerializeToString()
    reasons = []
    for engine in engines:
        try:
            return engine(content).run(feeds)
        except CannotRun as error:
            reasons.append(f"{engine.name}: {error}")
    raise CannotRun("; ".join(reasons))


def judge(invar: str, case, is_sized: bool) -> tuple[str, str]:
    """Returns 'gone', 'stays', 'failed' or 'skipped', and the reason."""
    try:
        apart = decompose(invar, case.model if is_sized else without_sizes(case.model))
    except ChildProcessError as error:
        return "failed", str(error)
    if left := operators_of(apart).intersection(OPERATORS):
        return "stays", ", ".join(sorted(left))
    if is_sized and decompose(invar, apart).graph.node != apart.graph.node:
        return "failed", "expected what was taken apart to stay as it is, but it did not"
    for inputs, outputs in case.data_sets:
        feeds = {info.name: as_array(value) for info, value in zip(case.model.graph.input, inputs)}
        try:
            got = run(apart, feeds)
        except CannotRun as error:
            try:
                run(case.model, feeds)
            except CannotRun:
                return "skipped", "no engine runs the original"
            return "failed", f"no engine runs what it became: {error}"
        for info, value, want in zip(apart.graph.output, got, outputs):
            if why := difference(np.asarray(value), as_array(want), case.rtol, case.atol):
                return "failed", f"'{info.name}': {why}"
    return "gone", ""


def add_cases(report: harness.Report, invar: str, only: str, jobs: concurrent.futures.Executor) -> None:
    everything = [case for case in collect_testcases(None) if operators_of(case.model).intersection(OPERATORS)]
    cases = [case for case in everything if only in case.name]
    reasons = {f"test_{name}": why for why, names in STAYS.items() for name in names.split()}
    for case, (verdict, why) in zip(cases, jobs.map(lambda c: judge(invar, c, is_sized=True), cases)):
        reason = reasons.get(case.name)
        if verdict == "skipped":
            report.skip(case.name, why)
        elif verdict == "stays" and reason:
            report.skip(case.name, reason)
        elif verdict == "stays":
            report.check(case.name, [f"expected the operator to be gone, but there is {why}"])
        elif verdict == "gone" and reason:
            report.check(case.name, [f"expected the operator to stay, because {reason}, but it is gone"])
        else:
            report.check(case.name, [why] if why else [])
    staying = set()
    for case, (verdict, why) in zip(cases, jobs.map(lambda c: judge(invar, c, is_sized=False), cases)):
        name = f"{case.name}, sizes unknown"
        if verdict == "skipped" or verdict == "stays" and why in STAYS_UNSIZED:
            staying.add(why)
            report.skip(name, STAYS_UNSIZED.get(why, why))
        elif verdict == "stays":
            report.check(name, [f"expected the operator to be gone, but there is {why}"])
        else:
            report.check(name, [why] if why else [])
    if not only:
        names = {case.name for case in everything}
        report.check("the names that are listed",
                     [f"expected a case '{name}', but there is none" for name in sorted(reasons.keys() - names)] +
                     [f"expected {name} to stay somewhere, but it is gone" for name in sorted(STAYS_UNSIZED.keys() - staying)])


#===-- Einsum ------------------------------------------------------------------===#

def draw_equation(draw: random.Random, sizes_to_draw: tuple[int, ...]) -> tuple[str, list[tuple[int, ...]], list[tuple[int | None, ...]]]:
    """Draws an equation, the shape of each operand, and the shape that the model declares."""
    letters = draw.sample("ijkABbn", draw.randint(1, 5))
    sizes = {letter: draw.choice(sizes_to_draw) for letter in letters}
    others = [draw.choice((1, 2, 3)) for _ in range(draw.choice((0, 0, 0, 1, 2)))]
    terms, shapes, ellipses = [], [], []
    for _ in range(draw.choice((1, 2, 2, 2, 2, 3, 4))):
        axes = [draw.choice(letters) for _ in range(draw.randint(0, 4))]
        if draw.random() < 0.7:
            axes = list(dict.fromkeys(axes))  # Otherwise there may be diagonals.
        shape = [sizes[axis] for axis in axes]
        text = "".join(axes)
        if others and draw.random() < 0.8:
            at = draw.randint(0, len(axes))
            text = text[:at] + "..." + text[at:]
            own = [size if draw.random() < 0.8 else 1 for size in others[draw.randint(0, len(others)):]]
            shape[at:at] = own
            ellipses.append(own)
        terms.append(text)
        shapes.append(tuple(shape))
    used = [letter for letter in letters if any(letter in term for term in terms)]
    equation = ",".join(terms)
    if draw.random() < 0.8:
        kept = draw.sample(used, draw.randint(0, len(used)))
        at = draw.randint(0, len(kept))
        equation += "->" + "".join(kept[:at]) + ("..." if ellipses else "") + "".join(kept[at:])
    # Undeclared sizes get names, because letters of unrelated sizes may broadcast.
    unknown = {letter for letter in letters if draw.random() < 0.4}
    said = []
    for term, shape in zip(terms, shapes):
        rank = len(shape) - len(term.replace("...", ""))
        axes = list(term.replace("...", "." * rank if rank else ""))
        said.append(tuple(f"size_{axis}" if axis in unknown else size for axis, size in zip(axes, shape)))
    return equation, shapes, said


def check_equation(invar: str, seed: int, is_all: bool) -> tuple[str, list[str]]:
    draw = random.Random(seed)
    # Simplification may create a Reshape target with -1, which does not allow empty axes.
    equation, shapes, said = draw_equation(draw, (1, 2, 3, 3, 4, 5, 5) if is_all else (0, 1, 2, 3, 3, 4, 5, 5))
    name = f"seed {seed}: {equation} of {said} = {shapes}"
    numbers = np.random.default_rng(seed)
    operands = [numbers.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
    want = np.einsum(equation, *(operand.astype(np.float64) for operand in operands))
    inputs = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, dims) for i, dims in enumerate(said)]
    node = helper.make_node("Einsum", [info.name for info in inputs], ["y"], equation=equation)
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * want.ndim)
    model = helper.make_model(helper.make_graph([node], "g", inputs, [output]), ir_version=10,
                              opset_imports=[helper.make_opsetid("", 17)])
    feeds = {info.name: operand for info, operand in zip(inputs, operands)}
    try:
        apart = decompose(invar, model, *(("--passes=simplify", "--enable=decompose-einsum") if is_all else ()))
    except ChildProcessError as error:
        return name, [str(error)]
    if "Einsum" in operators_of(apart):
        return name, ["expected it to be gone, but it stays"]
    try:
        # In some products over an empty axis, onnxruntime leaves the output uninitialized.
        is_empty = any(0 in shape for shape in shapes)
        got = run(apart, feeds, (Reference,) if is_empty else (OnnxRuntime, Reference))[0]
    except CannotRun as error:
        return name, [f"no engine runs what it became: {error}"]
    why = difference(np.asarray(got), want.astype(np.float32), 1e-5, 1e-5)
    return name, [why] if why else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--equations", type=int, default=400)
    arguments = parser.parse_args()
    report = harness.Report()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as jobs:
        add_cases(report, arguments.invar, arguments.only, jobs)
        seeds = range(arguments.seed, arguments.seed + arguments.equations)
        for name, complaints in jobs.map(lambda s: check_equation(arguments.invar, s, s % 2 == 1), seeds):
            report.check(name, complaints)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
