#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests numbers at the limits of 64 bits that are known only at run time.

If they lead to an invalid size, the run must be rejected with the node's name; no size may wrap around to a valid
one. If they are valid, such as the ends of a Slice, the outputs must be right.

  huge_sizes.py --build build/dev
"""
import argparse
import os
import sys
import tempfile
from typing import Any, Iterator, NamedTuple

import numpy as np
from onnx import TensorProto, helper

sys.path.insert(1, sys.path[0] + "/../support")
import harness
import invar_engine
from toolchain import Toolchain, Variant

LOWEST, HIGHEST = -2**63, 2**63 - 1
X = np.arange(4, dtype=np.float32)


class Case(NamedTuple):
    op: str
    x: np.ndarray | None  # The first operand, of an open size.
    numbers: tuple[tuple[int, ...] | int, ...]  # The other operands, vectors or scalars.
    expected: list[float] | None = None  # The output; None if the run must be rejected.

    def __str__(self) -> str:
        return f"{self.op}{self.numbers}"


def cases() -> Iterator[Case]:
    yield Case("Pad", X, ((HIGHEST, HIGHEST),))
    yield Case("Pad", X, ((LOWEST, HIGHEST),))
    yield Case("Tile", X, ((2**62,),))
    yield Case("Expand", X, ((2**31, 2**31, 4),))
    yield Case("ConstantOfShape", None, ((2**32, 2**32),))
    yield Case("Range", None, (LOWEST, HIGHEST, 1))
    yield Case("Range", None, (LOWEST, HIGHEST, 2**62))
    yield Case("Range", None, (HIGHEST, LOWEST, LOWEST))
    yield Case("Range", None, (0, HIGHEST, 2**62), [0, 2**62])
    yield Case("Slice", X, ((LOWEST,), (HIGHEST,), (0,), (1,)), [0, 1, 2, 3])
    yield Case("Slice", X, ((HIGHEST,), (LOWEST,), (0,), (-1,)), [3, 2, 1, 0])
    yield Case("Slice", X, ((-1,), (LOWEST,), (0,), (LOWEST,)), [3])
    yield Case("Slice", X, ((LOWEST,), (LOWEST,), (0,), (HIGHEST,)), [])


def make_model(case: Case) -> tuple[bytes, dict[str, Any]]:
    """Returns the model and its inputs."""
    feeds = {f"n{i}": np.array(numbers, np.int64) for i, numbers in enumerate(case.numbers)}
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, value.shape) for name, value in feeds.items()]
    if case.x is not None:
        inputs.insert(0, helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"]))
    node = helper.make_node(case.op, [info.name for info in inputs], ["y"], name="the_node")
    output = helper.make_tensor_value_info("y", TensorProto.INT64 if case.op == "Range" else TensorProto.FLOAT, None)
    model = helper.make_model(helper.make_graph([node], "g", inputs, [output]), opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    return model.SerializeToString(), feeds if case.x is None else {"x": case.x, **feeds}


def complaints(toolchain: Toolchain, case: Case, folder: str) -> Iterator[str]:
    model, feeds = make_model(case)
    library = os.path.join(folder, "model.so")
    toolchain.compile(model, library, Variant(), {})
    session = toolchain.load(library, 1)
    try:
        found = session.run(feeds)[0].tolist()
        if found != case.expected:
            yield f"expected {'an error' if case.expected is None else case.expected}, but got {found[:9]}"
    except invar_engine.RunFailed as error:
        if case.expected is not None:
            yield f"expected {case.expected}, but got '{error}'"
        elif "node 'the_node': expected" not in str(error):
            yield f"expected an error that names the node, but got '{error}'"
    finally:
        session.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    toolchain = Toolchain(arguments.build)
    report = harness.Report()
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            report.check(str(case), complaints(toolchain, case, folder))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
