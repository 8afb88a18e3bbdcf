"""Which words may stand on a node, and what a page is called.

A label is what a reader would say: no word of a site's navigation, no number, no function word alone, no
address, and nothing that a sibling or the node above it says already.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Final

LONGEST: Final = 80  # characters
_LISTS: Final = tomllib.loads(
    resources.files(__package__).joinpath("not_labels.toml").read_text(encoding="utf-8")
)


def listed(name: str) -> frozenset[str]:
    """A list of `not_labels.toml`."""
    entries = (" ".join(each.split()) for each in _LISTS[name].split(","))
    return frozenset(each for each in entries if each)


_NAVIGATION: Final = listed("navigation")
FUNCTION: Final = listed("function")
_GENERAL: Final = listed("general")
_VERBS: Final = listed("verbs")
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_PARTICLE: Final = re.compile(
    r"(?<=[가-힣]{2})(?:에서는|으로는|에서|에게|으로|까지|부터|처럼|보다|이라는|라는|은|는|이|가|을|를|의|에|로|와|과|도)$"
)
# Of plurals, and what they have to meet: the first that fits. "Caches" and "sizes" only lose their s: "-aches", "-zes" don't tell.
_ENDINGS: Final = (
    *(("ies", "y"), ("ie", "y"), ("sses", "ss"), ("xes", "x"), ("shes", "sh")),
    *(("tches", "tch"), ("nches", "nch"), ("rches", "rch")),
    *(("ss", "ss"), ("us", "us"), ("s", "")),
)
_SEPARATOR: Final = re.compile(r"\s+[-–—|·:»/]{1,2}\s+|\s*[|｜»]\s*|\s+::\s+")
_BRACKETS: Final = re.compile(r"^\s*(?:\[[^\]]{1,30}\]|\(\d+\)|【[^】]{1,30}】)\s*")
_ADDRESS: Final = re.compile(
    r"(?i)^(?:https?://|www\.)|^\S+\.(?:com|org|net|io|kr|html?|php|be|de|uk)(?:/\S*)?$"
)
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS: Final = "\u200c\u200d"  # Persian words and families of emoji have them
_MOST_SITE_WORDS: Final = 5  # of a part of a title that names the site


def clean(text: str) -> str:
    """On one line, without characters that hide, reverse or break text."""
    text = "".join(" " if _is_unfit(character) else character for character in text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _is_unfit(character: str) -> bool:
    return unicodedata.category(character) in _UNFIT and character not in _JOINERS


def named(text: str) -> str:
    """Cleaned, and without the possessive that a name may have been cut out with."""
    return clean(text).removesuffix("'s").removesuffix("’s")


def capitalised(label: str) -> str:
    """As a heading: "execution plan" becomes "Execution plan", "iPhone" stays."""
    first = label.split(" ", 1)[0]
    return label[:1].upper() + label[1:] if first.islower() else label


@lru_cache(maxsize=8192)
def normalised(label: str) -> str:
    """The same for spellings of one label; an id is made of it."""
    text = unicodedata.normalize("NFKC", clean(label)).casefold()
    return text.strip(" \t.,;:!?\"'“”‘’()[]{}「」『』") or text


@lru_cache(maxsize=8192)
def stems(label: str) -> frozenset[str]:
    """Its words without endings, as far as that needs no dictionary."""
    found = (stem(word) for word in _WORD.findall(normalised(label)))
    return frozenset(each for each in found if each and each not in FUNCTION)


def stems_in_order(text: str) -> list[str]:
    """All words of a text without endings, those between others included."""
    return [stem(word) for word in _WORD.findall(text.casefold())]


@lru_cache(maxsize=65_536)  # the words of 3,000 pages: a third of the time a map takes
def stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    if word.isascii():
        for ending, rest in _ENDINGS:
            cut = word.removesuffix(ending) + rest
            if word.endswith(ending) and len(cut) > 2:
                return cut
        return word
    return _PARTICLE.sub("", word)


def overlap(one: str, other: str) -> bool:
    """Do two labels say the same, or one a part of what the other says?"""
    a, b = stems(one), stems(other)
    if not a or not b:
        return normalised(one) == normalised(other)
    if a <= b or b <= a or len(a & b) * 2 >= len(a | b) or _is_form(a, b):
        return True
    left, right = "".join(sorted(a)), "".join(sorted(b))
    # Korean joins words: 태양전지 says 전지. "Transport" doesn't say "sport".
    is_one_word = (len(a) == 1 or len(b) == 1) and not (left + right).isascii()
    return is_one_word and min(len(left), len(right)) > 1 and (left in right or right in left)


def _is_form(one: frozenset[str], other: frozenset[str]) -> bool:
    """ "Patient" and "Patienten", "Russia" and "Russian": one word with two endings, whatever the language."""
    if len(one) != 1 or len(other) != 1:
        return False
    short, long = sorted((*one, *other), key=len)
    return len(short) >= 5 and long.startswith(short) and len(long) - len(short) <= 2


@lru_cache(maxsize=8192)
def is_fit(label: str) -> bool:
    """May this stand on a node?"""
    text = normalised(label)
    if len(text) < 2 or len(text) > LONGEST or text in _NAVIGATION or _ADDRESS.match(text):
        return False
    words = _WORD.findall(text)
    if len(words) == 1 and not _GENERAL.isdisjoint({words[0], stem(words[0])}):
        return False
    telling = [w for w in words if w not in FUNCTION and w not in _NAVIGATION]
    parts = [each for word in telling for each in _parts(word)]
    is_model = bool(parts) and any(
        each.isupper() for each in label
    )  # "K2-18b" has a capital, "1st" and "90s" have none
    if not is_model and not any(each.isalpha() or not each.isascii() for each in parts):
        return False
    if words[0] in FUNCTION or words[-1] in FUNCTION:
        return False
    if len(words) > 1 and words[-1] in _VERBS and label[:1].islower():
        return False
    return sum(map(len, telling)) >= (3 if text.isascii() else 2)


@lru_cache(maxsize=8192)
def is_telling(label: str) -> bool:
    """May this stand alone, as a keyword does? A single common noun says too little."""
    text = clean(label)
    if not is_fit(text):
        return False
    # Han and Hangul have no capitals, and their words say more.
    return len(stems(text)) > 1 or not text[:1].islower() or not text.isalpha()


def _parts(word: str) -> list[str]:
    """K2-18b has letters, 12.5 has none."""
    return re.findall(r"[^\W\d_]{2,}|[^\W\d_]\d|\d[^\W\d_]", word) or (
        [word] if word.isalpha() else []
    )


def site_names(titles: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Domain → parts of titles that several of its pages end or begin with."""
    found = {}
    for domain, several in titles.items():
        ends: Counter[str] = Counter()
        for title in set(several):
            parts = _SEPARATOR.split(clean(title))
            if len(parts) > 1:
                ends.update({normalised(parts[0]), normalised(parts[-1])})
        found[domain] = frozenset(part for part, times in ends.items() if times > 1)
    return found


