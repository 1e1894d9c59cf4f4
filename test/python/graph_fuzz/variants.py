# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to compile and run a graph."""
import random
from typing import NamedTuple

LEVELS = {"x86-64-v2": {"sse4_2", "popcnt", "ssse3"}, "x86-64-v3": {"avx2", "fma", "bmi2", "f16c"},
          "x86-64-v4": {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"}}


def runnable_cpus() -> list[str]:
    """Returns the CPU levels that this machine supports, the native one ('') first."""
    try:
        with open("/proc/cpuinfo") as info:
            flags = next((set(line.split()) for line in info if line.startswith("flags")), set())
    except OSError:
        flags = set()
    return ["", *(level for level, needed in LEVELS.items() if needed <= flags)]


class Variant(NamedTuple):
    is_open: bool = True  # Named sizes are not stated.
    threads: int = 1
    winograd: str = "auto"
    fold_at: str = "auto"
    compresses: bool = False
    cpu: str = ""
    plans_memory: bool = True
    checks_kernels: bool = False  # Each run compares kernels with plain loops.
    is_plain: bool = False  # All kernels are plain loops.

    def arguments(self, sizes: dict[str, int]) -> list[str]:
        """Returns the options of `invar compile`; plain loops have no option there, only in the C API."""
        made = [] if self.is_open else [f"--dim={name}={size}" for name, size in sizes.items()]
        made += [f"--winograd={self.winograd}"] * (self.winograd != "auto") + [f"--fold-at={self.fold_at}"] * (self.fold_at != "auto")
        made += ["--compress-weights"] * self.compresses + ["--no-memory-plan"] * (not self.plans_memory)
        made += ["--check-kernels"] * self.checks_kernels + ["(plain)"] * self.is_plain
        return made + [f"--target-cpu={self.cpu}"] * bool(self.cpu)

    def simpler(self) -> list["Variant"]:
        """Returns the variants with one field reset to its default."""
        usual = Variant()
        return [self._replace(**{field: getattr(usual, field)}) for field in self._fields
                if getattr(self, field) != getattr(usual, field)]


def draw(rng: random.Random, cpus: list[str]) -> Variant:
    return Variant(is_open=rng.random() < 0.6, threads=rng.choice((1, 1, 2)), winograd=rng.choice(("auto", "on", "off", "fast")),
                   fold_at=rng.choice(("auto", "compile", "run", "never")), compresses=rng.random() < 0.15,
                   cpu=rng.choice(cpus) if rng.random() < 0.5 else "", plans_memory=rng.random() < 0.9,
                   checks_kernels=rng.random() < 0.3, is_plain=rng.random() < 0.05)
