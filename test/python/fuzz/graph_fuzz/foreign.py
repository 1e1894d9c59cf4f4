# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases of models that NNSmith draws."""
import math
import pathlib
import random
import subprocess

import numpy as np
import onnx

import engines
import invar_engine

from . import judge, trial, variants
from .trial import Case

BATCH = 50  # Models per process.
ROOT = pathlib.Path(__file__).resolve().parents[4]


def write_models(folder: pathlib.Path, first: int, count: int) -> list[pathlib.Path]:
    """Runs in NNSmith's own Python environment, which is made if necessary."""
    python = subprocess.run([ROOT / "utils/python-env", "nnsmith"], check=True, capture_output=True, text=True).stdout.strip()
    script = pathlib.Path(__file__).with_name("nnsmith_models.py")
    for at in range(first, first + count, BATCH):
        ended = subprocess.run([python, script, folder, str(at), str(min(BATCH, first + count - at))], capture_output=True, text=True)
        for line in ended.stdout.splitlines():
            if line.startswith("NNSmith failed"):
                print(line, flush=True)
        if ended.returncode:  # NNSmith or its solver sometimes crashes.
            print(f"NNSmith died after {at}: {invar_engine.last_words(ended.stderr)}", flush=True)
    return sorted(folder.glob("*.onnx"), key=lambda path: int(path.stem))


MANY_WEIGHTS = 100_000  # Plain loops over more take minutes: NNSmith draws filters of 6,553 channels and 69 taps.
TRIES = 5  # Inputs drawn for a model until all its values are finite.


def draw_feeds(model: onnx.ModelProto, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Inputs of moderate size."""
    feeds = {}
    for info in model.graph.input:
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        dtype = invar_engine.DTYPES[info.type.tensor_type.elem_type]
        drawn = rng.uniform(1, 2, shape) if dtype.kind == "f" else rng.integers(0, 2 if dtype.kind == "b" else 6, shape)
        feeds[info.name] = np.asarray(drawn).astype(dtype)
    return feeds


def is_finite(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> bool:
    """Engines differ in what they make of infinity and NaN, for example as the maximum of a window."""
    values = judge.Condition(model, feeds).all_values().values()
    return all(np.isfinite(value.astype(np.float64)).all() for value in values if value.dtype in judge.NOISE)


def picks_nearest(node: onnx.NodeProto) -> bool:
    modes = [attribute.s for attribute in node.attribute if attribute.name == "mode"]
    return node.op_type == "Resize" and modes in ([], [b"nearest"])


def case_of(path: pathlib.Path, cpus: list[str]) -> Case:
    model, rng = onnx.load(path), np.random.default_rng(int(path.stem))
    if isinstance(judge.engine_of(model), engines.Reference) and any(map(picks_nearest, model.graph.node)):
        raise engines.CannotRun("the reference evaluator computes nearest positions of Resize in double, unlike onnxruntime")
    for _ in range(TRIES):
        feeds = draw_feeds(model, rng)
        if is_finite(model, feeds):
            break
    else:
        raise engines.CannotRun("some values are not finite")
    chance = random.Random(path.stem)
    chosen = [variants.draw(chance, cpus) for _ in range(2)]
    if max((math.prod(tensor.dims) for tensor in model.graph.initializer), default=0) > MANY_WEIGHTS:
        chosen = [variant._replace(is_plain=False, checks_kernels=False) for variant in chosen]
    return Case(model, [feeds], [{}], trial.wanted_of(model, [feeds]), chosen)
