# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models to measure: synthetic models, and some of the models that utils/fetch-models gets."""
import pathlib
import subprocess
import sys
from typing import Iterable, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent
# One model of each kind and size: audio, text recognition, vision, embeddings, and the large ones.
OPTIMIZED = ("silero-vad__silero_vad_16k_op15", "npm-gutenye__ch_PP-OCRv4_rec_infer", "mobilenetv3_large_bn",
             "lc4j__all-minilm-l6-v2", "resnet152_bn", "arcface_iresnet100_bn", "bert_base_dyn", "xlnet_base_dyn")


class Case(NamedTuple):
    """A model and the sizes of the inputs to run it with."""
    label: str
    model: str
    sizes: dict[str, tuple[int, ...]]
    is_float_mask: bool = False

    def feeds(self) -> dict[str, np.ndarray]:
        generator = np.random.default_rng(7)
        return {name: self.draw(name, sizes, generator) for name, sizes in self.sizes.items()}

    def draw(self, name: str, sizes: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
        if name == "sr":  # a sampling rate
            return np.array(16000, np.int64)
        if name == "attention_mask":
            return np.ones(sizes, np.float32 if self.is_float_mask else np.int64)
        if name == "token_type_ids":
            return np.zeros(sizes, np.int64)
        if name == "state":  # the state for the first chunk of audio
            return np.zeros(sizes, np.float32)
        if name == "input":  # audio samples, centered at zero
            return 0.1 * generator.standard_normal(sizes, np.float32)
        if name.endswith("input_ids"):
            return generator.integers(0, 1000, sizes)
        return generator.random(sizes, np.float32)

    def sizes_text(self) -> str:
        """The sizes of the first input; those of the others follow from it."""
        return "×".join(map(str, next(iter(self.sizes.values()))))


def tokens(count: int, *names: str) -> dict[str, tuple[int, ...]]:
    return {name: (1, count) for name in names}


BERT = ("input_ids", "attention_mask", "token_type_ids")
# The models to run. The sizes matter for models whose dimensions are dynamic.
RUN = (
    Case("ResNet-152", "resnet152_bn", {"data": (1, 3, 224, 224)}),
    Case("MobileNetV3", "mobilenetv3_large_bn", {"x": (1, 3, 224, 224)}),
    Case("MobileNetV3, QDQ", "mobilenetv3_large_qdq", {"x": (1, 3, 224, 224)}),
    Case("YOLO-like", "yolo_like_dyn", {"images": (1, 3, 640, 640)}),
    Case("nudenet", "nudenet__320n", {"images": (1, 3, 320, 320)}),
    Case("PP-OCRv4 det", "npm-gutenye__ch_PP-OCRv4_det_infer", {"x": (1, 3, 640, 640)}),
    Case("PP-OCRv4 rec", "npm-gutenye__ch_PP-OCRv4_rec_infer", {"x": (1, 3, 48, 320)}),
    Case("BERT-base", "bert_base_dyn", tokens(128, *BERT)),
    Case("MiniLM", "lc4j__all-minilm-l6-v2", tokens(128, *BERT)),
    Case("MiniLM, int8", "lc4j__all-minilm-l6-v2-q", tokens(128, *BERT)),
    Case("XLNet-base", "xlnet_base_dyn", tokens(128, "input_ids", "attention_mask"), is_float_mask=True),
    Case("GPT-2", "gpt2_dyn", tokens(64, "input_ids")),
    Case("T5-small", "t5_small_dyn", tokens(64, "input_ids", "attention_mask", "decoder_input_ids")),
    Case("silero-vad", "silero-vad__silero_vad_16k_op15", {"input": (1, 576), "state": (2, 1, 128), "sr": ()}),
)


def many_nodes(count: int) -> onnx.ModelProto:
    """Makes a model in which start-up and data size cost nothing, so that the measured time is the time per node."""
    generator = np.random.default_rng(5)
    nodes, weights, last = [], [], "x"
    for i in range(count):
        op = ("Add", "Mul", "Relu", "Sigmoid", "Sub")[i % 5]
        operands = [last]
        if op in ("Add", "Mul", "Sub"):
            weights.append(numpy_helper.from_array(generator.random(16, np.float32), f"w{i}"))
            operands.append(f"w{i}")
        last = f"t{i}"
        nodes.append(helper.make_node(op, operands, [last], name=f"n{i}"))
    return make_model(nodes, ["batch", 16], last, weights)


def make_model(nodes: list[onnx.NodeProto], sizes: list, last: str, weights: list[onnx.TensorProto]) -> onnx.ModelProto:
    """Makes a model from `x` to `last`, both float tensors of these sizes."""
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
    graph = helper.make_graph(nodes, "many", [value("x")], [value(last)], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def short_name(model: pathlib.Path) -> str:
    """Returns the model's name without the package that it came in."""
    return model.stem.split("__")[-1]


def fetch(folder: pathlib.Path, names: Iterable[str]) -> None:
    """Fetches missing models into `folder`. Prints the models that cannot be fetched; that is not an error."""
    subprocess.run([sys.executable, ROOT / "utils/fetch-models", "--out", folder, *names], check=True, stdout=sys.stderr)


def to_optimize(folder: pathlib.Path, everything: bool) -> list[pathlib.Path]:
    """Returns the models, smallest first."""
    synthetic = ROOT / "build/bench/5000_nodes.onnx"
    onnx.save(many_nodes(5000), synthetic)
    fetch(folder, () if everything else OPTIMIZED)
    found = [m for m in folder.rglob("*.onnx") if everything or m.stem in OPTIMIZED]
    return sorted([synthetic, *found], key=lambda m: m.stat().st_size)


def to_run(folder: pathlib.Path, cases: list[Case]) -> list[tuple[Case, pathlib.Path]]:
    """Returns each case with the path of its file. The file may be missing; the caller must report that."""
    def find() -> dict[str, pathlib.Path]:
        return {path.stem: path for path in folder.rglob("*.onnx")}
    if any(case.model not in find() for case in cases):
        fetch(folder, [case.model for case in cases])
    found = find()
    return [(case, found.get(case.model, folder / f"{case.model}.onnx")) for case in cases]
