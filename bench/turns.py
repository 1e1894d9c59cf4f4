# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets engines run one model in turns, each in a separate process (worker.py).

Other load on the machine affects only the engine whose turn it is, so each engine has several turns. The median of a
turn excludes single disturbed runs, and the minimum over the turns' medians excludes disturbed turns.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from typing import Self

import numpy as np

from setting import Setting

TURN_SECONDS = 0.35
LEAST_RUNS, MOST_RUNS = 3, 2000


class EngineFailed(Exception):
    """Holds the last line of the engine's error output."""


def worker_command(setting: Setting, name: str, model: pathlib.Path, feeds: pathlib.Path, threads: int, outputs: pathlib.Path,
                   folds: pathlib.Path | None = None) -> list[str]:
    """`folds` is a folder for the constants that Invar's first run computes."""
    worker = pathlib.Path(__file__).with_name("worker.py")
    return list(map(str, (sys.executable, worker, name, model, feeds, threads, outputs, setting.runtime, *([folds] if folds else []))))


class Engine:
    def __init__(self, setting: Setting, name: str, model: pathlib.Path, feeds: pathlib.Path, threads: int,
                 folds: pathlib.Path | None = None):
        self.outputs = setting.scratch / f"{name}.npz"
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(worker_command(setting, name, model, feeds, threads, self.outputs, folds),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True)
        try:
            self.start = self.answer()
        except EngineFailed:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def answer(self) -> list | dict:
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.said.seek(0)
        lines = [line.strip() for line in self.said if line.strip()]
        raise EngineFailed((lines or [f"ended with code {self.process.returncode}"])[-1])

    def run(self, count: int) -> list[float]:
        """Returns the milliseconds of each run."""
        try:
            self.process.stdin.write(f"run {count}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # The engine has ended; answer() reports its error output.
        return self.answer()

    def results(self) -> list[np.ndarray]:
        with np.load(self.outputs) as arrays:
            return list(arrays.values())

    def close(self) -> None:
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.said.close()


def take_turns(engines: dict[str, Engine], rounds: int) -> dict[str, list[float] | EngineFailed]:
    """Returns, for each engine, the median milliseconds of each of its turns, or its failure."""
    counts: dict[str, int] = {}
    found: dict[str, list[float] | EngineFailed] = {name: [] for name in engines}
    for turn in range(1 + rounds):  # The first turn determines the number of runs per turn.
        for name, engine in engines.items():
            if isinstance(found[name], EngineFailed):
                continue
            try:
                times = engine.run(counts.get(name, LEAST_RUNS))
            except EngineFailed as error:
                found[name] = error
                continue
            if turn:
                found[name].append(statistics.median(times))
            else:
                counts[name] = min(max(int(1e3 * TURN_SECONDS / min(times)), LEAST_RUNS), MOST_RUNS)
    return found
