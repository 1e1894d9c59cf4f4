# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program `invar`, which is part of the package: `python -m invar optimize model.onnx smaller.onnx`."""
import os
import pathlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    program = pathlib.Path(__file__).with_name("bin") / "invar"
    os.execv(program, ["invar", *sys.argv[1:]])


if __name__ == "__main__":
    main()
