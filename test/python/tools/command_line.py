#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the options of onnxsim and OnnxSlim with `invar optimize`, and the messages.

Every option of onnxsim 0.8 and OnnxSlim 0.1 must be honoured, accepted with a note, or rejected with a hint what to
do instead; docs/Migration.md must name each. This script makes the models.

  command_line.py --invar build/dev/bin/invar [--only NAME]
"""
import argparse
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
from typing import Callable, Iterator

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHECK_PROGRAM = ROOT / "tools/invar/check_outputs.py"
INVAR = ""  # the program under test

# How each option is written, grouped by the outcome. {} stands for a file that exists.
HONOURED = (
    "--skip-fuse-bn", "--skip-optimization", "--skip-optimization fuse_bn_into_conv eliminate_identity",
    "--enable-optimization eliminate_identity", "--skip-constant-folding", "--check-rtol 1e-3", "--check-atol=1e-4",
    "--input-shape x:1,3,8,8", "--overwrite-input-shape x:1,3,8,8", "--test-input-shape x:1,3,8,8",
    "--skip-optimizer fuse_bn_into_conv", "--input-data-path x:{}", "--input-fill ones", "--custom-lib {}",
    "--unused-output spare", "--no-large-tensor", "--no-large-tensor 100KB", "--save-as-external-data",
    "--external-data-threshold 500MB", "--target-opset 18", "--inline-functions", "--graph-diff", "-v",
    "--version", "--list-default-optimizers", "--list-other-optimizers", "--help", "-h",
    # Options of OnnxSlim
    "--skip-optimizations constant_folding graph_fusion", "--skip-fusion-patterns FusionConvBN EliminationSlice",
    "--size-threshold 1000", "--input-shapes x:1,3,8,8", "--inputs x", "--outputs y", "--model-check",
    "--model-check-inputs x:1,3,8,8", "--inspect", "--verbose",
)
NOTED = (
    "--enable-fuse-bn", "--skip-shape-inference", "--enable-onnxruntime-optimization", "--dynamic-input-shape",
    "--include-subgraph", "--no-certify", "--mutable-initializer", "--skip-schema-import", "--cuda",
    "--providers CUDAExecutionProvider CPUExecutionProvider", "--no-shape-infer",
)
REFUSED = (
    "--certify", "--initializers-as-non-constants", "--profile", "--profile=trace.json", "--ort-profile p",
    "--merge-ort-profile", "--emit-mlir", "--mlir-target onnx", "--onnx-mlir {}", "--emit-coreml out.mlpackage",
    "--coreml-format mlprogram", "--coreml-compute-units ALL", "--coreml-io-dtype fp16",
    "--coreml-minimum-deployment-target iOS16", "--emit-tflite", "--tflite-optimize", "--tflite-backend builtin",
    "--tflite-int8", "--tflite-calibration-samples 3", "--tflite-io-dtype int8", "--tflite-flex", "--tflite-layout nhwc",
    "--tflite-edgetpu", "--tflite-edgetpu-compiler {}", "--tflite-edgetpu-check", "--node-reduction-plot",
    "--dynamic-quantize", "--dynamic-quantize-matmul-integer-to-float", "--ternary-quantize", "--weight-only-quantize",
    "--weight-only-quantize-int4", "--weight-only-quantize-int16", "--weight-only-quantize-int8-block",
    "--fp16-quantize", "--bf16-quantize", "--fp8-quantize", "--fp8-format=e5m2", "--static-quantize",
    "--static-quantize-int16", "--qoperator-quantize", "--qoperator-quantize-elementwise",
    "--qoperator-quantize-activation", "--qoperator-quantize-concat", "--qoperator-quantize-softmax",
    "--qoperator-quantize-pool", "--qoperator-quantize-where", "--qoperator-quantize-gemm",
    "--calibration-dataset mnist", "--calibration-samples 4", "--calibration-method entropy",
    "--dtype fp16", "--dump-to-disk",
)
# Names of other tools' passes and patterns that are mapped to rules of Invar.
PASSES = """
    eliminate_common_subexpression eliminate_consecutive_idempotent_ops eliminate_deadend eliminate_duplicate_initializer
    eliminate_identity eliminate_if_with_const_cond eliminate_nop_cast eliminate_nop_concat eliminate_nop_dropout
    eliminate_nop_expand eliminate_nop_flatten eliminate_nop_pad eliminate_nop_reshape eliminate_nop_transpose
    eliminate_nop_with_unit eliminate_shape_gather eliminate_shape_op eliminate_slice_after_shape
    eliminate_unused_initializer extract_constant_to_initializer fuse_add_bias_into_conv fuse_bn_into_conv
    fuse_concat_into_reshape fuse_consecutive_concats fuse_consecutive_log_softmax fuse_consecutive_slices
    fuse_consecutive_squeeze_unsqueeze fuse_consecutive_squeezes fuse_consecutive_transposes fuse_consecutive_unsqueezes
    fuse_matmul_add_bias_into_gemm fuse_pad_into_conv fuse_pad_into_pool fuse_transpose_into_gemm
    replace_einsum_with_matmul""".split()
PATTERNS = """
    EliminationConcat EliminationReshape EliminationReshapeAs EliminationSlice EliminationTranspose
    EliminationTransposeViewTranspose EliminationUnsqueeze FusionConcatReshape FusionConvAdd FusionConvBN FusionConvMul
    FusionConvTransposeAdd FusionConvTransposeBN FusionGemm
    FusionConvTransposeMul FusionGemmAdd FusionGemmMul FusionPadConv""".split()

Complaints = list[str]


# -- Models -----------------------------------------------------------------------------------------------------------

def tensor(name: str, array: np.ndarray) -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(array), name)


def floats(name: str, *shape: int | str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def save(path: str, nodes: list, inputs: list, outputs: list, weights: dict[str, np.ndarray] = {}, opset: int = 17) -> str:
    graph = helper.make_graph(nodes, "g", inputs, outputs, [tensor(n, a) for n, a in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def network(folder: str, channels: int = 4) -> str:
    """Makes x -> Conv -> BatchNormalization -> Identity -> Relu -> y, scaled by a sum of constants, and an output
    'spare'."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.normal(size=(channels, 3, 3, 3)).astype(np.float32), "one": np.float32([1]), "two": np.float32([2])}
    weights |= {name: rng.uniform(0.5, 1, channels).astype(np.float32) for name in ("scale", "bias", "mean", "var")}
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1]),
             helper.make_node("BatchNormalization", ["c", "scale", "bias", "mean", "var"], ["b"], name="bn"),
             helper.make_node("Identity", ["b"], ["i"], name="same"),
             helper.make_node("Relu", ["i"], ["r"], name="relu"),
             helper.make_node("Add", ["one", "two"], ["three"], name="sum"),
             helper.make_node("Pow", ["r", "three"], ["y"], name="cube"),
             helper.make_node("Sigmoid", ["r"], ["spare"], name="spared")]
    shape = ("n", channels, "h", "k")
    return save(os.path.join(folder, "in.onnx"), nodes, [floats("x", "n", 3, "h", "k")],
                [floats("y", *shape), floats("spare", *shape)], weights)


