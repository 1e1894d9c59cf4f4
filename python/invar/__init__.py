# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Invar computes every constant of an ONNX model once.

  invar.optimize("model.onnx", "smaller.onnx")
  invar.compile("model.onnx", "model.so")
  session = invar.Session("model.so")                  # or "model.onnx", which is compiled in memory
  [y] = session.run(["y"], {"x": x})

Models are paths, bytes, or messages of the package onnx. Whatever is refused is an `invar.Error` that says what
was expected and what was there instead.
"""
from invar._errors import ArgumentError, Error
from invar._invar import NodeArg, version as _version
from invar._models import Session, compile, optimize

__version__ = _version()
__all__ = ["ArgumentError", "Error", "NodeArg", "Session", "compile", "optimize"]
