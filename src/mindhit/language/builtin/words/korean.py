"""Korean words: morphemes by kiwipiepy where it is installed, else spaces and endings.

The model takes seconds to load and hundreds of megabytes; a process loads it once, when it first
reads Korean. Without it a word is what is left when its particle is cut off: 바이러스가, 바이러스를
and 바이러스는 are one word, verbs are told by their endings, and compounds are not taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from mindhit.language.builtin.lists import words
from mindhit.language.builtin.words.english import TOKEN

_NOUNS = frozenset({"NNG", "XR", "XPN", "XSN", "SL", "SH"})
_OTHER_CONTENT = frozenset({"VV", "VA", "SN", "MAG"})
_EMPTY = words("korean", "empty")
_PARTICLES = sorted(words("korean", "particles"), key=lambda word: (-len(word), word))
_VERB = re.compile(
    r"(?:[다요죠까]|하고|하며|하는|되는|있는|없는|했던|하여|해서|하게|되어|되고|하면|으며|면서|지만|는데|려고|도록|았고|었고|하지|한다고|했다고)$"
)
_HANGUL = re.compile(r"[가-힣]")
_without = False


def is_installed() -> bool:
    """Whether the model is there; imports nothing, so it may still be broken (`has_model`)."""
    return find_spec("kiwipiepy") is not None


@cache
def _kiwi() -> Any:
    """None where it is missing or does not work: a half-installed package, a model of another
    version, too little memory."""
    if _without or not is_installed():
        return None
    try:
        from kiwipiepy import Kiwi  # noqa: PLC0415 - hundreds of megabytes, only where Korean is read

        made = Kiwi(num_workers=1)
        made.tokenize("한국어를 읽습니다.")
    except Exception:  # noqa: BLE001  whatever is wrong with it
        return None
    return made


def has_model() -> bool:
    """Whether Korean is read by morphemes in this process. Loads the model."""
    return _kiwi() is not None


def do_without() -> None:
    """Don't load the model: it has ended a process before."""
    global _without  # noqa: PLW0603  of this process
    _without = True


def read(sentences: Sequence[str]) -> list[list[tuple[str, str, str, int, int]]]:
    if (kiwi := _kiwi()) is not None:
        return [_morphemes(tokens) for tokens in kiwi.tokenize(list(sentences))]
    return [_by_spaces(sentence) for sentence in sentences]


def _morphemes(tokens: Any) -> list[tuple[str, str, str, int, int]]:
    return [
        (token.form, f"{token.form.lower()}/{token.tag[0]}", _part(token.form, token.tag), token.start, token.end)
        for token in tokens
    ]  # fmt: skip


def _part(form: str, tag: str) -> str:
    kind = tag.split("-", maxsplit=1)[0]
    if form in _EMPTY:
        return "x"
    if kind == "NNP":
        return "P"
    if kind in _NOUNS:
        return "N"
    return "w" if kind in _OTHER_CONTENT else "x"


def _by_spaces(sentence: str) -> list[tuple[str, str, str, int, int]]:
    found = []
    for match in TOKEN.finditer(sentence):
        word, start = match[0], match.start()
        if not word[0].isalnum():
            found.append((word, word, "x", start, match.end()))
            continue
        stem = _without_particle(word)
        is_verb = stem == word and _VERB.search(word) is not None
        part = (
            "x"
            if stem in _EMPTY or (len(stem) < 2 and _HANGUL.match(stem))
            else "w"
            if is_verb
            else "N"
        )
        found.append((stem, stem.lower(), part, start, start + len(stem)))
        if stem != word:
            found.append((word[len(stem) :], "", "x", start + len(stem), match.end()))
    return found


def _without_particle(word: str) -> str:
    if not _HANGUL.match(word[-1]):
        return word
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    return word