def page_label(title: str, domain: str, names: Collection[str] = ()) -> str:
    """What a page is called, without the name of its site; the domain if it has no name."""
    text = _BRACKETS.sub("", clean(title))
    parts = [part for part in _SEPARATOR.split(text) if part]
    if len(parts) == 2 and _is_subject(*parts):
        parts.pop(0)
    while len(parts) > 1 and _names_site(parts[-1], domain, names):
        parts.pop()
    while len(parts) > 1 and _names_site(parts[0], domain, names, is_first=True):
        parts.pop(0)
    label = parts[0] if len(parts) == 2 and len(parts[0]) >= 12 else " - ".join(parts)
    label = re.sub(r"(?i)\s+at DuckDuckGo$", "", label).strip(" -–—|·:")
    if not label or _ADDRESS.match(label) or normalised(label) in _NAVIGATION:
        return clean(domain.removeprefix("www."))
    return shorten(label)


def _is_subject(first: str, last: str) -> bool:
    """Some sites put their name in front: a short word, then what the page is about."""
    is_longer = len(last) > 1.5 * len(first) and len(last.split()) > 2
    return is_longer and len(first.split()) == 1 and not first.isascii() and "백과" not in last


def _names_site(part: str, domain: str, names: Collection[str], *, is_first: bool = False) -> bool:
    text = normalised(part)
    if text in names:
        return True
    bare = re.sub(r"[^\w]", "", text)
    if len(bare) > 2 and bare in re.sub(r"[^\w]", "", domain):
        return True
    if is_first:
        return False
    is_short = len(part.split()) <= _MOST_SITE_WORDS
    looks_named = part.startswith("r/") or part[:1].isupper() or not part.isascii()
    return is_short and looks_named


def shorten(label: str, most: int = LONGEST) -> str:
    """Cut between words; of a title with a subtitle, the title."""
    if len(label) <= most:
        return label
    head = re.split(r"[:;,.?!–—(…](?:\s|$)", label)[0].strip()
    if 12 <= len(head) <= most:
        return head
    return label[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:-–—(") + "…"
