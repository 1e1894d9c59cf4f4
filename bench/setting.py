# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all parts of the benchmark are told."""
import pathlib
from typing import NamedTuple

MB = 1_000_000


class Setting(NamedTuple):
    invar: pathlib.Path  # the program; what else is measured was built with it
    models: pathlib.Path  # where models are, or are fetched to
    words: tuple[str, ...]  # only models with one of these in their name; none: all
    all_models: bool  # of optimize: not one of each kind
    passes: str  # of optimize: empty for the default
    repeat: int  # how often a process runs that is measured as a whole
    rounds: int  # how often each engine has a turn
    scratch: pathlib.Path

    @property
    def runtime(self) -> pathlib.Path:
        return self.invar.parent.parent / "lib/libinvar-runtime.so"

    def program(self, name: str) -> pathlib.Path:
        return self.invar.parent / name

    def wants(self, *names: str) -> bool:
        return not self.words or any(word.lower() in name.lower() for word in self.words for name in names)
