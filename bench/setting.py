# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that are common to all parts of the benchmark."""
import pathlib
from typing import NamedTuple

MB = 1_000_000


class Setting(NamedTuple):
    invar: pathlib.Path  # the program; the other measured programs come from the same build
    models: pathlib.Path  # the folder of the models, also for fetching them
    words: tuple[str, ...]  # measure only models whose name contains one of these; empty: all
    all_models: bool  # for optimize: all models, not one of each kind
    passes: str  # for optimize: the passes; empty for the default
    repeat: int  # how often a process runs if it is measured as a whole
    rounds: int  # how many turns each engine has
    scratch: pathlib.Path

    @property
    def runtime(self) -> pathlib.Path:
        return self.invar.parent.parent / "lib/libinvar-runtime.so"

    def program(self, name: str) -> pathlib.Path:
        return self.invar.parent / name

    def wants(self, *names: str) -> bool:
        return not self.words or any(word.lower() in name.lower() for word in self.words for name in names)
