# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws graphs: a theme determines which families of operators are frequent."""
import random
from typing import Callable

from . import control, elementwise, move, normalize, products, quantize, recurrent, reduce, windows
from .builder import (BFLOAT, BOOL, CHANNELS, DOUBLE, FLOAT, HALF, INT, INTEGERS, LONG, MIDDLE, Graph, Unfit, Value)

FAMILIES = {"windows": windows, "normalize": normalize, "elementwise": elementwise, "reduce": reduce, "products": products,
            "move": move, "recurrent": recurrent, "quantize": quantize, "control": control}
# The weight of each family in a theme; 0.3 for families that are not named.
THEMES = {
    "vision": {"windows": 8, "normalize": 2, "elementwise": 3, "move": 1.5},
    "layouts": {"windows": 4, "move": 6, "elementwise": 2},
    "transformer": {"products": 6, "normalize": 4, "elementwise": 3, "move": 3},
    "reductions": {"reduce": 8, "elementwise": 3, "move": 1.5, "normalize": 1},
    "movement": {"move": 9, "elementwise": 2},
    "quantized": {"quantize": 8, "windows": 1, "elementwise": 2, "move": 1},
    "sequence": {"recurrent": 4, "products": 2, "move": 2, "elementwise": 2},
    "arithmetic": {"elementwise": 9, "reduce": 2, "move": 1},
    "control": {"control": 5, "elementwise": 3, "move": 2, "products": 1},
    "all": {name: 2 for name in FAMILIES},
}
POPULAR = {"vision": 4, "layouts": 2, "transformer": 3, "reductions": 3, "movement": 3, "quantized": 3, "sequence": 0.7,
           "arithmetic": 2.5, "control": 0.6, "all": 3}


def steps_of(theme: str) -> tuple[list[Callable[[Graph], Value]], list[float]]:
    steps, weights = [], []
    for name, family in FAMILIES.items():
        share = THEMES[theme].get(name, 0.3 if name not in ("recurrent", "control") else 0.05) / sum(family.STEPS.values())
        for step, weight in family.STEPS.items():
            steps.append(step)
            weights.append(weight * share)
    return steps, weights


STEPS = {theme: steps_of(theme) for theme in THEMES}


def first_input(g: Graph, theme: str) -> None:
    dtype = FLOAT
    if theme in ("arithmetic", "movement", "reductions", "all") and g.chance(0.35):
        dtype = g.choose(HALF, DOUBLE, BFLOAT, INT, LONG, BOOL, *INTEGERS)
    elif g.chance(0.08):
        dtype = g.choose(HALF, DOUBLE, BFLOAT)
    if theme in ("vision", "layouts") or theme == "quantized" and g.chance(0.6):
        axes = g.choose(1, 2, 2, 2, 2, 2, 3)
        edges = (1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 9) if g.chance(0.8) else (12, 15, 16, 17, 20, 28, 31, 33)
        sizes = [g.rng.randrange(1, 9), g.choose(*CHANNELS), *(g.rng.choice(edges) for _ in range(axes))]
    elif theme == "transformer":
        sizes = [g.choose(1, 1, 2, 3), g.size(), g.size()] if g.chance(0.6) else [g.size(), g.size()]
    else:
        rank = g.choose(1, 2, 2, 3, 3, 3, 4, 4, 5)
        large = g.rng.randrange(rank)
        sizes = [g.size() if axis == large else g.choose(1, 2, 2, 3, 4, 5, 7, 8, 9) for axis in range(rank)]
    dims: list[int | str] = list(sizes)
    for axis in range(len(dims)):
        # In most models, the number of channels is known; the batch size and spatial or temporal sizes often are not.
        if g.named and g.chance(0.15 if axis == 1 and len(dims) > 2 else 0.6):
            name = g.rng.choice(list(g.named))
            dims[axis] = name
    g.add_input(dtype, dims)


def draw(seed: int, number: int) -> Graph:
    rng = random.Random(f"{seed}/{number}")
    g = Graph(rng)
    theme = rng.choices(list(POPULAR), list(POPULAR.values()))[0]
    if g.chance(0.3):
        g.choices = 3
        for name in ("n", "m")[:g.choose(1, 1, 2)]:
            last = 0 if g.chance(0.25) else g.choose(2, 9, *MIDDLE)
            g.named[name] = (g.choose(2, 3, 4, 5, 7, 8, 17), 1, last)
    for _ in range(g.choose(1, 1, 1, 2, 3)):
        try:
            first_input(g, theme)
        except Unfit:
            pass
    if not g.values:
        g.add_input(FLOAT, [3, 4, 5])
    length = rng.randrange(1, 4) if g.chance(0.25) else rng.randrange(3, 15)
    steps, weights = STEPS[theme]
    for _ in range(8 * length):
        if len(g.nodes) >= length:
            break
        try:
            rng.choices(steps, weights)[0](g)
        except (Unfit, IndexError, ValueError, ZeroDivisionError):
            # A step that failed half-way leaves its first nodes: they may become outputs. Unused inputs are removed.
            continue
    choose_outputs(g)
    return g


def choose_outputs(g: Graph) -> None:
    """Chooses all values without users, and some intermediate values."""
    read = {name for node in g.nodes for name in node.input}
    made = [g.known[name] for node in g.nodes for name in node.output if name]
    g.outputs = [value for value in made if value.name not in read and not value.is_constant or
                 (g.chance(0.06) and not value.is_constant)]
    if len(g.outputs) > 4:
        g.outputs = g.outputs[-4:]
    if not g.outputs:
        g.outputs = made[-1:]
