# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Invar computes every constant of an ONNX model once.

  invar.optimize("model.onnx", "smaller.onnx")
  invar.compile("model.onnx", "model.so")
  session = invar.Session("model.so")                  # or "model.onnx", which is compiled in memory
  [y] = session.run(["y"], {"x": x})

A model is a path, bytes, or a message of the package onnx. Failures raise an `invar.Error`, which states what was
expected and what was found.
"""
import atexit as _atexit
import threading as _threading

from invar._errors import ArgumentError, Cancelled, DeadlineExceeded, Error
from invar._invar import Cancel, NodeArg, leave as _leave, version as _version
from invar._models import Session, compile, optimize

__version__ = _version()
# Daemon threads, which the interpreter does not wait for, must not return to it.
_atexit.register(lambda: _leave(_threading.active_count() > 1))

__all__ = ["ArgumentError", "Cancel", "Cancelled", "DeadlineExceeded", "Error", "NodeArg", "Session", "compile", "optimize"]
