# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LSTM, GRU and RNN."""
import math

from .builder import FLOAT, INT, Graph, Value
from .normalize import fixed

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


def recurrent(g: Graph) -> Value:
    if g.chance(0.4):
        x = g.pick(lambda v: v.type == FLOAT and v.rank == 3 and v.count and v.has_one_shape() and v.shape[0] <= 12)
    else:
        x = g.add_input(FLOAT, [g.rng.randrange(1, 7), g.choose(1, 2, 3, 4), g.choose(1, 3, 8, 16, 17, 33)])
    op = g.choose(*GATES)
    steps, batch, width = x.shape
    hidden, ways = g.choose(1, 3, 4, 8, 15, 16, 17, 32, 33), g.choose(1, 1, 2)
    scale, rows = 1 / math.sqrt(max(width, hidden)), GATES[op] * hidden
    operands = [x, g.weight(FLOAT, [ways, rows, fixed(x, 2)], scale), g.weight(FLOAT, [ways, rows, hidden], scale),
                g.weight(FLOAT, [ways, 2 * rows]) if g.chance(0.7) else None,
                g.constant(g.numbers.integers(1, steps + 1, [batch]).astype(INT)) if g.chance(0.2) else None,
                g.weight(FLOAT, [ways, batch, hidden]) if g.chance(0.3) else None]
    if op == "LSTM" and g.chance(0.4):
        operands.append(g.weight(FLOAT, [ways, batch, hidden]) if g.chance(0.6) else None)
        if g.chance(0.4):
            operands.append(g.weight(FLOAT, [ways, 3 * hidden]))
    attributes = {"hidden_size": hidden, "direction": "bidirectional" if ways == 2 else g.choose("forward", "reverse")}
    if op == "GRU" and g.chance(0.6):
        attributes["linear_before_reset"] = 1
    if g.chance(0.1):
        attributes["clip"] = 1.5
    results = g.rng.randrange(1, 4 if op == "LSTM" else 3)
    made = g.node(op, operands, results=results, is_operand=results == 1, **attributes)
    if results == 1:
        y = made
    else:
        for value in made:
            g.keep(value)
        y = made[0]
    if g.chance(0.5):  # Join the directions as exporters do.
        y = g.node("Transpose", [y], perm=[0, 2, 1, 3])
        y = g.node("Reshape", [y, g.ints(0, 0, -1)])
    return y


STEPS = {recurrent: 3}