def types(path: str) -> list[str]:
    return sorted(node.op_type for node in onnx.load(path, load_external_data=False).graph.node)


def shape_of(value: onnx.ValueInfoProto) -> list[int | str]:
    return [d.dim_value if d.HasField("dim_value") else d.dim_param for d in value.type.tensor_type.shape.dim]


# -- Running ----------------------------------------------------------------------------------------------------------

def optimize(folder: str, *arguments: str, python: str = sys.executable, **environment: str) -> harness.Run:
    done = subprocess.run([INVAR, "optimize", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          env=os.environ | {"INVAR_PYTHON": python} | environment)
    return harness.Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def expect(complaints: Complaints, what: str, wanted: object, got: object) -> None:
    if wanted != got:
        complaints.append(f"{what}: expected {wanted!r}, but got {got!r}")


def simplified(folder: str, complaints: Complaints, *options: str) -> list[str]:
    """Returns the operators of out.onnx. A second run with the same options must not change the model."""
    ended = optimize(folder, "in.onnx", "out.onnx", *options)
    if ended.code:
        complaints.append(f"{' '.join(options)}: {ended.ending()}")
        return []
    again = optimize(folder, "out.onnx", "again.onnx", *[o for o in options if o != "--unused-output=spare"])
    if again.code or pathlib.Path(folder, "out.onnx").read_bytes() != pathlib.Path(folder, "again.onnx").read_bytes():
        complaints.append(f"{' '.join(options)}: a second run changes the model {again.stderr}")
    return types(os.path.join(folder, "out.onnx"))


# -- Tests: each yields names and complaints ---------------------------------------------------------------------------

Test = Callable[[str], Iterator[tuple[str, Complaints]]]


def judge_positions(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    forms = {"IN OUT": ("in.onnx", "out.onnx"), "IN -o OUT": ("in.onnx", "-o", "out.onnx"),
             "IN OUT N": ("in.onnx", "out.onnx", "2"), "-o OUT IN": ("-o", "out.onnx", "in.onnx")}
    bytes_of: set[bytes] = set()
    for name, arguments in forms.items():
        ended = optimize(folder, *arguments)
        complaints = [] if ended.code == 0 else [ended.ending()]
        if not complaints:
            bytes_of.add(pathlib.Path(folder, "out.onnx").read_bytes())
        if ("outputs agree on 2 inputs" in ended.stdout) != (name == "IN OUT N"):
            complaints.append(f"unexpected: {ended.stdout}")
        yield name, complaints
    yield "all forms write the same", [] if len(bytes_of) == 1 else [f"{len(bytes_of)} different models"]
    os.remove(os.path.join(folder, "out.onnx"))
    ended = optimize(folder, "in.onnx")
    complaints = [] if ended.code == 0 else [ended.ending()]
    expect(complaints, "files", ["in.onnx"], sorted(os.listdir(folder)))
    if "nothing was written" not in ended.stdout or "BatchNormalization" not in ended.stdout:
        complaints.append(f"unexpected: {ended.stdout}")
    yield "IN alone reports and writes nothing", complaints
    dry, wet = (json.loads(optimize(folder, *a, "--json").stdout) for a in (("in.onnx",), ("in.onnx", "out.onnx")))
    complaints = []
    for key in ("model_bytes", "nodes_after", "after", "rules"):
        expect(complaints, key, wet[key], dry[key])
    expect(complaints, "file", os.path.getsize(os.path.join(folder, "out.onnx")), wet["model_bytes"])
    yield "IN alone says what would be written", complaints
    for name, arguments in {"no model": (), "three models": ("in.onnx", "b", "c"), "-o and two": ("a", "b", "-o", "c"),
                            "all taken": ("--outputs", "in.onnx", "out.onnx"), "check of nothing": ("in.onnx", "--check")}.items():
        ended = optimize(folder, *arguments)
        yield name, [] if ended.code == 2 and "expected " in ended.stderr else [ended.ending()]


def judge_flags(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Every option of both tools is known, in both spellings, and is on the migration page."""
    network(folder)
    pathlib.Path(folder, "file").touch()
    page = (ROOT / "docs/Migration.md").read_text()
    listed = optimize(folder, "--help-all").stdout
    for lines, code in ((HONOURED, 0), (NOTED, 0), (REFUSED, 2)):
        for line in lines:
            words = line.replace("{}", "file").split()
            flag = words[0].split("=")[0]
            spellings = [words]
            if len(words) == 2:
                spellings.append([f"{words[0]}={words[1]}"])
            complaints: Complaints = []
            for spelling in spellings:
                ended = optimize(folder, "in.onnx", "out.onnx", *spelling)
                if ended.code != code:
                    complaints.append(f"expected exit {code}, but got {ended.ending()}")
                if code and f"expected an option that Invar has, but got '{flag}': " not in ended.stderr:
                    complaints.append(f"unexpected: {ended.stderr}")
                if ("changes nothing" in ended.stderr) != (lines is NOTED):
                    complaints.append(f"unexpected: {ended.stderr or 'no note'}")
            if f"`{flag}" not in page:
                complaints.append("docs/Migration.md does not name it")
            if len(flag) > 2 and not re.search(rf"^  {flag}\b(?!-)", listed, re.MULTILINE):
                complaints.append("--help-all does not list it")
            yield line, complaints


def judge_shapes(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    wanted = [2, 3, 16, 16]
    for spelling in (["--overwrite-input-shape", "x:2,3,16,16"], ["--input-shape=x:2,3,16,16"], ["--input-shapes", "2,3,16,16"],
                     ["--shape", "x=2x3x16x16"]):
        complaints: Complaints = []
        simplified(folder, complaints, *spelling)
        if not complaints:
            graph = onnx.load(os.path.join(folder, "out.onnx")).graph
            expect(complaints, "input", wanted, shape_of(graph.input[0]))
            expect(complaints, "output", [2, 4, 16, 16], shape_of(graph.output[0]))
        yield " ".join(spelling), complaints

    complaints = []
    save(os.path.join(folder, "in.onnx"), [helper.make_node("Relu", ["a:0"], ["r"]), helper.make_node("Add", ["r", "b"], ["y"])],
         [floats("a:0", 1, 4), floats("b", 1, 4)], [floats("y", 1, 4)])
    simplified(folder, complaints, "--overwrite-input-shape", "a:0:8,4", "b:8,4", "--check", "1")
    if not complaints:
        graph = onnx.load(os.path.join(folder, "out.onnx")).graph
        expect(complaints, "shapes", [[8, 4]] * 3, [shape_of(v) for v in (*graph.input, *graph.output)])
    yield "two inputs, a colon in a name, and sizes that the model states otherwise", complaints
    for value, text in (("8,4", "one input"), ("c:8,4", "'c'"), ("b:8,x", "NAME:1,3,224,224"), ("b:", "NAME:1,3,224,224")):
        ended = optimize(folder, "in.onnx", "out.onnx", "--overwrite-input-shape", value)
        yield f"--overwrite-input-shape {value}", [] if ended.code in (1, 2) and text in ended.stderr else [ended.ending()]
    complaints = []
    expect(complaints, "operators", ["Add", "Relu"], simplified(folder, complaints, "--input-shapes", "b:-1,4", "a:0:-1,4"))
    expect(complaints, "size", 4, shape_of(onnx.load(os.path.join(folder, "out.onnx")).graph.input[0])[1])
    yield "a size of -1 is open", complaints


def judge_cuts(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    cuts = {
        ("--outputs", "r"): (["x"], ["r"], ["Conv", "Relu"]),
        ("--outputs=r,y",): (["x"], ["r", "y"], ["Conv", "Pow", "Relu"]),
        ("--inputs", "i", "--outputs", "y:fp32"): (["i"], ["y"], ["Pow", "Relu"]),
        ("--inputs", "c", "i", "--outputs", "b", "r"): (["c", "i"], ["b", "r"], ["BatchNormalization", "Relu"]),
        ("--unused-output", "spare"): (["x"], ["y"], ["Conv", "Pow", "Relu"]),
        ("--unused-output", "y", "--outputs", "spare"): (["x"], ["spare"], ["Conv", "Relu", "Sigmoid"]),
    }
    for options, (inputs, outputs, operators) in cuts.items():
        complaints: Complaints = []
        ended = optimize(folder, "in.onnx", "out.onnx", *options, "--check=2")
        if ended.code:
            complaints.append(ended.ending())
        else:
            graph = onnx.load(os.path.join(folder, "out.onnx")).graph
            onnx.checker.check_model(os.path.join(folder, "out.onnx"), full_check=True)
            expect(complaints, "inputs", inputs, [v.name for v in graph.input])
            expect(complaints, "outputs", outputs, [v.name for v in graph.output])
            expect(complaints, "operators", operators, types(os.path.join(folder, "out.onnx")))
            if not all(v.type.tensor_type.elem_type for v in (*graph.input, *graph.output)):
                complaints.append("an end without a type")
        expect(complaints, "files", ["in.onnx", "out.onnx"], sorted(os.listdir(folder)))
        yield " ".join(options), complaints
    wrong = {("--outputs", "nowhere"): "'nowhere'", ("--inputs", "nowhere"): "'nowhere'",
             ("--inputs", "spare", "--outputs", "y"): "cut off 'x'", ("--unused-output", "x"): "'y', 'spare'",
             ("--unused-output", "y", "spare"): "expected an output to stay", ("--outputs", "y:fp16"): "fp16",
             ("--outputs", "y:frob"): "'fp16', 'fp32'", ("--inputs",): "expected a value after '--inputs'"}
    for options, text in wrong.items():
        ended = optimize(folder, "in.onnx", "never.onnx", *options)
        complaints = [] if ended.code in (1, 2) and text in ended.stderr else [ended.ending()]
        expect(complaints, "written", False, os.path.exists(os.path.join(folder, "never.onnx")))
        yield f"{' '.join(options)} is refused", complaints


def judge_skips(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    rest = ["Pow", "Relu", "Sigmoid"]
    cases = {
        (): ["Conv", *rest],
        ("--skip-fuse-bn",): ["BatchNormalization", "Conv", *rest],
        ("--fuse=off",): ["BatchNormalization", "Conv", *rest],
        ("--skip-optimization", "fuse_bn_into_conv"): ["BatchNormalization", "Conv", *rest],
        ("--skip-optimization", "fuse_bn_into_conv", "eliminate_identity"): ["BatchNormalization", "Conv", "Identity", *rest],
        ("--skip-optimization",): ["BatchNormalization", "Conv", "Identity", *rest],
        ("--skip-fusion-patterns", "FusionConvBN"): ["BatchNormalization", "Conv", *rest],
        ("--skip-constant-folding",): ["Add", "BatchNormalization", "Conv", *rest],
        ("--skip-constant-folding", "--skip-optimization"): ["Add", "BatchNormalization", "Conv", "Identity", *rest],
        ("--skip-optimizations", "graph_fusion"): ["BatchNormalization", "Conv", "Identity", *rest],
        ("--skip-optimizations", "constant_folding"): ["Add", "BatchNormalization", "Conv", *rest],
        ("--skip-optimizations", "dead_node_elimination", "subexpression_elimination", "weight_tying"): ["Conv", *rest],
    }
    for options, operators in cases.items():
        complaints: Complaints = []
        expect(complaints, "operators", sorted(operators), simplified(folder, complaints, *options))
        yield " ".join(options) or "nothing skipped", complaints
    ended = optimize(folder, "in.onnx", "out.onnx", "--skip-optimization", *PASSES, "--skip-fusion-patterns", *PATTERNS)
    yield "names of passes and patterns stand for rules", [ended.stderr] if ended.code or ended.stderr else []
    ended = optimize(folder, "in.onnx", "out.onnx", "--skip-optimization", "fuse_qkv")
    yield "a pass that no rule stands for", [] if ended.code == 0 and "'fuse_qkv' is not skipped" in ended.stderr else [ended.stderr]
    for options in (("--enable-optimization", "nothing"), ("--skip-optimizations", "nothing")):
        ended = optimize(folder, "in.onnx", "out.onnx", *options)
        yield " ".join(options), [] if ended.code == 2 and "'nothing'" in ended.stderr else [ended.ending()]


def judge_functions(folder: str) -> Iterator[tuple[str, Complaints]]:
    opset = helper.make_opsetid("", 17)
    body = helper.make_function("mine", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [opset])
    graph = helper.make_graph([helper.make_node("Twice", ["x"], ["y"], domain="mine")], "g", [floats("x", 4)], [floats("y", 4)])
    onnx.save(helper.make_model(graph, opset_imports=[opset, helper.make_opsetid("mine", 1)], functions=[body], ir_version=8),
              os.path.join(folder, "in.onnx"))
    for options, operators in (((), ["Twice"]), (("--inline-functions",), ["Add"])):
        complaints: Complaints = []
        expect(complaints, "operators", operators, simplified(folder, complaints, *options, "--check"))
        yield f"a function {' '.join(options)}", complaints


def judge_sizes(folder: str) -> Iterator[tuple[str, Complaints]]:
    """A Tile makes 8 KB of constants: they are stored with the default budget, but not with a smaller one."""
    save(os.path.join(folder, "in.onnx"),
         [helper.make_node("Tile", ["c", "times"], ["t"]), helper.make_node("Mul", ["x", "t"], ["y"])],
         [floats("x", "n", 2000)], [floats("y", "n", 2000)],
         {"c": np.arange(8, dtype=np.float32), "times": np.int64([250])})
    for options, operators in {(): ["Mul"], ("--no-large-tensor",): ["Mul", "Tile"], ("--no-large-tensor", "1M"): ["Mul"],
                               ("--no-large-tensor=2kb",): ["Mul", "Tile"], ("--size-threshold", "100"): ["Mul", "Tile"],
                               ("--size-threshold=20000",): ["Mul"], ("--no-large-tensor", "--max-growth=1M"): ["Mul"]}.items():
        complaints: Complaints = []
        expect(complaints, "operators", operators, simplified(folder, complaints, *options))
        yield " ".join(options) or "no limit given", complaints
    ended = optimize(folder, "in.onnx", "out.onnx", "--size-threshold", "big")
    yield "--size-threshold big", [] if ended.code == 2 and "a size" in ended.stderr else [ended.ending()]


def judge_defaults(folder: str) -> Iterator[tuple[str, Complaints]]:
    save(os.path.join(folder, "in.onnx"),
         [helper.make_node("Add", ["c", "c"], ["d"]), helper.make_node("Mul", ["x", "d"], ["y"])],
         [floats("x", "n", 4), floats("c", 4)], [floats("y", "n", 4)], {"c": np.arange(4, dtype=np.float32)})
    for options, operators, inputs in (((), ["Add", "Mul"], ["x", "c"]), (("--mutable-initializer",), ["Add", "Mul"], ["x", "c"]),
                                       (("--fix-defaults",), ["Mul"], ["x"])):
        complaints: Complaints = []
        expect(complaints, "operators", operators, simplified(folder, complaints, *options, "--check"))
        expect(complaints, "inputs", inputs, [v.name for v in onnx.load(os.path.join(folder, "out.onnx")).graph.input])
        yield f"an input with a default {' '.join(options)}", complaints


def judge_writing(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder, channels=64)
    for options, opset in ((("--target-opset", "13"), 13), (("--target-opset=latest",), 28), (("--opset=19",), 19)):
        complaints: Complaints = []
        simplified(folder, complaints, *options)
        expect(complaints, "opset", opset, onnx.load(os.path.join(folder, "out.onnx")).opset_import[0].version)
        yield " ".join(options), complaints
    for options, beside in ((("--save-as-external-data",), True), (("--external-data-threshold", "1KB"), True),
                            (("--external-data-threshold=1MB",), False)):
        for name in os.listdir(folder):
            if name != "in.onnx":
                os.remove(os.path.join(folder, name))
        ended = optimize(folder, "in.onnx", "out.onnx", *options, "--check")
        complaints = [] if ended.code == 0 else [ended.ending()]
        expect(complaints, "data beside", beside, os.path.exists(os.path.join(folder, "out.onnx.data")))
        yield " ".join(options), complaints


def answer(**request: object) -> dict:
    ended = harness.run(sys.executable, CHECK_PROGRAM, json.dumps(request))
    return json.loads(ended.stdout) if ended.code == 0 else {"error": "crash", "text": ended.stderr}


def judge_check(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    ended = optimize(folder, "in.onnx", "out.onnx", "--check=3", "--json")
    complaints: Complaints = []
    if ended.code:
        complaints.append(ended.ending())
    else:
        check = json.loads(ended.stdout)["check"]
        expect(complaints, "runs", 3, check["runs"])
        expect(complaints, "outputs", ["y", "spare"], [output["name"] for output in check["outputs"]])
        if not all(output["relative"] < 1e-4 and not output["random"] for output in check["outputs"]):
            complaints.append(str(check))
    yield "--check=3 --json", complaints
    for options in (("--check", "2", "--test-input-shape", "x:1,3,5,5"), ("--check", "--input-fill", "arange"),
                    ("--model-check", "--model-check-inputs", "x:1,3,4,4"), ("2", "--check-rtol", "1e-3", "--check-atol", "1e-4")):
        ended = optimize(folder, "in.onnx", "out.onnx", *options)
        yield " ".join(options), [] if ended.code == 0 and "outputs agree" in ended.stdout else [ended.ending()]
    np.save(os.path.join(folder, "x.npy"), np.ones((1, 3, 4, 4), np.float32))
    np.ones((1, 3, 4, 4), np.float32).tofile(os.path.join(folder, "x.bin"))
    for options in (("--model-check-inputs", "x:x.npy"), ("--input-data-path", "x:x.bin", "--test-input-shape", "x:1,3,4,4")):
        ended = optimize(folder, "in.onnx", "out.onnx", "--check", *options)
        yield " ".join(options), [] if ended.code == 0 else [ended.ending()]
    impossible = {
        "no Python": ((), {"python": "/nowhere/python3"}, 3, "/nowhere/python3"),
        "no onnxruntime": ((), {"python": os.path.join(folder, "bare")}, 3, "pip install onnxruntime"),
        "shapes that do not fit": (("--test-input-shape", "x:1,7,4,4"), {}, 1, "--test-input-shape"),
        "an input that is not there": (("--test-input-shape", "z:1"), {}, 1, "'z'"),
        "data that is not there": (("--input-data-path", "x:none.bin"), {}, 1, "none.bin"),
        "no tolerance": (("--check-rtol", "-1"), {}, 2, "--check-rtol"),
        "a fill that is none": (("--input-fill", "twos"), {}, 2, "'twos'"),
    }
    bare = pathlib.Path(folder, "bare")
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -I "$@"\n')
    bare.chmod(0o755)
    for name, (options, how, code, text) in impossible.items():
        before = sorted(os.listdir(folder))
        ended = optimize(folder, "in.onnx", "never.onnx", "--check", *options, "--external-data", **how)
        complaints = [] if ended.code == code and text in ended.stderr else [ended.ending()]
        expect(complaints, "files", before, sorted(os.listdir(folder)))
        yield f"--check: {name}", complaints


def judge_verdicts(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Tests how the output of the comparing program is reported, for any such output."""
    network(folder)
    differs = {"runs": 1, "outputs": [{"name": "y", "absolute": 0.5, "relative": 0.25, "agrees": False},
                                      {"name": "spare", "absolute": 0, "relative": 0, "agrees": True}]}
    cases = {"other outputs": (json.dumps(differs), 1, "'y' by 5.0E-01 (2.5E-01 relatively); nothing was written"),
             "a model that does not run": (json.dumps({"runs": 0, "outputs": [], "failed": "it fell over"}), 1, "it fell over"),
             "no JSON": ("frobnicate", 3, "to compare outputs"), "no object": ("[]", 3, "said nothing")}
    python = pathlib.Path(folder, "python")
    for name, (text, code, wanted) in cases.items():
        python.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n")
        python.chmod(0o755)
        pathlib.Path(folder, "out.onnx").write_text("old")
        ended = optimize(folder, "in.onnx", "out.onnx", "--check", "--external-data", python=os.fspath(python))
        complaints = [] if ended.code == code and wanted in ended.stderr else [ended.ending()]
        expect(complaints, "output", "old", pathlib.Path(folder, "out.onnx").read_text(errors="replace"))
        expect(complaints, "files", ["in.onnx", "out.onnx", "python"], sorted(os.listdir(folder)))
        yield name, complaints


def judge_comparison(folder: str) -> Iterator[tuple[str, Complaints]]:
    """Tests the program that --check runs, on equal and on different models."""
    def model(name: str, factor: float, outputs: tuple[str, ...] = ("y",), op: str = "Mul") -> str:
        return save(os.path.join(folder, name), [helper.make_node(op, ["x", "f"], ["y"]), helper.make_node("Neg", ["x"], ["z"])],
                    [floats("x", "n", 4)], [floats(o, "n", 4) for o in outputs], {"f": np.float32([factor])})
    same, other, near = model("a.onnx", 2), model("b.onnx", 3), model("c.onnx", 2.00001)
    both, nan = model("d.onnx", 2, ("y", "z")), model("e.onnx", float("nan"))
    wrong = save(os.path.join(folder, "f.onnx"), [helper.make_node("Softmax", ["x"], ["y"], axis=-3)],
                 [floats("x", "n", 4)], [floats("y", "n", 4)])
    noise, loud = (save(os.path.join(folder, name), [helper.make_node("RandomUniformLike", ["x"], ["y"], high=high)],
                        [floats("x", "n", 4)], [floats("y", "n", 4)]) for name, high in (("g.onnx", 1.0), ("h.onnx", 9.0)))
    for name, a, b, agrees in (("the same", same, same, True), ("another factor", same, other, False), ("nearly", same, near, True),
                               ("NaN", nan, nan, True), ("NaN for a number", same, nan, False), ("an output less", both, same, True)):
        got = answer(original=a, written=b, runs=2)
        complaints = []
        expect(complaints, "agrees", agrees, all(output["agrees"] for output in got.get("outputs", [{"agrees": got}])))
        yield f"compare: {name}", complaints
    got = answer(original=same, written=near, runs=1, rtol=1e-7, atol=0)
    yield "compare: a tolerance", [] if not got["outputs"][0]["agrees"] else [str(got)]
    got = answer(original=noise, written=loud, runs=1)
    yield "compare: random", [] if got["outputs"][0].get("random") and got["outputs"][0]["agrees"] else [str(got)]
    for name, a, b in (("an output more", same, both), ("a model that cannot be loaded", same, wrong),
                       ("no model", same, os.path.join(folder, "none.onnx"))):
        got = answer(original=a, written=b, runs=1)
        yield f"compare: {name}", [] if got.get("failed") else [str(got)]
    got = answer(original=wrong, written=same, runs=1)
    yield "compare: the original cannot be loaded", [] if got.get("error") == "original" else [str(got)]


def on_terminal(folder: str, *arguments: str, **environment: str) -> str:
    leader, follower = pty.openpty()
    done = subprocess.Popen([INVAR, "optimize", *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=follower,
                            stderr=subprocess.DEVNULL, env=os.environ | {"TERM": "xterm-256color"} | environment)
    os.close(follower)
    text = b""
    try:
        while part := os.read(leader, 65536):
            text += part
    except OSError:  # raised by Linux if the other end is closed
        pass
    os.close(leader)
    done.wait()
    return text.decode()


def judge_report(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    ended = optimize(folder, "in.onnx", "out.onnx")
    lines = ended.stdout.splitlines()
    complaints: Complaints = []
    rows = {line.split()[0]: line for line in lines if re.match(r"^  \w", line)}
    for name, numbers in {"BatchNormalization": "1 0", "Conv": "1 1", "nodes": "7 4", "constants": "7 3"}.items():
        expect(complaints, name, numbers, " ".join(rows.get(name, "").split()[1:3]))
    expect(complaints, "widths", 1, len({len(line) for line in rows.values()}))
    if "\x1b" in ended.stdout:
        complaints.append("colours in a pipe")
    if not re.search(r"^\d+\.\d\d s, \d.* of memory \(anonymous\)", ended.stdout, re.MULTILINE):
        complaints.append("no time and memory")
    yield "the table", complaints + ([ended.stdout] if complaints else [])
    colours = "\x1b[" in on_terminal(folder, "in.onnx", "out.onnx"), "\x1b" in on_terminal(folder, "in.onnx", "out.onnx", NO_COLOR="1")
    yield "colours on a terminal, and not with NO_COLOR", [] if colours == (True, False) else [str(colours)]

    names = ["Abs", "Acos", "Asin", "Atan", "Ceil", "Cos", "Cosh", "Erf", "Exp", "Floor", "Log", "Neg", "Reciprocal", "Round",
             "Sigmoid", "Sign", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "Relu", "Elu", "Selu", "HardSigmoid",
             "HardSwish", "Mish", "Acosh", "Asinh", "Atanh"]
    values = [f"v{i}" for i in range(len(names))]
    save(os.path.join(folder, "many.onnx"), [helper.make_node(op, [a], [b]) for op, a, b in zip(names, ["x", *values], values)],
         [floats("x", 4)], [floats(values[-1], 4)], opset=18)
    short, long = (optimize(folder, "many.onnx", *options).stdout for options in ((), ("--verbose",)))
    complaints = []
    if len(short.splitlines()) > 40 or "others" not in short:
        complaints.append(f"{len(short.splitlines())} lines")
    if not all(re.search(rf"^  {name} +1 +1$", long, re.MULTILINE) for name in names):
        complaints.append("--verbose leaves some out")
    yield "the table is at most a screen", complaints
    yield "--quiet", [e for e in [optimize(folder, "in.onnx", "out.onnx", "--quiet", "--include-subgraph")] if e.stdout or e.stderr]

    complaints = []
    report = json.loads(optimize(folder, "in.onnx", "out.onnx", "--json", "--diff").stdout)
    for key in ("input", "output", "input_bytes", "model_bytes", "data_bytes", "nodes_before", "nodes_after", "shapes", "constants",
                "rules", "seconds", "anonymous_memory_bytes", "changes"):
        if key not in report:
            complaints.append(f"no '{key}'")
    expect(complaints, "nodes", len(types(os.path.join(folder, "out.onnx"))), report["nodes_after"])
    expect(complaints, "operators", {"Conv": 1, "Relu": 1, "Pow": 1, "Sigmoid": 1}, report["after"]["operators"])
    expect(complaints, "rules", 1, report["rules"].get("fuse-batchnorm"))
    expect(complaints, "bytes", os.path.getsize(os.path.join(folder, "in.onnx")), report["input_bytes"])
    yield "--json", complaints


def judge_explanations(folder: str) -> Iterator[tuple[str, Complaints]]:
    network(folder)
    complaints: Complaints = []
    changes = json.loads(optimize(folder, "in.onnx", "out.onnx", "--diff=json").stdout)
    removed = {change["node"]: (change["operator"], change["cause"]) for change in changes["removed"]}
    expect(complaints, "bn", ("BatchNormalization", "fuse-batchnorm"), removed.get("bn"))
    expect(complaints, "identity", ("Identity", "drop-identity"), removed.get("same"))
    expect(complaints, "sum", ("Add", "fold"), removed.get("sum"))
    yield "--diff=json", complaints
    text = optimize(folder, "in.onnx", "out.onnx", "--diff").stdout
    yield "--diff", [] if "drop-identity: 1 nodes removed, 0 added\n  - Identity 'same'\n" in text else [text]
    text = optimize(folder, "out.onnx", "again.onnx", "--diff").stdout
    yield "--diff of what does not change", [] if "no node was removed or added" in text else [text]
    text = optimize(folder, "in.onnx", "out.onnx", "--explain").stdout
    yield "--explain", [] if re.search(r"^rule fuse-batchnorm: applied 1 times of \d+, [\d.]+ us$", text, re.MULTILINE) else [text]
    explained = json.loads(optimize(folder, "in.onnx", "out.onnx", "--explain=json").stdout)
    complaints = []
    expect(complaints, "rule", 1, explained["rules"].get("fuse-batchnorm"))
    expect(complaints, "statistics", {"tried", "applied", "microseconds"}, set(explained["rule_times"]["fuse-batchnorm"]))
    expect(complaints, "constants", True, any(told["node"] == "sum" for told in explained["constants"]))
    yield "--explain=json", complaints
    rules = {rule["name"]: rule for rule in json.loads(optimize(folder, "--list-rules=json").stdout)}
    complaints = []
    expect(complaints, "keys", {"name", "group", "on", "pattern"}, set(rules["fuse-batchnorm"]))
    expect(complaints, "on", (True, False), (rules["fuse-batchnorm"]["on"], rules["decompose-batchnorm"]["on"]))
    lines = optimize(folder, "--list-rules", "--fuse=off").stdout.splitlines()
    expect(complaints, "lines", len(rules), len(lines))
    if not any(re.match(r"fuse-batchnorm +fuse +off  BatchNormalization", line) for line in lines):
        complaints.append("--fuse=off does not show")
    on, off = (optimize(folder, option).stdout.splitlines() for option in ("--list-default-optimizers", "--list-other-optimizers"))
    expect(complaints, "on and off", len(rules), len(on) + len(off))
    yield "--list-rules", complaints
    page = optimize(folder, "--help").stdout.splitlines()
    complaints = [f"{len(page)} lines"] if len(page) > 45 else []
    complaints += [f"too wide: {line}" for line in page if len(line) > 120]
    yield "--help is a screen", complaints


TESTS: tuple[Test, ...] = (judge_positions, judge_flags, judge_shapes, judge_cuts, judge_skips, judge_functions, judge_sizes, judge_defaults,
                           judge_writing, judge_check, judge_verdicts, judge_comparison, judge_report, judge_explanations)


def main() -> int:
    global INVAR
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only tests with this in their name")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    INVAR = options.invar
    report = harness.Report(options.verbose)
    for test in TESTS:
        if options.only in test.__name__:
            with tempfile.TemporaryDirectory(prefix="command") as folder:
                for name, complaints in test(folder):
                    report.check(f"{test.__name__.removeprefix('judge_')}: {name}", complaints)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
