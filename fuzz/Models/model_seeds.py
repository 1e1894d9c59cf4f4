#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies the seeds of the model fuzzers into a folder: the node tests of the onnx package, and examples/.

  fuzz/Models/model_seeds.py FOLDER
"""
import pathlib
import sys
import warnings
from typing import Iterator

from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import DATA_DIR

# Longer models are slow to vary and rarely contain anything that short models lack.
MOST_BYTES = 8192


def models() -> Iterator[tuple[str, bytes]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # The package's own cases divide by zero intentionally.
        for case in collect_testcases(None):
            yield case.name, case.model.SerializeToString()
    for path in sorted(pathlib.Path(DATA_DIR).glob("*/*/model.onnx")):
        yield path.parent.name, path.read_bytes()
    for path in sorted((pathlib.Path(__file__).resolve().parents[2] / "examples").glob("*.onnx")):
        yield path.stem, path.read_bytes()


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: model_seeds.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    written, left = 0, 0
    for name, content in models():
        if len(content) > MOST_BYTES:
            left += 1
            continue
        (folder / name).write_bytes(content)
        written += 1
    print(f"{written} models; {left} of more than {MOST_BYTES} bytes left out")
    return 0 if written else 1


if __name__ == "__main__":
    sys.exit(main())
