# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to compile and run a graph."""
import random

from toolchain import Variant


def draw(rng: random.Random, cpus: list[str]) -> Variant:
    return Variant(is_open=rng.random() < 0.6, threads=rng.choice((1, 1, 2, 5)), winograd=rng.choice(("auto", "on", "off", "fast")),
                   fold_at=rng.choice(("auto", "compile", "run", "never")), compresses=rng.random() < 0.15,
                   cpu=rng.choice(cpus) if rng.random() < 0.5 else "", plans_memory=rng.random() < 0.9,
                   checks_kernels=rng.random() < 0.3, is_plain=rng.random() < 0.05, stops_at=rng.random() if rng.random() < 0.2 else 0,
                   hides_rank=rng.random() < 0.05)
