"""Scores of bench/language.py: keywords, summaries, groups; and TextRank as published."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import snowballstemmer

from mindhit.language.builtin.cleaning import clean
from mindhit.language.builtin.sentences import split
from mindhit.language.builtin.words import read

_porter = snowballstemmer.stemmer("porter")
_WORD = re.compile(r"\w+")


def normalised(keyword: str) -> str:
    return " ".join(_porter.stemWords(keyword.lower().split()))


def f1_at_10(said: Sequence[Sequence[str]], truth: Sequence[Sequence[str]]) -> float:
    """F1 of the mean precision and the mean recall."""
    precisions, recalls = [], []
    for keywords, wanted in zip(said, truth, strict=True):
        right = {normalised(keyword) for keyword in wanted}
        made = list(dict.fromkeys(map(normalised, keywords)))[:10]
        hits = sum(keyword in right for keyword in made)
        precisions.append(hits / len(made) if made else 0.0)
        recalls.append(hits / len(right) if right else 0.0)
    precision, recall = (sum(each) / max(1, len(each)) for each in (precisions, recalls))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@cache
def _kiwi() -> Any:
    from kiwipiepy import Kiwi  # noqa: PLC0415 - hundreds of megabytes

    return Kiwi()


@lru_cache(maxsize=10_000)
def _units(text: str, language: str) -> tuple[str, ...]:
    if language == "ko":
        return tuple(token.form for token in _kiwi().tokenize(text))
    return tuple(_WORD.findall(text.lower()))


def rouge(text: str, truth: str, language: str, size: int) -> float:
    """F1 of the runs of `size` morphemes or words that both texts have."""
    made, wanted = (
        Counter(tuple(units[at : at + size]) for at in range(len(units) - size + 1))
        for units in (_units(text, language), _units(truth, language))
    )
    shared = (made & wanted).total()
    return 2 * shared / (made.total() + wanted.total()) if shared else 0.0


def textrank(text: str, language: str) -> str:
    """Three sentences by Mihalcea and Tarau's similarity, without position or title."""
    sentences = read(split(clean(text)), language)
    if len(sentences) <= 3:
        return " ".join(sentence.text for sentence in sentences)
    words = [set(sentence.stems) for sentence in sentences]
    ties = np.zeros((len(words), len(words)))
    for one, first in enumerate(words):
        for two, second in enumerate(words):
            length = math.log(max(2, len(first))) + math.log(max(2, len(second)))
            ties[one, two] = 0 if one == two else len(first & second) / length
    totals = ties.sum(axis=1)
    steps = ties / np.where(totals > 0, totals, 1)[:, None]
    rank = np.ones(len(words))
    for _ in range(50):
        rank = 0.15 + 0.85 * rank @ steps
    chosen = sorted(np.argsort(-rank, kind="stable")[:3])
    return " ".join(sentences[place].text for place in chosen)


def group_scores(truth: Sequence[str], made: Sequence[int]) -> tuple[float, float]:
    """Normalised mutual information (arithmetic mean) and the adjusted Rand index."""
    both, ours, theirs = Counter(zip(truth, made, strict=True)), Counter(made), Counter(truth)
    total = len(truth)
    mutual = sum(
        count / total * math.log(total * count / (theirs[label] * ours[group]))
        for (label, group), count in both.items()
    )
    entropies = [-sum(n / total * math.log(n / total) for n in c.values()) for c in (ours, theirs)]
    nmi = 2 * mutual / sum(entropies) if sum(entropies) else 1.0

    def pairs(counts: Counter[Any]) -> float:
        return sum(math.comb(count, 2) for count in counts.values())

    expected = pairs(ours) * pairs(theirs) / max(1, math.comb(total, 2))
    most = (pairs(ours) + pairs(theirs)) / 2
    return nmi, (pairs(both) - expected) / (most - expected) if most != expected else 1.0
