"""Which language a text is in: by its script, and within a script by its commonest little words.

A word counts the more, the fewer languages share it. Letters that few languages have count as
words do. A text in a script that we know no words of has the language most written in it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache

from mindhit.language.builtin import lists
from mindhit.language.model import UNDETERMINED

# Enough to be certain of, and the same for a page and for a book.
_LOOKED_AT = 2_000
# Below this share of little words a Latin text is in a language we don't know.
_LEAST_SHARE = 0.04

_SCRIPTS = {
    "hangul": "ᄀ-ᇿ㄰-㆏가-힣",
    "kana": "぀-ヿ",
    "han": "㐀-䶿一-鿿",
    "latin": "A-Za-zÀ-ɏḀ-ỿ",
    "cyrillic": "Ѐ-ӿ",
    "arabic": "؀-ۿ",
    "hebrew": "֐-׿",
    "greek": "Ͱ-Ͽ",
    "thai": "฀-๿",
    "devanagari": "ऀ-ॿ",
    "bengali": "ঀ-৿",
    "tamil": "஀-௿",
    "telugu": "ఀ-౿",
    "georgian": "Ⴀ-ჿ",
    "armenian": "԰-֏",
    "ethiopic": "ሀ-፿",
    "khmer": "ក-៿",
    "burmese": "က-႟",
    "lao": "຀-໿",
}
# One language per script, where the script alone decides.
_OF_SCRIPT = {
    "greek": "el", "thai": "th", "devanagari": "hi", "bengali": "bn", "tamil": "ta", "telugu": "te",
    "georgian": "ka", "armenian": "hy", "ethiopic": "am", "khmer": "km", "burmese": "my", "lao": "lo",
}  # fmt: skip
# The languages to choose from, the likeliest first.
_CANDIDATES = {
    "latin": [
        "en",
        "de",
        "fr",
        "es",
        "pt",
        "it",
        "nl",
        "sv",
        "da",
        "no",
        "fi",
        "pl",
        "cs",
        "hu",
        "ro",
        "tr",
        "id",
        "vi",
        "hr",
        "ca",
    ],
    "cyrillic": ["ru", "uk", "bg"],
    "arabic": ["ar", "fa"],
    "hebrew": ["he"],
}
_LETTERS = {
    "de": "ßäöü", "fr": "çêœèù", "es": "ñ¿¡áí", "pt": "ãõçá", "sv": "åäö", "da": "æøå", "no": "æøå", "fi": "äö",
    "pl": "łąęśżźćń", "cs": "řěůčšžý", "hu": "őűáéö", "ro": "șțăâî", "tr": "ığşçü", "vi": "ạảấầẩậắằặẹếềểệịọốồộớờợụứừựỳđ", "hr": "čćđšž",
    "ca": "çàèòï", "it": "àèìòù", "uk": "іїєґ", "ru": "ыэё", "bg": "ъщ", "fa": "پچژگ", "ar": "ةىؤ",
}  # fmt: skip
# A syllable block of Hangul and a Han character say as much as two or three letters. Latin words
# are guests in texts of every other script; the reverse is rare.
_WEIGHTS = {"hangul": 2.5, "han": 2.5, "kana": 2.5, "latin": 0.4}
_LETTER_WEIGHT = 0.25
_WORD = re.compile(r"[^\W\d_]+")


def function_words() -> dict[str, frozenset[str]]:
    """The little words of each language that has a list."""
    return lists.read("function_words")


def detect_language(text: str) -> str:
    """The code of the language most of the text is in, "und" when there is no telling."""
    start = text[:_LOOKED_AT]
    if start.isascii():
        return _by_words(start, "latin", Counter())
    letters = Counter(start)
    counts: Counter[str] = Counter()
    for letter, count in letters.items():
        counts[_script(letter)] += count
    del counts[""]
    if not counts:
        return UNDETERMINED
    script = max(sorted(counts), key=lambda name: counts[name] * _WEIGHTS.get(name, 1.0))
    if script in {"han", "kana"}:
        return "ja" if counts["kana"] > 0.1 * counts["han"] else "zh"
    if script == "hangul":
        return "ko"
    return _OF_SCRIPT.get(script) or _by_words(start, script, letters)


@cache
def _ranges() -> list[tuple[str, str, str]]:
    pairs = ((name, re.findall("(.)-(.)", ranges)) for name, ranges in _SCRIPTS.items())
    return [(first, last, name) for name, found in pairs for first, last in found]


@lru_cache(maxsize=10_000)
def _script(letter: str) -> str:
    return next((name for first, last, name in _ranges() if first <= letter <= last), "")


def _by_words(text: str, script: str, letters: Counter[str]) -> str:
    scores = dict.fromkeys(_CANDIDATES[script], 0.0)
    words = _WORD.findall(text.lower())
    for shares in filter(None, map(_shares(script).get, words)):
        for language, share in shares:
            scores[language] += share
    if not text.isascii():
        for language in scores:
            special = sum(letters[letter] for letter in _LETTERS.get(language, ""))
            scores[language] += _LETTER_WEIGHT * special
    best = max(scores, key=lambda language: scores[language])
    is_certain = script != "latin" or scores[best] >= _LEAST_SHARE * len(words)
    return best if is_certain and words else UNDETERMINED


@cache
def _shares(script: str) -> dict[str, tuple[tuple[str, float], ...]]:
    """What each little word says for each language of a script."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for language, words in function_words().items():
        for word in words:
            found[word].append(language)
    candidates = frozenset(_CANDIDATES[script])
    return {
        word: tuple((each, 1 / len(languages)) for each in languages if each in candidates)
        for word, languages in found.items()
    }
