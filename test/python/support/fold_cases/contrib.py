# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of com.microsoft, which only onnxruntime supports."""
from . import NEAR, Case, cases_of, make
from .draw import Draw, WORDS

LETTERS = (*"aaabbc  ,;.-_1X\n", "ä", "é", "日", "本", "😀")
PATTERNS = (" ", ",", "[,;]", r"\s+", "[0-9]+", "a", "ab", "a|ab", "a*", r"\b", "^a", "b$", "(a)(b)?", "[^a-z]", "[a-zA-Z0-9_]+", ".", "..",
            r"\w+", r"\pL+", "(?i)x", "日|é", "[äé]", "", "x{2,3}")


@cases_of("com.microsoft.CDist")
def cdist(draw: Draw, op: str) -> Case:
    dtype, columns = draw.type(op), draw.integer(1, 9)
    a, b = (draw.mild(dtype, (draw.size(), columns)) for _ in range(2))
    return make(op, [a, b], draw.attributes(metric=("euclidean", "sqeuclidean")), NEAR)


@cases_of("com.microsoft.MurmurHash3")
def murmur_hash(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(positive=(0, 1), seed=(0, 1, 42, -1, 2**31, 2**32 - 1, 2**32, 2**63 - 1))
    dtype = draw.type(op, "T1")
    return make(op, [texts(draw, draw.shape()) if dtype == object else draw.values(dtype, draw.shape())], attributes)


def texts(draw: Draw, shape: tuple[int, ...]):
    """Draws texts, some of which are words."""
    among = [*WORDS, *("".join(draw.choose(LETTERS) for _ in range(draw.choose((0, 1, 2, 3, 5, 8, 13, 40)))) for _ in range(12))]
    return draw.words(shape, among)


@cases_of("com.microsoft.Tokenizer")
def tokenizer(draw: Draw, op: str) -> Case:
    attributes = {"mark": draw.flag(), "mincharnum": draw.choose((1, 1, 1, 2, 3)), "pad_value": draw.choose(("", "#", "pad"))}
    by_separators = draw.chance()
    if by_separators:
        attributes["separators"] = [draw.choose(PATTERNS) for _ in range(draw.integer(1, 3))]
    if not by_separators or draw.chance(0.1):
        attributes["tokenexp"] = draw.choose(PATTERNS)
    return make(op, [texts(draw, draw.shape(1, 2))], attributes)
