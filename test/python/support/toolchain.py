# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the compiler and the runtime by their C API, in this process: starting the program takes longer than most
graphs."""
import ctypes
import os
import pathlib
from typing import NamedTuple, Sequence

import invar_engine

Text, Size, Int = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int32
# Processor levels, and the features by which Linux reports them.
LEVELS = {"x86-64-v2": {"sse4_2", "popcnt", "ssse3"}, "x86-64-v3": {"avx2", "fma", "bmi2", "f16c"},
          "x86-64-v4": {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"}}


class Source(ctypes.Structure):
    _fields_ = [("path", Text), ("bytes", ctypes.c_char_p), ("size", Size)]


class Facts(ctypes.Structure):
    _fields_ = [("shapes", ctypes.c_void_p), ("num_shapes", Size), ("dims", ctypes.POINTER(Text)), ("num_dims", Size)]


class Warnings(ctypes.Structure):
    _fields_ = [("warn", ctypes.c_void_p), ("context", ctypes.c_void_p)]


class CompileOptions(ctypes.Structure):
    """InvarCompileOptions; later fields are zero."""
    _fields_ = [("size", Size), ("facts", Facts), ("target_cpu", Text), ("num_threads", Int), ("show_progress", Int),
                ("warnings", Warnings), ("winograd", Text), ("fold_at", Text), ("no_memory_plan", Int), ("compress_weights", Int),
                ("link_params", Text), ("refittable", Int), ("check_kernels", Int), ("plain", Int), ("fix_defaults", Int),
                ("cancel", ctypes.c_void_p), ("timeout_ns", ctypes.c_int64)]


class OptimizeOptions(ctypes.Structure):
    """InvarOptimizeOptions, up to the last field that is used here."""
    _fields_ = [("size", Size), ("facts", Facts), ("enable", ctypes.c_void_p), ("num_enable", Size), ("disable", ctypes.c_void_p),
                ("num_disable", Size), ("opset", ctypes.c_int64), ("max_growth", ctypes.c_int64), ("memory_limit", ctypes.c_uint64),
                ("num_threads", Int), ("exact_only", Int), ("fix_defaults", Int), ("require_static", Int), ("external_data", Int),
                ("show_progress", Int), ("warnings", Warnings), ("passes", ctypes.c_void_p), ("num_passes", Size),
                ("cancel", ctypes.c_void_p), ("timeout_ns", ctypes.c_int64)]


class SessionOptions(ctypes.Structure):
    _fields_ = [("size", Size), ("threads", ctypes.c_void_p), ("num_threads", Int), ("spin_us", Int), ("profile", Int),
                ("fold_cache", Text), ("warn", ctypes.c_void_p), ("warn_context", ctypes.c_void_p), ("weights", Text)]


class Refused(Exception):
    """The compiler rejected the model. The text is its message."""


class Session(invar_engine.Session):
    """A session with a given number of threads."""

    def __init__(self, runtime: invar_engine.Runtime, library: str, threads: int):
        self.runtime = runtime
        options = SessionOptions(size=ctypes.sizeof(SessionOptions), num_threads=threads, spin_us=-1)
        self.handle = runtime.make("session_load", library.encode(), ctypes.byref(options))
        self.inputs, self.outputs = ([runtime.call(f"session_{way}_name", self.handle, i).decode()
                                      for i in range(runtime.call(f"session_num_{way}s", self.handle))]
                                     for way in ("input", "output"))


class Variant(NamedTuple):
    """A way to compile and run a graph."""
    is_open: bool = True  # Named sizes are not stated.
    threads: int = 1
    winograd: str = "auto"
    fold_at: str = "auto"
    compresses: bool = False
    cpu: str = ""
    plans_memory: bool = True
    checks_kernels: bool = False  # Each run compares kernels with plain loops.
    is_plain: bool = False  # All kernels are plain loops.
    stops_at: float = 0  # Compiling and running are stopped after this part of their time, then done again; 0: never.
    hides_rank: bool = False  # The first input has no shape in the model. Only for small graphs: others take too long.

    def arguments(self, sizes: dict[str, int]) -> list[str]:
        """Returns the options of `invar compile`; plain loops have no option there, only in the C API."""
        made = [] if self.is_open else [f"--dim={name}={size}" for name, size in sizes.items()]
        made += [f"--winograd={self.winograd}"] * (self.winograd != "auto") + [f"--fold-at={self.fold_at}"] * (self.fold_at != "auto")
        made += ["--compress-weights"] * self.compresses + ["--no-memory-plan"] * (not self.plans_memory)
        made += ["--check-kernels"] * self.checks_kernels + ["(plain)"] * self.is_plain
        made += ["(the first input without a shape)"] * self.hides_rank
        made += [f"(stopped after {self.stops_at:.0%} of the time)"] * bool(self.stops_at)
        return made + [f"--target-cpu={self.cpu}"] * bool(self.cpu)

    def simpler(self) -> list["Variant"]:
        """Returns the variants with one field reset to its default."""
        usual = Variant()
        return [self._replace(**{field: getattr(usual, field)}) for field in self._fields
                if getattr(self, field) != getattr(usual, field)]


def runnable_cpus() -> list[str]:
    """Returns the CPU levels that this machine supports, the native one ('') first."""
    try:
        with open("/proc/cpuinfo") as info:
            flags = next((set(line.split()) for line in info if line.startswith("flags")), set())
    except OSError:
        flags = set()
    return ["", *(level for level, needed in LEVELS.items() if needed <= flags)]


class Toolchain:
    def __init__(self, build: str | os.PathLike):
        path = pathlib.Path(build, "lib/libinvar.so").resolve()
        if not path.exists():
            raise SystemExit(f"expected a build with the library, but got '{build}'")
        self.runtime = invar_engine.Runtime(path)
        for name in ("invar_compile", "invar_optimize"):
            getattr(self.runtime.library, name).restype = ctypes.c_void_p

    def call(self, name: str, model: bytes, output: str, options: ctypes.Structure) -> None:
        # Messages name the model like a file, as on the command line.
        source = Source(None, model, len(model))
        library = self.runtime.library
        status = ctypes.c_void_p(getattr(library, name)(ctypes.byref(source), output.encode(), ctypes.byref(options)))
        if status:
            text = library.invar_status_text(status).decode(errors="replace")
            library.invar_status_free(status)
            raise Refused(text)

    def optimize(self, model: bytes, output: str, passes: Sequence[str] = (), timeout: float = 0) -> None:
        """Runs these passes, or the default passes of `optimize`, for at most `timeout` seconds; 0 for no limit."""
        names = (Text * len(passes))(*(name.encode() for name in passes))
        options = OptimizeOptions(size=ctypes.sizeof(OptimizeOptions), num_threads=1, num_passes=len(passes),
                                  passes=ctypes.cast(names, ctypes.c_void_p), timeout_ns=int(timeout * 1e9))
        self.call("invar_optimize", model, output, options)

    def compile(self, model: bytes, output: str, variant: Variant, sizes: dict[str, int], timeout: float = 0) -> None:
        """States `sizes`, unless the variant leaves them open. Takes at most `timeout` seconds; 0 for no limit."""
        dims = [] if variant.is_open else [f"{name}={size}".encode() for name, size in sizes.items()]
        options = CompileOptions(
            size=ctypes.sizeof(CompileOptions), num_threads=1, winograd=variant.winograd.encode(), fold_at=variant.fold_at.encode(),
            target_cpu=variant.cpu.encode() or None, no_memory_plan=int(not variant.plans_memory),
            compress_weights=int(variant.compresses), check_kernels=int(variant.checks_kernels), plain=int(variant.is_plain),
            timeout_ns=int(timeout * 1e9))
        options.facts.dims = (Text * len(dims))(*dims)
        options.facts.num_dims = len(dims)
        self.call("invar_compile", model, output, options)

    def load(self, library: str, threads: int) -> Session:
        return Session(self.runtime, library, threads)
