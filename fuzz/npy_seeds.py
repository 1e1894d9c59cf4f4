#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes seeds for the fuzzer into a folder: tensors in numpy's format. Does not need numpy.

  fuzz/npy_seeds.py FOLDER
"""
import pathlib
import struct
import sys
import zipfile

# Type, shape, whether column-major, bytes of the elements.
TENSORS = {
    "float": ("<f4", (2, 3), False, struct.pack("<6f", *range(6))),
    "big": (">i8", (3,), False, struct.pack(">3q", *range(3))),
    "scalar": ("<f8", (), False, struct.pack("<d", 1)),
    "column": ("<i2", (2, 3), True, struct.pack("<6h", *range(6))),
    "text": ("<U2", (2,), False, "a\0bc".encode("utf-32-le")),
    "bytes": ("|S2", (2,), False, b"a\0bc"),
    "bool": ("|b1", (2,), False, b"\1\0"),
    "complex": ("<c16", (1,), False, struct.pack("<2d", 0, 1)),
    "void": ("|V2", (2,), False, struct.pack("<2H", 1, 2)),
    "blank": ("|S1", (2,), False, b"\0\0"),
    "small": ("|i1", (2,), False, b"\1\xff"),
    "empty": ("|u1", (0, 3), False, b""),
}


def encode(descr: str, shape: tuple[int, ...], is_column_major: bool, elements: bytes) -> bytes:
    header = repr({"descr": descr, "fortran_order": is_column_major, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + elements


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: npy_seeds.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, tensor in TENSORS.items():
        (folder / f"{name}.npy").write_bytes(encode(*tensor))
    for name, how in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(folder / f"{name}.npz", "w", how) as archive:
            for member in ("float", "text"):
                archive.writestr(f"{member}.npy", encode(*TENSORS[member]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
