# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module whose constants have the structure of one encoding each, in the order of the arguments."""
import random
import struct
import sys

COUNT = 1200
random.seed(1)


def floats(numbers):
    return "f32", struct.pack(f"<{COUNT}f", *numbers)


def doubles(numbers):
    return "f64", struct.pack(f"<{COUNT}d", *numbers)


def integers(numbers):
    return "i64", struct.pack(f"<{COUNT}q", *numbers)


def rounded(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def some(*choices):
    return [random.choice(choices) for _ in range(COUNT)]


SCALES = [rounded(random.uniform(0.001, 0.1)) for _ in range(12)]
CONSTANTS = {
    "iota": lambda: integers(range(5, 5 + 3 * COUNT, 3)),
    "iota_float": lambda: floats(0.25 * i - 8 for i in range(COUNT)),
    "palette1": lambda: floats(some(0.0, -0.0)),
    "palette2": lambda: floats(some(0.1, 0.2, 0.3)),
    "palette4": lambda: floats(some(*(0.1 * i for i in range(9)))),
    "palette8": lambda: floats(some(*(0.01 * i for i in range(200)))),
    "int8": lambda: integers(random.randrange(-128, 128) for _ in range(COUNT)),
    "int16": lambda: integers(random.randrange(-2**15, 2**15) for _ in range(COUNT)),
    "uint16": lambda: integers(random.randrange(2**16) for _ in range(COUNT)),
    "half": lambda: ("f32", b"".join(
        struct.pack("<f", struct.unpack("<e", struct.pack("<e", random.gauss(0, 1)))[0]) for _ in range(COUNT))),
    "bfloat": lambda: ("f32", b"".join(bytes([0, 0]) + struct.pack("<f", random.gauss(0, 1e9))[2:] for _ in range(COUNT))),
    "single": lambda: doubles(rounded(random.gauss(0, 1)) for _ in range(COUNT)),
    "scaled": lambda: floats(rounded(random.randint(-127, 127) * SCALES[i // 100]) for i in range(COUNT)),
    "alike": lambda: floats(random.uniform(0.5, 1.0) for _ in range(COUNT)),
    "random": lambda: ("f32", random.randbytes(4 * COUNT)),
}

names = sys.argv[1:]
print("const.store {")
types = []
for name in names:
    element, content = CONSTANTS[name]()
    types.append(f"tensor<12x100x{element}>")
    print(f'  const.entry(dense<"0x{content.hex().upper()}"> : {types[-1]}) : {types[-1]}')
print("}")
for i, (name, kind) in enumerate(zip(names, types)):
    print(f"func.func @{name}() -> {kind} {{\n  %0 = const.ref {i} : {kind}\n  return %0 : {kind}\n}}")
