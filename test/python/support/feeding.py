# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws random inputs for which a model runs.

A model does not state which sizes it accepts, so several are tried. Names show which sizes belong together: a cache
of keys and values holds the past, and a mask covers the past and the new tokens. The sizes are bounded: a few
thousand tokens need gigabytes if each has a row of logits.
"""
import itertools
import math
import re
from typing import NamedTuple

import numpy as np
import onnxruntime as ort

from engines import NUMPY_TYPES, CannotRun, OnnxRuntime

SIZES = (16, 32, 64, 4, 2, 1, 80, 128, 160, 320, 512, 640, 16000)
# Two sequences of sizes to try until the model accepts one; they usually lead to two different sizes.
TWO_SIZES = ((64, 128, 160, 320, 640, 32, 16, 4, 2, 1, 80, 512, 16000), (24, 96, 192, 352, 480, 7, 2, 1, 320, 512, 640, 16000))
FEATURES = (64, 32, 128, 96, 80, 16, 256)  # Of a head, for caches where this size is open too.
MOST_ELEMENTS = 1 << 22  # Of all inputs: larger inputs take minutes and gigabytes.
MOST_TOKENS = 1 << 11
MEANT = {"sr": 16000, "fmin": 50, "fmax": 2000}  # Inputs with a fixed meaning: sampling rate, range of pitches.
CACHE = re.compile(r"past|cache")


class Sizes(NamedTuple):
    """The sizes of a model's open dimensions, by role."""
    batch: int
    length: int  # of all dimensions without another role
    past: int
    feature: int

    @property
    def total(self) -> int:
        return self.past + self.length


class Inputs:
    """A model's inputs, and the role of each of their open dimensions."""

    def __init__(self, infos: list[ort.NodeArg]):
        self.infos = infos
        self.batches = {info.shape[0] for info in infos if info.shape and isinstance(info.shape[0], str)}
        self.have_cache = any(CACHE.search(info.name) for info in infos)
        self.lengths = {dim for info in infos if not is_mask(info) for dim in info.shape}

    def role(self, info: ort.NodeArg, axis: int) -> str:
        """Returns the name of a field of Sizes."""
        dim = info.shape[axis]
        name = dim or ""
        if axis == 0 or dim in self.batches:
            return "batch"
        if "total" in name or re.search(r"past.*\+", name):
            return "total"
        if CACHE.search(info.name):
            return "feature" if re.search(r"dim|head|hidden", name) else "past"
        if "past" in name:
            return "past"
        return "total" if self.have_cache and is_mask(info) and dim not in self.lengths else "length"

    def roles(self) -> set[str]:
        return {self.role(info, axis) for info in self.infos for axis in range(len(info.shape)) if is_open(info.shape[axis])}

    def shapes(self, sizes: Sizes) -> dict[str, list[int]]:
        made = {info.name: [getattr(sizes, self.role(info, axis)) if is_open(dim) else dim
                            for axis, dim in enumerate(info.shape)] for info in self.infos}
        tokens = sum(math.prod(made[info.name]) for info in self.infos if is_tokens(info))
        if sum(map(math.prod, made.values())) > MOST_ELEMENTS or tokens > MOST_TOKENS:
            raise CannotRun("no size that it takes is small enough to try")
        return made

    def choices(self, lengths: tuple[int, ...]) -> list[Sizes]:
        """Returns the sizes to try: each length, with a batch size of 1 and of that length."""
        features = FEATURES if "feature" in self.roles() else FEATURES[:1]
        return [Sizes(batch, length, length // 2 + 1, feature)
                for length in lengths for batch, feature in itertools.product(sorted({1, length}), features)]


def is_open(dim: int | str | None) -> bool:
    return not isinstance(dim, int) or dim <= 0


def is_mask(info: ort.NodeArg) -> bool:
    return "mask" in info.name


def is_tokens(info: ort.NodeArg) -> bool:
    return info.type in ("tensor(int64)", "tensor(int32)") and any(map(is_open, info.shape))


class Drawing(NamedTuple):
    """How contents are drawn: floats uniformly in [0, 1) or normally distributed, integers below a number."""
    integers: int = 2
    bell: bool = False

    def content(self, generator: np.random.Generator, info: ort.NodeArg, shape: list[int], dtype: type, inputs: Inputs,
                sizes: Sizes) -> np.ndarray:
        if info.name in MEANT:
            return np.full(shape, MEANT[info.name])
        if is_mask(info):
            # Masks differ between samples, but never mask a whole sample. A mask for a cache has no gaps.
            mask = np.ones(shape) if inputs.have_cache else generator.random(shape) < 0.875
            mask[..., :1] = 1
            return mask
        if np.issubdtype(dtype, np.floating):
            return generator.standard_normal(shape) if self.bell else generator.random(shape)
        if "position" in info.name and shape:
            first = sizes.past if inputs.have_cache else 0
            return np.broadcast_to(np.arange(first, first + shape[-1]), shape)
        if re.search(r"len(gth)?s?$", info.name) and len(shape) < 2:
            return np.full(shape, sizes.length)
        return generator.integers(0, min(self.integers, 2) if "type" in info.name else self.integers, shape)


def draw_feeds(inputs: Inputs, sizes: Sizes, drawing: Drawing = Drawing()) -> dict[str, np.ndarray]:
    generator, feeds = np.random.default_rng(7), {}
    shapes = inputs.shapes(sizes)
    for info in inputs.infos:
        kind = re.fullmatch(r"tensor\((\w+)\)", info.type)
        if not kind or kind[1] not in NUMPY_TYPES:
            raise CannotRun(f"no random inputs of type {info.type}")
        dtype = NUMPY_TYPES[kind[1]]
        feeds[info.name] = drawing.content(generator, info, shapes[info.name], dtype, inputs, sizes).astype(dtype)
    return feeds


def find_sizes(engine: OnnxRuntime, inputs: Inputs, lengths: tuple[int, ...] = SIZES, drawing: Drawing = Drawing()) -> Sizes:
    """Returns the first of the tried sizes with which the model runs."""
    last = None
    for sizes in inputs.choices(lengths):
        try:
            feeds = draw_feeds(inputs, sizes, drawing)
        except CannotRun as error:
            last = last or error
            continue
        try:
            engine.run(feeds)
            return sizes
        except CannotRun as error:
            last = error
    raise last


def random_feeds(model: str, lengths: tuple[int, ...] = SIZES, drawing: Drawing = Drawing()) -> dict[str, np.ndarray]:
    """Draws inputs for which the model runs in onnxruntime."""
    engine = OnnxRuntime(model)
    inputs = Inputs(engine.session.get_inputs())
    return draw_feeds(inputs, find_sizes(engine, inputs, lengths, drawing), drawing)


def signed_feeds(path: str, lengths: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Draws inputs of both signs, and various tokens if the model takes tokens: differences of almost equal numbers
    would measure rounding, not correctness."""
    for integers in (250, 30):
        try:
            return random_feeds(path, lengths, Drawing(integers, bell=True))
        except CannotRun:
            pass
    return random_feeds(path, lengths, Drawing(bell=True))


def shape_options(feeds: dict[str, np.ndarray]) -> list[str]:
    """Returns the options of `invar compile` that state the shapes of these inputs."""
    return [f"--shape={name}={'x'.join(map(str, array.shape))}" for name, array in feeds.items() if array.ndim]
