"""Raw text into text that can be read: cut to the limit, no markup, no control characters.

Everything after this module works on at most `MOST_CHARACTERS`, so its cost is bounded whatever
comes in. Lines are kept apart (`\\n`) only where the author ended one; lines that were wrapped at a
width are joined.
"""

from __future__ import annotations

import html
import re
import unicodedata

from mindhit.language.addresses import without_addresses

# A long newspaper feature has 30,000 characters. Twice the length of a book's chapter is enough to
# say what a text is about, and read within two seconds in every language.
MOST_CHARACTERS = 100_000
# Nothing anyone reads: the longest word in a German dictionary has fewer letters.
LONGEST_WORD = 60

_HIDDEN = re.compile(
    r"<(script|style|head|template|svg)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|br|h[1-6]|li|ul|ol|tr|table|section|article|blockquote)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]\n]{0,200})\]\((?:https?:|/|#)[^()\s]{0,500}\)")
_MAIL_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@]{1,200}\.\w+")
# A longer run of letters is no word, except in scripts that write without spaces.
_ENDLESS = re.compile(rf"[^\W\d_㐀-鿿぀-ヿ฀-๿ក-៿က-႟຀-໿]{{{LONGEST_WORD + 1},}}")
# Control characters but tab and line feed, those without width, and those that change direction.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_ENDS_SENTENCE = re.compile(r"[.!?…。！？؟۔।:;][\"'”’»)\]]*$")
# A paragraph set at a width has lines of about the same length, all of them within these.
_NARROWEST_WRAP, _WIDEST_WRAP = 40, 100
_WRAPPED_LINES = 3


def cut(text: str) -> str:
    """No more than the limit, ending at a space where there is one near."""
    if len(text) <= MOST_CHARACTERS:
        return text
    end = text.rfind(" ", MOST_CHARACTERS - 200, MOST_CHARACTERS)
    return text[: end if end > 0 else MOST_CHARACTERS]


def clean(text: str) -> str:
    """Paragraphs and lines separated by `\\n`, words by one space."""
    text = unicodedata.normalize("NFC", cut(text)).replace("\r\n", "\n").replace("\r", "\n")
    if not text.replace("\n", " ").isprintable():  # all of those in a fifth of the time
        text = _UNSEEN.sub("", text)
    text = _without_markup(text)
    text = without_addresses(text)
    if "@" in text:
        text = _MAIL_ADDRESS.sub(" ", text)
    if max(map(len, text.split()), default=0) > LONGEST_WORD:
        text = _ENDLESS.sub(" ", text)
    return "\n".join(_paragraphs(text))


def clean_line(text: str) -> str:
    """A title: the same on one line."""
    return " ".join(clean(text[:1000]).split())


def _without_markup(text: str) -> str:
    if "<" in text:
        text = _HIDDEN.sub(" ", text)
        text = _TAG.sub(" ", _BLOCK_TAG.sub("\n\n", text))
    if "&" in text:
        text = html.unescape(text)
    if "](" in text:
        text = _MARKDOWN_LINK.sub(r"\1", text)
    return text


def _paragraphs(text: str) -> list[str]:
    found: list[str] = []
    for paragraph in re.split(r"\n[^\S\n]*\n\s*", text):
        lines = [line for line in paragraph.split("\n") if line.strip()]
        joined = _unwrap(lines) if _is_wrapped(lines) else lines
        found += [" ".join(line.split()) for line in joined]
    return [line for line in found if line]


def _is_wrapped(lines: list[str]) -> bool:
    if any(line[0].isspace() for line in lines[1:]) and not lines[0][0].isspace():
        return True
    if len(lines) < _WRAPPED_LINES:
        return False
    lengths = sorted(len(line) for line in lines)
    if not _NARROWEST_WRAP <= lengths[-1] <= _WIDEST_WRAP:
        return False
    return lengths[len(lengths) // 2] >= lengths[-1] * 0.75


def _unwrap(lines: list[str]) -> list[str]:
    """Join each line to the one before it that it continues."""
    width = max(len(line) for line in lines)
    joined = [lines[0]]
    before = lines[0]
    for line in lines[1:]:
        is_short = len(before) < width * 0.75
        is_heading = len(joined) == 1 and joined[0] is before and not line[0].isspace()
        starts = line.lstrip()[0].isupper() and not line[0].isspace()
        if starts and (is_short or is_heading) and (is_heading or _ENDS_SENTENCE.search(before)):
            joined.append(line)
        else:
            joined[-1] = f"{joined[-1]} {line.strip()}"
        before = line
    return joined
