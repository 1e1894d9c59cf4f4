#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs another tool's optimizer once, as its documentation recommends, in a separate process.

  peers.py onnxruntime|onnxslim|onnxsim IN OUT
"""
import sys


def with_onnxruntime(source: str, target: str) -> None:
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = target
    ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def with_onnxslim(source: str, target: str) -> None:
    import onnxslim
    onnxslim.slim(source, target)


def with_onnxsim(source: str, target: str) -> None:
    import onnx
    import onnxsim
    simplified, _ = onnxsim.simplify(source)
    onnx.save(simplified, target)


if __name__ == "__main__":
    tool, source, target = sys.argv[1:]
    {"onnxruntime": with_onnxruntime, "onnxslim": with_onnxslim, "onnxsim": with_onnxsim}[tool](source, target)
