"""How much room a label takes: lines, width and height in pixels.

The widths are those of the font that pictures are drawn with (`fonts/`), in thousandths of its size; a
browser's own fonts differ by a few percent, which the padding takes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from mindhit.insight.model import NodeType

_WIDTHS: Final = {
    letter: width
    for width, letters in {
        200: "'", 230: "ijl", 240: " ", 250: "I", 260: ".:;·", 270: "!,", 320: "|", 350: "/\\ft",
        360: "()[]r{}「」", 380: '"', 440: "-_", 450: "1^“”", 470: "`–", 490: "*", 500: "?", 510: "s",
        520: "Jxz", 530: "k", 540: "Lacvy", 560: "7Fe", 570: "hnou", 580: "E", 590: "gpq", 600: "2bd",
        610: "#$5PSZ", 620: "&03689BRT", 640: "+4<=>KX~", 650: "Y", 670: "AV", 690: "D", 700: "C",
        710: "HU", 720: "GN", 740: "OQ", 790: "w…", 850: "m", 860: "M", 880: "@", 900: "%", 940: "W",
        960: "—",
    }.items()
    for letter in letters
}  # fmt: skip
_HANGUL, _WIDE, _OTHER, _CAPITAL = 864, 1000, 600, 760
_ELLIPSIS: Final = "…"


class Style(NamedTuple):
    """How a node of one type is written; in pixels."""

    font: float
    widest: float  # of a line
    lines: int
    pad_x: float
    pad_y: float


STYLES: Final = {
    NodeType.ROOT: Style(19, 240, 3, 20, 14),
    NodeType.TOPIC: Style(15, 210, 3, 14, 9),
    NodeType.SUBTOPIC: Style(13, 230, 2, 10, 6),
    NodeType.KEYWORD: Style(12, 190, 2, 6, 4),
}
LINE_HEIGHT: Final = 1.3


@dataclass(frozen=True, slots=True)
class LabelBox:
    lines: tuple[str, ...]
    width: float
    height: float


def text_width(text: str, font: float) -> float:
    return sum(map(_letter_width, text)) * font / 1000


@cache
def _letter_width(letter: str) -> int:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if "가" <= letter <= "힣" or "ㄱ" <= letter <= "ㆎ":
        return _HANGUL
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    if unicodedata.combining(letter):
        return 0
    return _CAPITAL if letter.isupper() else _OTHER


def measure(label: str, type_: str) -> LabelBox:
    """The label in lines that fit, the last one cut if there is more."""
    style = STYLES[NodeType(type_)]
    lines = tuple(_wrapped(label, style)) or ("",)
    width = max(text_width(line, style.font) for line in lines)
    return LabelBox(
        lines,
        round(width + 2 * style.pad_x, 1),
        round(len(lines) * style.font * LINE_HEIGHT + 2 * style.pad_y, 1),
    )


def _wrapped(label: str, style: Style) -> Iterator[str]:
    space = text_width(" ", style.font)
    line: list[str] = []
    length = -space
    made = 0
    words = [piece for word in label.split() for piece in _pieces(word, style)]
    for place, (word, width) in enumerate(words):
        if length + space + width <= style.widest:
            line.append(word)
            length += space + width
            continue
        made += 1
        if made == style.lines:
            yield _cut(" ".join([*line, *(each for each, _ in words[place:])]), style)
            return
        yield " ".join(line)
        line, length = [word], width
    if line:
        yield " ".join(line)


def _pieces(word: str, style: Style) -> Iterator[tuple[str, float]]:
    """A word with its width; one that is wider than a line, as addresses are, in several pieces."""
    width = text_width(word, style.font)
    if width <= style.widest:
        yield word, width
        return
    piece, width = "", 0.0
    for letter in word:
        more = text_width(letter, style.font)
        if piece and width + more > style.widest:
            yield piece, width
            piece, width = "", 0.0
        piece, width = piece + letter, width + more
    yield piece, width


def _cut(line: str, style: Style) -> str:
    while line and text_width(line + _ELLIPSIS, style.font) > style.widest:
        line = line[:-1]
    return line.rstrip() + _ELLIPSIS
