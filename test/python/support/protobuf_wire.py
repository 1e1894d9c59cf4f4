# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes Protobuf's wire format by hand, for messages that no library writes, or only in memory."""


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number: int, wire: int, payload: bytes) -> bytes:
    return varint(number << 3 | wire) + payload


def message(number: int, payload: bytes) -> bytes:
    return field(number, 2, varint(len(payload)) + payload)
