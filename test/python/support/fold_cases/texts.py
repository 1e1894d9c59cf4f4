# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on texts."""
import numpy as np

from . import NEAR, REFERENCE, Case, cases_of, make
from .draw import Draw, WORDS


@cases_of("StringNormalizer")
def string_normalizer(draw: Draw, op: str) -> Case:
    attributes = draw.attributes(case_change_action=("LOWER", "UPPER", "NONE"), is_case_sensitive=(0, 1))
    if draw.chance():
        attributes["stopwords"] = draw.sample(WORDS, 3)
    shape = (draw.integer(1, 5),) if draw.chance(0.7) else (1, draw.integer(1, 5))
    return make(op, [draw.words(shape)], attributes, not_in={REFERENCE: "it drops empty texts, and spaces"})


@cases_of("StringSplit")
def string_split(draw: Draw, op: str) -> Case:
    return make(op, [draw.words(draw.full_shape(0, 3))], draw.attributes(delimiter=("", ",", " ", "l"), maxsplit=(1, 2)), outputs=2)


@cases_of("RegexFullMatch")
def regex_full_match(draw: Draw, op: str) -> Case:
    patterns = ("a", "[a-z]+", r"-?\d+(\.\d+)?", ".*", "(a|b|A)", r"\w+ \w+", "h.llo", "x{2,3}", "[^a]*", "", "日本.", "(?i)HELLO")
    return make(op, [draw.words(draw.shape())], {"pattern": draw.choose(patterns)})


@cases_of("TfIdfVectorizer")
def tf_idf(draw: Draw, op: str) -> Case:
    dtype = draw.type(op)
    longest, vocabulary = draw.integer(1, 2), list(range(5)) if dtype != object else ["a", "b", "c", "d", "e"]
    ones = draw.sample(vocabulary, draw.integer(1, 4))
    every = [(a, b) for a in vocabulary for b in vocabulary]
    pairs = [word for pair in draw.sample(every, draw.integer(1, 3) if longest == 2 else 0) for word in pair]
    total = len(ones) + len(pairs) // 2
    counts = [0, len(ones)] if longest == 2 else [0]
    attributes = {"mode": draw.choose(("TF", "IDF", "TFIDF")), "min_gram_length": draw.integer(1, longest), "max_gram_length": longest,
                  "max_skip_count": draw.integer(0, 2), "ngram_counts": counts, "ngram_indexes": draw.sample(range(total), total),
                  "pool_strings" if dtype == object else "pool_int64s": ones + pairs}
    if draw.chance():
        attributes["weights"] = [draw.integer(1, 8) / 4 for _ in range(total)]
    shape = (draw.integer(1, 8),) if draw.chance() else (draw.integer(1, 3), draw.integer(1, 6))
    data = draw.random.choice(np.array(vocabulary, object), shape)
    return make(op, [data if dtype == object else data.astype(dtype)], attributes, NEAR)
