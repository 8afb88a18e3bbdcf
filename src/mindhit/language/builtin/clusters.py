"""Documents into groups that belong together; how many groups, the documents decide.

Each document is tied to the few that are most like it (TF-IDF, cosine), and the ties are divided so
that as many as possible lie inside groups, against what chance would give (modularity, by the
Louvain method). Documents that share nothing with any other are groups of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]

# A word in more than half of the documents tells none apart; nor does one in a single document.
_COMMONEST, _RAREST = 0.5, 2
# Ties per document: as the square root of their number, which keeps groups of five connected among
# forty documents and those of twenty among eighty.
_TIES = 1.2
_FEWEST_TIES = 3
# Bounds the memory for hundreds of long documents to 40 MB.
_MOST_WORDS = 10_000
_MOST_PASSES = 50
_GAIN = 1e-12


def group(documents: Sequence[Counter[str]]) -> list[list[int]]:
    """The places of the documents of each group, the largest group first."""
    vectors = tf_idf(documents)
    labels = _louvain(_ties(vectors @ vectors.T))
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(place)
    return sorted(groups.values(), key=lambda places: (-len(places), places))


def tf_idf(documents: Sequence[Counter[str]]) -> Matrix:
    """A row of length one for each document, or of zeros."""
    frequency = Counter(chain.from_iterable(documents))
    most = max(_RAREST, _COMMONEST * len(documents))
    fit = [word for word, count in frequency.items() if _RAREST <= count <= most]
    telling = sorted(sorted(fit), key=frequency.__getitem__, reverse=True)[:_MOST_WORDS]
    places = {word: place for place, word in enumerate(telling)}
    weights = np.zeros((len(documents), max(1, len(places))))
    for row, words in enumerate(documents):
        known = [(places[word], count) for word, count in words.items() if word in places]
        columns, counts = np.array(known, int).reshape(-1, 2).T
        weights[row, columns] = counts
    weights[weights > 0] = 1 + np.log(weights[weights > 0])
    weights *= np.log(len(documents) / np.maximum(1, (weights > 0).sum(axis=0)))
    lengths = np.linalg.norm(weights, axis=1)
    return np.asarray(weights / np.where(lengths > 0, lengths, 1)[:, None])


def _ties(likeness: Matrix) -> Matrix:
    count = len(likeness)
    np.fill_diagonal(likeness, 0)
    kept = np.zeros_like(likeness)
    most = max(_FEWEST_TIES, round(_TIES * count**0.5))
    for row in range(count):
        nearest = np.argsort(-likeness[row], kind="stable")[:most]
        kept[row, nearest] = likeness[row, nearest]
    return np.asarray((kept + kept.T) / 2)


def _louvain(ties: Matrix) -> Labels:
    """The group of each node: move nodes while it gains, then groups as if they were nodes."""
    membership = np.arange(len(ties))
    total = float(ties.sum())
    if total == 0:
        return membership
    while True:
        moved = _move_nodes(ties, total)
        names, groups = np.unique(moved, return_inverse=True)
        membership = groups[membership]
        if len(names) == len(ties):
            return membership
        inside = np.zeros((len(ties), len(names)))
        inside[np.arange(len(ties)), groups] = 1
        ties = inside.T @ ties @ inside


def _move_nodes(ties: Matrix, total: float) -> Labels:
    count = len(ties)
    degrees = ties.sum(axis=1)
    labels, weights = np.arange(count), degrees.copy()
    for _ in range(_MOST_PASSES):
        is_moved = False
        for node in range(count):
            home = int(labels[node])
            weights[home] -= degrees[node]
            pull = np.bincount(labels, weights=ties[node], minlength=count)
            pull[home] -= ties[node, node]
            gains = pull - degrees[node] * weights / total
            best = int(np.argmax(gains))
            if gains[best] <= gains[home] + _GAIN:
                best = home
            weights[best] += degrees[node]
            labels[node] = best
            is_moved = is_moved or best != home
        if not is_moved:
            break
    return labels
