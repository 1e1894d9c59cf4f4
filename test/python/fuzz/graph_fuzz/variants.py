# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to compile and run a graph."""
import random

from toolchain import Variant

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


def draw(rng: random.Random, cpus: list[str]) -> Variant:
    return Variant(is_open=rng.random() < 0.6, threads=rng.choice((1, 1, 2)), winograd=rng.choice(("auto", "on", "off", "fast")),
                   fold_at=rng.choice(("auto", "compile", "run", "never")), compresses=rng.random() < 0.15,
                   cpu=rng.choice(cpus) if rng.random() < 0.5 else "", plans_memory=rng.random() < 0.9,
                   checks_kernels=rng.random() < 0.3, is_plain=rng.random() < 0.05)
