#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one engine with one model in a separate process, so that no engine's threads disturb another's.

  worker.py ENGINE MODEL FEEDS.npz THREADS OUTPUTS.npz RUNTIME [FOLDS]

loads the model and runs it once, writes the outputs, and prints the milliseconds of both. FOLDS is a folder for the
constants that Invar's first run computes. It then answers each input line `run N` with the milliseconds of N runs.
Inputs are bound beforehand, and no output is copied to numpy: only the engine's own call is timed.
"""
import ctypes
import json
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test/python/support"))


class SessionOptions(ctypes.Structure):
    """InvarSessionOptions of invar-c/Session.h."""
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_void_p), ("num_threads", ctypes.c_int32),
                ("spin_us", ctypes.c_int32), ("profile", ctypes.c_int32), ("fold_cache", ctypes.c_char_p)]


class Engine:
    def told(self) -> dict:
        """Returns statistics that the engine reports after its first run."""
        return {}

    def close(self) -> None:
        pass


class Invar(Engine):
    def __init__(self, threads: int, library: str, folds: str | None = None):
        import invar_engine
        self.runtime, self.threads, self.folds = invar_engine.Runtime(library), threads, folds

    def load(self, model: str) -> None:
        options = SessionOptions(ctypes.sizeof(SessionOptions), None, self.threads, -1, 0, self.folds and self.folds.encode())
        self.session = self.runtime.make("session_load", model.encode(), ctypes.byref(options))
        count = self.runtime.call("session_num_inputs", self.session)
        self.names = [self.runtime.call("session_input_name", self.session, i).decode() for i in range(count)]
        self.outputs = (ctypes.c_void_p * self.runtime.call("session_num_outputs", self.session))()

    def bind(self, feeds: dict[str, np.ndarray]) -> None:
        tensors = [self.runtime.to_tensor(feeds[name]) for name in self.names]
        self.inputs = (ctypes.c_void_p * len(tensors))(*tensors)
        self.call, self.release = self.runtime.library.invar_session_run, self.runtime.library.invar_value_release
        self.release.argtypes = [ctypes.c_void_p]
        self.call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]

    def run(self) -> None:
        outputs = self.outputs
        for index, value in enumerate(outputs):
            if value:
                self.release(value)
                outputs[index] = None
        if self.call(self.session, None, self.inputs, len(self.inputs), outputs, len(outputs)):
            raise RuntimeError("the run failed")

    def results(self) -> list[np.ndarray]:
        return [self.runtime.from_value(ctypes.c_void_p(value)) for value in self.outputs]

    def told(self) -> dict:
        return {"folds_run": self.runtime.call("session_folds_run", self.session)}

    def close(self) -> None:
        """Also waits until the file of constants is written."""
        self.runtime.call("session_free", self.session)


class OnnxRuntime(Engine):
    def __init__(self, threads: int, *_: str):
        import onnxruntime
        self.module, self.options = onnxruntime, onnxruntime.SessionOptions()
        self.options.intra_op_num_threads, self.options.inter_op_num_threads = threads, 1
        self.options.log_severity_level = 3

    def load(self, model: str) -> None:
        self.session = self.module.InferenceSession(model, self.options, providers=["CPUExecutionProvider"])

    def bind(self, feeds: dict[str, np.ndarray]) -> None:
        self.binding = self.session.io_binding()
        for name in (i.name for i in self.session.get_inputs()):
            self.binding.bind_cpu_input(name, feeds[name])
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)

    def run(self) -> None:
        self.session.run_with_iobinding(self.binding)

    def results(self) -> list[np.ndarray]:
        return self.binding.copy_outputs_to_cpu()


class OpenVino(Engine):
    def __init__(self, threads: int, *_: str):
        import openvino
        self.module, self.core = openvino, openvino.Core()
        # By default it computes in bf16 if the processor supports it. Use f32, as the other engines do.
        self.options = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}

    def load(self, model: str) -> None:
        self.model = self.core.compile_model(self.core.read_model(model), "CPU", self.options)

    def bind(self, feeds: dict[str, np.ndarray]) -> None:
        self.request = self.model.create_infer_request()
        for port in self.model.inputs:
            name = next(name for name in feeds if name in port.names)
            self.request.set_tensor(port, self.module.Tensor(feeds[name], shared_memory=True))

    def run(self) -> None:
        self.request.infer(share_outputs=True)

    def results(self) -> list[np.ndarray]:
        return [self.request.get_tensor(port).data for port in self.model.outputs]


ENGINES = {"invar": Invar, "onnxruntime": OnnxRuntime, "OpenVINO": OpenVino}


def main() -> None:
    name, model, feeds, threads, outputs, *rest = sys.argv[1:]
    arrays = dict(np.load(feeds))
    engine = ENGINES[name](int(threads), *rest)
    times = [time.perf_counter()]
    for step in (lambda: engine.load(model), lambda: engine.bind(arrays), engine.run):
        step()
        times.append(time.perf_counter())
    load, bind, first = (1e3 * (b - a) for a, b in zip(times, times[1:]))
    np.savez(outputs, *engine.results())
    print(json.dumps({"load_ms": load, "bind_ms": bind, "first_ms": first, **engine.told()}), flush=True)

    for line in sys.stdin:
        taken = []
        for _ in range(int(line.split()[1])):
            start = time.perf_counter()
            engine.run()
            taken.append(1e3 * (time.perf_counter() - start))
        print(json.dumps(taken), flush=True)
    engine.close()


if __name__ == "__main__":
    main()
