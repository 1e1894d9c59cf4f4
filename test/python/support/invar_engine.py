# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models with `invar compile` and runs them with libinvar-runtime.so, with numpy inputs and outputs.

Sequences are lists, maps are dicts, an empty optional is None, and strings are arrays of objects.
"""
import ctypes
import os
import pathlib
from typing import Any

import ml_dtypes
import numpy as np

import harness

# ONNX's data types by number; the others are strings.
DTYPES = {number: np.dtype(name if hasattr(np, name) else getattr(ml_dtypes, name)) for number, name in {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16", 17: "float8_e4m3fn",
    18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4_e2m1fn",
    24: "float8_e8m0fnu", 25: "uint2", 26: "int2", 27: "float6_e2m3fn", 28: "float6_e3m2fn"}.items()}
NUMBERS = {dtype: number for number, dtype in DTYPES.items()}
STRING = 8
TENSOR, SEQUENCE, OPTIONAL, MAP = range(4)


def last_words(text: str) -> str:
    """Returns the most informative line of a crashed program's output: its assertion or error, or the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "Assertion" in line or "ERROR" in line or "rror:" in line]
    return (telling or lines[-1:] or ["nothing was said"])[0][-400:]


class CompilerCrashed(Exception):
    """The compiler was killed. The text contains the signal and the last output."""


class NotCompiled(Exception):
    """The compiler rejected the model. The text is its message."""


class RunFailed(Exception):
    """The runtime rejected the library or the inputs. The text is its message."""


class String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class RunOptions(ctypes.Structure):
    """InvarRunOptions, up to the last field that is used here."""
    _fields_ = [("size", ctypes.c_size_t), ("cancel", ctypes.c_void_p), ("timeout_ns", ctypes.c_int64)]


POINTERS = ("invar_session_input_type invar_session_output_type invar_type_element invar_tensor_sizes "
            "invar_tensor_data invar_sequence_at invar_optional_get invar_map_keys invar_map_values").split()
TEXTS = "invar_status_text invar_session_input_name invar_session_output_name".split()
SIZES = ("invar_session_num_inputs invar_session_num_outputs invar_tensor_rank invar_tensor_bytes "
         "invar_tensor_count invar_sequence_size invar_session_folds_run").split()
STATUSES = ("invar_session_load invar_session_run invar_session_run_with invar_tensor_create invar_tensor_set_string invar_sequence_create "
            "invar_optional_create invar_map_create").split()


