"""Which sentences say the most: a walk over the sentences of a text, from each to those that share
its words (TextRank), that starts more often at the beginning and where the title's words are.

Sentences share as much as the words they have in common weigh, without division by their length:
a long sentence that repeats what the text is about is what people mark as its summary. With the
cosine instead, the walk ends at the shortest sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mindhit.language.builtin.words import Sentence

DEFAULT_SENTENCES = 3
_DAMPING = 0.85
_STEPS = 50
# How much likelier than anywhere the walk starts at the first sentence, and at the one that has
# most of the title.
_AT_BEGINNING, _LIKE_TITLE = 2.0, 3.0
# The start fades by two thirds every two sentences.
_BEGINNING_LENGTH = 2.0
# A sentence that says what a chosen one says counts half.
_REPETITION = 0.5

Matrix = NDArray[np.float64]


def best(sentences: Sequence[Sentence], title: Sequence[str], count: int) -> list[int]:
    """The places of the best sentences, in their order; `title` is its stems."""
    if len(sentences) <= count:
        return list(range(len(sentences)))
    words, lengths = _words(sentences)
    shared = words @ words.T
    importance = _walk(shared, _starts(sentences, title))
    likeness = shared / np.maximum(np.outer(lengths, lengths), 1e-9)
    return sorted(_choose(importance, likeness, count))


def _words(sentences: Sequence[Sentence]) -> tuple[Matrix, Matrix]:
    """The words of each sentence that others have too, the rarer weighing more; and how much all
    of its words weigh, those that no other has included."""
    spread = Counter(stem for sentence in sentences for stem in set(sentence.stems))
    common = sorted(stem for stem, count in spread.items() if count > 1)
    places = {stem: place for place, stem in enumerate(common)}
    weights = np.zeros((len(sentences), max(1, len(places))))
    squares = np.zeros(len(sentences))
    for row, sentence in enumerate(sentences):
        for stem, times in Counter(sentence.stems).items():
            weight = times * math.log1p(len(sentences) / spread[stem])
            squares[row] += weight**2
            if stem in places:
                weights[row, places[stem]] = weight
    return weights, np.sqrt(squares)


def _starts(sentences: Sequence[Sentence], title: Sequence[str]) -> Matrix:
    starts = 1 + _AT_BEGINNING * np.exp(-np.arange(len(sentences)) / _BEGINNING_LENGTH)
    wanted = set(title)
    found = np.array([len(wanted.intersection(sentence.stems)) for sentence in sentences], float)
    if found.max() > 0:
        starts += _LIKE_TITLE * found / found.max()
    return np.asarray(starts / starts.sum())


def _walk(shared: Matrix, starts: Matrix) -> Matrix:
    shared = shared.copy()
    np.fill_diagonal(shared, 0)
    totals = shared.sum(axis=1)
    steps = shared / np.where(totals > 0, totals, 1)[:, None]
    rank = starts.copy()
    for _ in range(_STEPS):
        stuck = rank[totals == 0].sum()
        rank = (1 - _DAMPING) * starts + _DAMPING * (rank @ steps + stuck * starts)
    return np.asarray(rank / rank.max())


def _choose(importance: Matrix, likeness: Matrix, count: int) -> list[int]:
    chosen: list[int] = []
    repeated = np.zeros(len(importance))
    for _ in range(count):
        worth = importance * (1 - _REPETITION * repeated)
        worth[chosen] = -1
        chosen.append(int(np.argmax(worth)))
        repeated = np.maximum(repeated, likeness[chosen[-1]])
    return chosen
