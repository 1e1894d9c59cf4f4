# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops."""
from onnx import TensorProto, ValueInfoProto, helper

from .builder import FLOAT, LONG, Graph, Value, number_of

INNER = ("Relu", "Neg", "Abs", "Tanh", "Sigmoid", "Identity")


def info_of(name: str, x: Value) -> ValueInfoProto:
    """Declares a value with the type and rank of x."""
    return helper.make_tensor_value_info(name, number_of(x.type), [None] * x.rank)


def body(g: Graph, x: Value, name: str, length: int) -> tuple[list, str]:
    """Makes nodes that compute a value with the shape of `name`, also using the outer value `x`."""
    nodes = []
    for _ in range(length):
        made = g.name("t")
        if g.chance(0.5):
            nodes.append(helper.make_node(g.choose(*INNER), [name], [made]))
        else:
            nodes.append(helper.make_node(g.choose("Add", "Mul", "Max", "Sub"), [name, x.name], [made]))
        name = made
    return nodes, name


def branch(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == FLOAT and v.rank <= 5)
    if g.chance(0.7):
        condition = g.add_input(FLOAT, [1], is_operand=False)
        condition = g.node("Greater", [condition, g.scalar(0, FLOAT)])
        condition = g.axes_node("Squeeze", condition, [0], 13, is_operand=False) if g.chance(0.5) else condition
    else:
        total = g.axes_node("ReduceMean", x, None, 18, keepdims=0)
        condition = g.node("Less", [total, g.scalar(0.123, FLOAT)])
    branches = []
    for _ in range(2):
        nodes, last = body(g, x, x.name, g.rng.randrange(1, 4))
        branches.append(helper.make_graph(nodes, "branch", [], [info_of(last, x)]))
    return g.node("If", [condition], captured=[x], then_branch=branches[0], else_branch=branches[1])


def loop(g: Graph) -> Value:
    x = g.pick(lambda v: v.type == FLOAT and 1 <= v.rank <= 4 and v.count < 4096)
    state, step, truth, again = g.name("s"), g.name("i"), g.name("b"), g.name("b")
    nodes, last = body(g, x, state, g.rng.randrange(1, 4))
    if g.chance(0.5):  # Keep the state small.
        made = g.name("t")
        nodes.append(helper.make_node("Tanh", [last], [made]))
        last = made
    nodes.append(helper.make_node("Identity", [truth], [again]))
    scans = g.chance(0.4)
    inner = helper.make_graph(
        nodes, "body", [helper.make_tensor_value_info(step, TensorProto.INT64, []),
                        helper.make_tensor_value_info(truth, TensorProto.BOOL, []), info_of(state, x)],
        [helper.make_tensor_value_info(again, TensorProto.BOOL, []), info_of(last, x)])
    if scans:
        scanned = g.name("t")
        inner.node.append(helper.make_node("Neg", [last], [scanned]))
        inner.output.append(info_of(scanned, x))
    # The shape of a scan output is undefined without iterations.
    trips = g.ints(g.choose(1, 2, 3) if scans else g.choose(0, 1, 2, 3))
    trips = g.node("Squeeze", [trips], is_operand=False) if not trips.is_constant else g.scalar(trips.arrays[0][0], LONG)
    start = x if g.chance(0.7) else g.weight(x.type, x.shape if x.has_one_shape() else [1] * x.rank)
    made = g.node("Loop", [trips, g.scalar(True, bool), start], results=2 if scans else 1, captured=[x], body=inner)
    return made[0] if scans else made


STEPS = {branch: 1, loop: 1}