class Runtime:
    """The C API, with failures as exceptions. Every handle is a c_void_p."""

    def __init__(self, library: str | os.PathLike):
        self.library = ctypes.CDLL(os.fspath(library))
        for names, kind in ((POINTERS + STATUSES, ctypes.c_void_p), (TEXTS, ctypes.c_char_p), (SIZES, ctypes.c_size_t)):
            for name in names:
                getattr(self.library, name).restype = kind

    def call(self, name: str, *arguments: Any) -> Any:
        arguments = [ctypes.c_int64(a) if isinstance(a, int) else a for a in arguments]
        result = getattr(self.library, "invar_" + name)(*arguments)
        if "invar_" + name in POINTERS:
            return ctypes.c_void_p(result)
        if "invar_" + name in STATUSES and result:
            status = ctypes.c_void_p(result)
            text = self.library.invar_status_text(status).decode(errors="replace")
            self.library.invar_status_free(status)
            raise RunFailed(text)
        return result

    def make(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def to_value(self, value: Any, kind: ctypes.c_void_p) -> ctypes.c_void_p:
        """Makes a value of the type that the model declares."""
        form = self.call("type_kind", kind)
        if form == OPTIONAL:
            element = None if value is None else self.to_value(value, self.call("type_element", kind))
            made = self.make("optional_create", element)
            self.call("value_release", element)
            return made
        if form == SEQUENCE and isinstance(value, (list, tuple)):
            items = [self.to_value(v, self.call("type_element", kind)) for v in value]
            made = self.make("sequence_create", (ctypes.c_void_p * len(items))(*items), len(items))
            for item in items:
                self.call("value_release", item)
            return made
        if form == MAP:
            element = self.call("type_data_type", self.call("type_element", kind))
            keys, values = list(value), list(value.values())
            parts = [self.to_tensor(np.array(keys, np.int64 if self.call("type_key", kind) != STRING else object)),
                     self.to_tensor(np.array(values, object if element == STRING else DTYPES[element]))]
            made = self.make("map_create", *parts)
            for part in parts:
                self.call("value_release", part)
            return made
        return self.to_tensor(np.asarray(value))

    def to_tensor(self, array: np.ndarray) -> ctypes.c_void_p:
        sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
        number = STRING if array.dtype.kind in "OSU" else NUMBERS[array.dtype]
        made = self.make("tensor_create", number, sizes, array.ndim)
        if number != STRING:
            raw = np.ascontiguousarray(array)
            ctypes.memmove(self.call("tensor_data", made), raw.ctypes.data, raw.nbytes)
            return made
        for index, text in enumerate(array.flat):
            raw = text if isinstance(text, bytes) else str(text).encode()
            self.call("tensor_set_string", made, index, raw, len(raw))
        return made

    def from_value(self, value: ctypes.c_void_p) -> Any:
        form = self.call("value_kind", value)
        if form == OPTIONAL:
            element = self.call("optional_get", value)
            return self.from_value(element) if element else None
        if form == SEQUENCE:
            return [self.from_value(self.call("sequence_at", value, i)) for i in range(self.call("sequence_size", value))]
        if form == MAP:
            keys, values = (self.from_value(self.call(f"map_{part}", value)).tolist() for part in ("keys", "values"))
            return dict(zip(keys, values))
        sizes = ctypes.cast(self.call("tensor_sizes", value), ctypes.POINTER(ctypes.c_int64))
        shape = sizes[:self.call("tensor_rank", value)]
        data, number = self.call("tensor_data", value), self.call("tensor_data_type", value)
        if number != STRING:
            return np.frombuffer(ctypes.string_at(data, self.call("tensor_bytes", value)), DTYPES[number]).reshape(shape)
        texts = (String * self.call("tensor_count", value)).from_address(data.value or 0)
        array = np.empty(len(texts), object)
        array[:] = [ctypes.string_at(t.data, t.size).decode() for t in texts]
        return array.reshape(shape)


class Session:
    def __init__(self, runtime: Runtime, library: str):
        self.runtime = runtime
        self.handle = runtime.make("session_load", library.encode(), None)
        self.inputs, self.outputs = ([runtime.call(f"session_{way}_name", self.handle, i).decode()
                                      for i in range(runtime.call(f"session_num_{way}s", self.handle))]
                                     for way in ("input", "output"))

    def run(self, feeds: dict[str, Any], timeout: float = 0) -> list[Any]:
        """Takes at most `timeout` seconds; 0 for no limit."""
        call = self.runtime.call
        types = {name: call("session_input_type", self.handle, i) for i, name in enumerate(self.inputs)}
        values = [self.runtime.to_value(value, types[name]) for name, value in feeds.items() if name in types]
        names = [name for name in feeds if name in types]
        outputs = (ctypes.c_void_p * len(self.outputs))()
        try:
            arguments = ((ctypes.c_char_p * len(names))(*(n.encode() for n in names)),
                         (ctypes.c_void_p * len(values))(*values), len(values), outputs, len(self.outputs))
            if timeout:
                options = RunOptions(size=ctypes.sizeof(RunOptions), timeout_ns=int(timeout * 1e9))
                call("session_run_with", self.handle, ctypes.byref(options), *arguments)
            else:
                call("session_run", self.handle, *arguments)
            return [self.runtime.from_value(ctypes.c_void_p(output)) for output in outputs]
        finally:
            for value in (*values, *map(ctypes.c_void_p, outputs)):
                call("value_release", value)

    def close(self) -> None:
        self.runtime.call("session_free", self.handle)


class Engine:
    """The programs of one build."""

    def __init__(self, build: str | os.PathLike):
        self.invar = harness.existing_program(os.fspath(pathlib.Path(build, "bin/invar")))
        self.runtime = Runtime(pathlib.Path(build, "lib/libinvar-runtime.so").resolve())

    def compile(self, model: str, library: str, *options: str) -> None:
        ended = harness.run(self.invar, "compile", model, "-o", library, "--quiet", "--threads=1", *options)
        if ended.code < 0:
            raise CompilerCrashed(f"{ended.ending()}: {last_words(ended.stderr)}")
        if ended.code:
            raise NotCompiled(ended.stderr.strip())

    def load(self, library: str) -> Session:
        return Session(self.runtime, library)
