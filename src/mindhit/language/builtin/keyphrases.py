"""What a text is about, in the words people would choose as keywords.

People's keywords differ by the kind of text. Of a text that explains (a paper, a manual) they take
terms of several words: "receptive-field controllers". Of one that tells what happened (news, a
story) they take single words and names: "pregnancy", "Emily Deschanel". Which of the two a text is
shows in how much of it is names and personal pronouns; linguists call it the register.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from mindhit.language.builtin import phrases
from mindhit.language.builtin.lists import words
from mindhit.language.builtin.phrases import Spellings, Stems
from mindhit.language.builtin.words import Sentence, Token

DEFAULT_LIMIT = 10
# The share of names and pronouns above which a text tells rather than explains. Abstracts have 0.03
# (median), news 0.14; any value from 0.06 to 0.11 separates them about as well.
_NARRATIVE = 0.08
_PRONOUNS = words("english", "pronouns")
# A word says the more, the longer it is; ten letters are as good as any more.
_FULL_LENGTH = 10
# A phrase at the end of a hundred others counts a third of the first: authors begin with the subject.
_FADING = 0.02
# The first phrase is nearly always the title's.
_FIRST = 1.5
_CONTENT = frozenset("NPJV")


def extract(sentences: Sequence[Sentence], language: str, limit: int = DEFAULT_LIMIT) -> list[str]:
    """At most `limit` keywords, the best first; none is another one in different form."""
    if language == "en" and not is_narrative(sentences):
        return _terms(sentences, limit)
    if language == "ko":
        return _terms(sentences, limit)
    return _names_and_words(sentences, limit)


def is_narrative(sentences: Sequence[Sentence]) -> bool:
    """Whether the text tells of people and events rather than explaining terms. English only."""
    tokens = [
        token for sentence in sentences for token in sentence.tokens if token.text[0].isalnum()
    ]
    if not tokens:
        return False
    # Acronyms are capitalised too, and belong to terms.
    names = sum(token.part == "P" and not token.text.isupper() for token in tokens)
    pronouns = sum(token.text.lower() in _PRONOUNS for token in tokens)
    return (names + pronouns) / len(tokens) > _NARRATIVE


def _terms(sentences: Sequence[Sentence], limit: int) -> list[str]:
    weights = _word_weights(sentences)
    spellings, times, first = Spellings(), Counter[Stems](), dict[Stems, int]()
    for place, phrase in enumerate(phrases.find(sentences)):
        times[phrase.stems] += 1
        first.setdefault(phrase.stems, place)
        spellings.note(*phrase)
    scores = {
        stems: sum(weights[stem] for stem in stems)
        * times[stems] ** 0.5
        * (_FIRST if place == 0 else 1)
        / (1 + _FADING * place)
        for stems, place in first.items()
    }
    return _best(scores, spellings, limit)


def _names_and_words(sentences: Sequence[Sentence], limit: int) -> list[str]:
    spellings = Spellings()
    for sentence in sentences:
        for token in sentence.tokens:
            if _has_content(token):
                spellings.note((token.stem,), token.text)
    weights = _word_weights(sentences)
    scores: dict[Stems, float] = {(stem,): weight for stem, weight in weights.items()}
    names = Counter[Stems]()
    for name in phrases.find_names(sentences):
        names[name.stems] += 1
        spellings.note(*name)
    for stems, times in sorted(names.items()):
        if times < 2 or any(stem not in weights for stem in stems):
            continue
        scores[stems] = max(weights[stem] for stem in stems)
        for stem in stems:  # half of a name is no keyword beside the whole
            if times >= 0.5 * weights[stem]:
                scores.pop((stem,), None)
    return _best(scores, spellings, limit)


def _word_weights(sentences: Sequence[Sentence]) -> dict[str, float]:
    weights: defaultdict[str, float] = defaultdict(float)
    for sentence in sentences:
        for token in sentence.tokens:
            if _has_content(token):
                weights[token.stem] += _length_weight(token.text)
    return weights


def _has_content(token: Token) -> bool:
    return token.part in _CONTENT and len(token.text) > (2 if token.text.isascii() else 1)


def _length_weight(word: str) -> float:
    # A syllable block or a Han character stands for two or three letters.
    length = len(word) if word.isascii() else len(word.encode()) / 2
    return min(length, _FULL_LENGTH) / _FULL_LENGTH


def _best(scores: dict[Stems, float], spellings: Spellings, limit: int) -> list[str]:
    ranked = sorted(scores, key=lambda stems: (-scores[stems], stems))
    chosen: dict[str, str] = {}
    for stems in ranked:
        text = spellings.of(stems)
        chosen.setdefault(text.casefold(), text)
        if len(chosen) >= limit:
            break
    return list(chosen.values())
