# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Invar computes every constant of an ONNX model once.

  invar.optimize("model.onnx", "smaller.onnx")
  invar.compile("model.onnx", "model.so")
  session = invar.Session("model.so")                  # or "model.onnx", which is compiled in memory
  [y] = session.run(["y"], {"x": x})

Models are paths, bytes, or messages of the package onnx. Whatever is refused is an `invar.Error` that says what
was expected and what was there instead.
"""
import atexit as _atexit
import threading as _threading

from invar._errors import ArgumentError, Cancelled, DeadlineExceeded, Error
from invar._invar import Cancel, NodeArg, leave as _leave, version as _version
from invar._models import Session, compile, optimize

__version__ = _version()
# Threads that the interpreter does not wait for must not come back to it.
_atexit.register(lambda: _leave(_threading.active_count() > 1))

__all__ = ["ArgumentError", "Cancel", "Cancelled", "DeadlineExceeded", "Error", "NodeArg", "Session", "compile", "optimize"]
