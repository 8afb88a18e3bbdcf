"""English words and their part in a phrase, by a small grammar: known words first, then endings.

The letters are those of the package. Measured against a tagger with learned weights (an averaged
perceptron of 8 MB), its phrases make slightly better keywords: docs/decisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from mindhit.language.builtin import lists
from mindhit.language.builtin.cleaning import LONGEST_WORD
from mindhit.language.builtin.lists import words

# Each beside the same for ASCII, in half the time. Possessive (`++`): another quarter, as there is nothing
# to go back for.
_WORD = re.compile(r"[^\W\d_]{3,}+(?:[-'’][^\W\d_]++)*+")
_ASCII_WORD = re.compile(r"[A-Za-z]{3,}+(?:[-'][A-Za-z]++)*+")
TOKEN = re.compile(r"[^\W_]++(?:[-'’.&/+][^\W_]++)*+[+#]*+|[^\s\w]|_++")
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]++(?:[-'.&/+][A-Za-z0-9]++)*+[+#]*+|[^\s\w]|_++")
_VOWEL = re.compile("[aeiouy]")

_ADJECTIVE = re.compile(
    r"(?:[a-z]{2}(?:ous|ive|ical|ular|able|ible|less|ful|istic)|[a-z]{3}(?:ic|al|ary|ish)|[a-z]+-(?:based|free|like|wide|oriented|dependent|driven|specific))$"
)
_NOUN_IN_AL = words("english", "nouns_like_adjectives")
_ADVERB = re.compile(r"[a-z]{3,}ly$")
_NOUN_IN_LY = words("english", "nouns_like_adverbs")
_BEFORE_VERB = words("english", "before_verbs")
_OPENING = frozenset({".", '"', "“", ":"})
_CALENDAR = words("english", "calendar")
_DETERMINER = words("english", "before_nouns")


class Lexicon(NamedTuple):
    function: frozenset[str]
    # Every form of a verb that is no noun.
    verbs: frozenset[str]
    # The part of each word on a list.
    parts: dict[str, str]


@cache
def lexicon() -> Lexicon:
    found = lists.read("english")
    both = {form for word in found["both"] for form in (word, plural(word))}
    verbs = {form for verb in found["verbs"] for form in _forms(verb)} | found["irregular"]
    verbs -= both
    participles = {verb for verb in verbs if verb.endswith(("ing", "ed")) and len(verb) > 4}
    parts = dict.fromkeys(verbs - participles, "w") | dict.fromkeys(both, "N")
    parts |= dict.fromkeys(found["empty_nouns"], "n")
    parts |= dict.fromkeys(found["empty_adjectives"], "a")
    return Lexicon(found["function"], frozenset(verbs), parts)


def plural(word: str) -> str:
    """The plural of a noun, which is also the third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeou" else f"{word}s"


def _forms(verb: str) -> set[str]:
    stem = verb.removesuffix("e")
    past = f"{verb[:-1]}ied" if verb.endswith("y") and verb[-2] not in "aeou" else f"{stem}ed"
    doubled = f"{verb}{verb[-1]}"
    forms = {verb, plural(verb), past, f"{stem}ing", f"{doubled}ed", f"{doubled}ing"}
    return forms | {f"{verb}ing"}


def parts(tokens: list[str]) -> str:
    """The part of each token, one letter each: that of the word alone, corrected by its neighbours."""
    lower = list(map(_lower, tokens))
    found = list(map(_usual_part, lower))
    for at, usual in enumerate(found):
        if usual == "x":
            continue
        if tokens[at][0].isupper() and _is_name(tokens, lower, at):
            found[at] = "P"
        elif usual == "?":
            found[at] = _participle(lower, at)
        elif usual in "Nn" and at and lower[at - 1] in _BEFORE_VERB:
            found[at] = "w"
    return "".join(found)


@lru_cache(maxsize=50_000)
def _lower(token: str) -> str:
    return token.lower().replace("’", "'")


@lru_cache(maxsize=50_000)
def _usual_part(word: str) -> str:
    """By the lists, then by the ending; "?" is a participle, which its neighbours decide."""
    known = lexicon()
    if not word[0].isalpha() or len(word) < 2 or word in known.function:
        return "x"
    listed = known.parts.get(word)
    return listed if listed is not None else _part_by_ending(word)


def is_verb(word: str) -> bool:
    """Also an adverb: a word that no noun phrase has in it."""
    return _usual_part(_lower(word)) == "w"


def _part_by_ending(word: str) -> str:
    if word.endswith(("ing", "ed")) and len(word) > 4:
        return "?"
    if _ADVERB.match(word) and word not in _NOUN_IN_LY:
        return "w"
    return "J" if _ADJECTIVE.search(word) and word not in _NOUN_IN_AL else "N"


def _is_name(tokens: list[str], lower: list[str], at: int) -> bool:
    """Capitalised where a sentence does not begin, or before another name; general words only
    beside another capital."""
    if not at and not tokens[at].isupper():
        is_noun = _usual_part(lower[at]) == "N"
        return is_noun and len(tokens) > 1 and tokens[1][0].isupper()
    if at and lower[at - 1] in _OPENING:
        return False
    if _usual_part(lower[at]) in "an":
        return at + 1 < len(tokens) and tokens[at + 1][0].isupper() and lower[at] not in _CALENDAR
    return True


def _participle(lower: list[str], at: int) -> str:
    """Before a noun and after an article or a preposition it modifies; else it is a verb."""
    after = lower[at + 1] if at + 1 < len(lower) else ""
    before = lower[at - 1] if at else ""
    has_noun = bool(after) and _usual_part(after) in "NnJ"
    if lower[at].endswith("ed"):
        return "V" if has_noun and before in _DETERMINER else "w"
    if lower[at] in lexicon().verbs and not (before in _DETERMINER and has_noun):
        return "w"
    return "V" if has_noun else "N"


def read(sentences: Sequence[str]) -> list[list[tuple[str, str, str, int, int]]]:
    found = []
    for sentence in sentences:
        pattern = _ASCII_TOKEN if sentence.isascii() else TOKEN
        spans = [match.span() for match in pattern.finditer(sentence)]
        spans = [span for span in spans if span[1] - span[0] <= LONGEST_WORD]
        tokens = [sentence[start:end] for start, end in spans]
        starts, ends = zip(*spans, strict=True) if spans else ((), ())
        stems = map(stem, tokens)
        found.append(list(zip(tokens, stems, parts(tokens), starts, ends, strict=True)))
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """One spelling for the forms of a word; not a word itself. Only as far as is safe."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    if len(word) <= 3 or not word.isascii():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and _VOWEL.search(base):
            return base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def count_stems(text: str) -> Counter[str]:
    """The stems of all words with content, without looking at their neighbours. Most words of a page
    stand there several times, and are looked at once."""
    pattern = _ASCII_WORD if text.isascii() else _WORD
    counts: dict[str, int] = {}
    found = Counter(pattern.findall(text))
    for word, count in zip(map(_content_stem, found), found.values(), strict=True):
        counts[word] = counts.get(word, 0) + count
    counts.pop("", None)
    return Counter(counts)


@lru_cache(maxsize=50_000)
def _content_stem(word: str) -> str:
    """Empty for a word without content."""
    is_empty = len(word) > LONGEST_WORD or _usual_part(word.lower()) in {"x", "a", "n"}
    return "" if is_empty else stem(word)
