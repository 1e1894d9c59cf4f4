#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that each model in examples/ equals the output of its generator, and that it runs.

  examples.py
"""
import pathlib
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
import engines
import feeding
import harness

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"


def complaints(generator: pathlib.Path, model: pathlib.Path) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="examples") as folder:
        made = pathlib.Path(folder, model.name)
        ended = harness.run(sys.executable, generator, made)
        if ended.code:
            return [ended.ending()]
        if made.read_bytes() != model.read_bytes():
            return [f"expected {model.name} as {generator.name} makes it, but got another file"]
    try:
        feeding.random_feeds(str(model))
    except engines.CannotRun as error:
        return [str(error)]
    return []


def main() -> int:
    report = harness.Report()
    for generator in sorted(EXAMPLES.glob("make_*.py")):
        model = EXAMPLES / f"{generator.stem.removeprefix('make_')}.onnx"
        report.check(model.name, complaints(generator, model))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
