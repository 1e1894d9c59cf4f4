# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Engines that run one model by turns, each in a process of its own (worker.py).

A busy second of the machine hits whoever has the turn, so each gets several: the median of a turn
leaves single runs out that were disturbed, and the least of all medians the turns.
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
    """What the engine said last."""


def worker_command(setting: Setting, name: str, model: pathlib.Path, feeds: pathlib.Path, threads: int, outputs: pathlib.Path,
                   folds: pathlib.Path | None = None) -> list[str]:
    """`folds` is a folder for what Invar's first run computes of constants."""
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
        """Milliseconds of each run."""
        try:
            self.process.stdin.write(f"run {count}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # Why it ended is in what it said.
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
    """For each engine the median milliseconds of each of its turns, or how it failed."""
    counts: dict[str, int] = {}
    found: dict[str, list[float] | EngineFailed] = {name: [] for name in engines}
    for turn in range(1 + rounds):  # The first one tells how many runs a turn has.
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
