"""Which charset a page is in, whatever it says. Pure.

    BOM ─▶ valid UTF-8 ─▶ what it declares, if that fits ─▶ what its bytes look like ─▶ windows-1252

Declarations are the Content-Type header, then `<meta>` or the XML declaration, read from the first
bytes as browsers do. Names are WHATWG's: `euc-kr` is cp949, `shift_jis` cp932, `iso-8859-1` windows-1252.
A declaration fits if hardly a byte is left over; one of a single-byte charset, which fits everything,
gives way to a multi-byte charset that explains the bytes better: Korean pages without a declaration of
their own get `iso-8859-1` from many servers.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from typing import Final, NamedTuple

PRESCAN_BYTES: Final = 4096  # browsers read 1,024; generators put scripts in front
SAMPLE_BYTES: Final = (
    64 * 1024
)  # enough to tell charsets apart; the whole would cost more than fetching

# WHATWG name → Python's codec, where they differ.
_CODECS: Final = {
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
    "iso-8859-8-i": "iso8859_8",
}

_LABELS: Final = {
    label: name
    for name, labels in {
        "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8 utf-8mb4 utf8mb4",
        "euc-kr": "euc-kr euckr euc_kr cp949 ms949 uhc windows-949 x-windows-949 korean cseuckr"
        " ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 iso-ir-149",
        "shift_jis": "shift_jis shift-jis sjis x-sjis ms932 ms_kanji windows-31j cp932 csshiftjis",
        "euc-jp": "euc-jp eucjp x-euc-jp euc_jp cseucpkdfmtjapanese",
        "iso-2022-jp": "iso-2022-jp csiso2022jp",
        "gbk": "gbk gb2312 gb_2312-80 chinese cp936 x-gbk windows-936 iso-ir-58",
        "gb18030": "gb18030",
        "big5": "big5 big5-hkscs cn-big5 x-x-big5 cp950",
        "windows-1252": "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 latin1 latin-1 l1"
        " us-ascii ascii ansi_x3.4-1968 cp819 ibm819 iso_8859-1 iso-ir-100",
        "windows-1251": "windows-1251 cp1251 x-cp1251 win-1251",
        "windows-1250": "windows-1250 cp1250 x-cp1250",
        "windows-1253": "windows-1253 cp1253",
        "windows-1254": "windows-1254 cp1254 iso-8859-9 latin5 iso8859-9",
        "windows-1255": "windows-1255 cp1255",
        "windows-1256": "windows-1256 cp1256",
        "windows-1257": "windows-1257 cp1257",
        "windows-1258": "windows-1258 cp1258",
        "windows-874": "windows-874 tis-620 iso-8859-11 dos-874",
        "koi8-r": "koi8-r koi8 koi8_r",
        "koi8-u": "koi8-u koi8-ru",
        "utf-16le": "utf-16le utf-16 unicode ucs-2 iso-10646-ucs-2",
        "utf-16be": "utf-16be unicodefffe",
        "macintosh": "macintosh mac x-mac-roman",
        "x-mac-cyrillic": "x-mac-cyrillic",
        "iso-8859-8-i": "iso-8859-8-i logical",
        **{
            f"iso-8859-{n}": f"iso-8859-{n} iso8859-{n} iso_8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8)
        },
        **{f"iso-8859-{n}": f"iso-8859-{n} iso8859-{n}" for n in (10, 13, 14, 15, 16)},
    }.items()
    for label in labels.split()
}
_MULTI_BYTE: Final = frozenset(
    {"utf-8", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "big5"}
)

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_ESCAPES_2022 = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
# A declaration may be wrong for this share of the bytes outside ASCII: pages are glued from parts.
_FAULTY_SHARE = 0.02
# Bytes outside ASCII that happen to be UTF-8 in a page that declares something else: with so few
# characters it may be chance.
_CHANCE = 4


class Decoded(NamedTuple):
    text: str
    charset: str


def decode(body: bytes, content_type: str = "", *, is_markup: bool = True) -> Decoded:
    """The text of a body, and the charset it was decoded from. `content_type` is the whole header."""
    if body.isascii() and b"\0" not in body and b"\x1b" not in body:
        return Decoded(body.decode("ascii"), "utf-8")
    for bom, name in _BOMS:
        if body.startswith(bom):
            return Decoded(_text(body[len(bom) :], name), name)
    declared = _declared(body, content_type, is_markup=is_markup)
    if any(escape in body[:SAMPLE_BYTES] for escape in _ESCAPES_2022) and body.isascii():
        return Decoded(_text(body, "iso-2022-jp"), "iso-2022-jp")
    if body.isascii():
        wide = next(
            (name for name in declared[:1] if name.startswith("utf-16") and b"\0" in body), None
        )
        return Decoded(_text(body, wide), wide) if wide else Decoded(body.decode("ascii"), "utf-8")
    if (text := _utf8(body, declared)) is not None:
        return Decoded(text, "utf-8")
    name = _fitting(_sample(body), declared)
    return Decoded(_text(body, name), name)


def name_of(label: str) -> str | None:
    """The WHATWG name that a label stands for."""
    return _LABELS.get(label.strip().lower())


def codec_of(name: str) -> str:
    """Python's codec for a WHATWG name."""
    return _CODECS.get(name, name)


def _text(body: bytes, name: str) -> str:
    return body.decode(_CODECS.get(name, name), "replace").removeprefix("\ufeff")


def _declared(body: bytes, content_type: str, *, is_markup: bool) -> list[str]:
    labels = [found[1] for found in [_IN_HEADER.search(content_type)] if found]
    if is_markup:
        head = body[:PRESCAN_BYTES]
        if found := _XML.match(head):
            labels.append(found[1].decode("latin-1"))
        if found := _META.search(_COMMENT.sub(b"", head)):
            labels.append(found[1].decode("latin-1"))
    names = [name for label in labels if (name := name_of(label))]
    # A meta element that can be read as ASCII does not stand in a page in UTF-16.
    names = [
        "utf-8" if index and name.startswith("utf-16") else name for index, name in enumerate(names)
    ]
    return list(dict.fromkeys(names))


def _utf8(body: bytes, declared: list[str]) -> str | None:
    """The text if it is UTF-8: bytes outside ASCII are hardly ever valid by chance. One cut at the
    end, or faulty here and there, still is if the page says so and nearly all of it fits."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        if len(body) - error.start < 4 and error.reason == "unexpected end of data":
            return body[: error.start].decode()
        if "utf-8" in declared or not declared:
            return _nearly_utf8(body)
        return None
    if declared and declared[0] != "utf-8":
        # Every character outside ASCII takes at least one byte more than a letter.
        is_short = len(body) - len(text) < _CHANCE
        if is_short and _faulty_share(body, declared[0]) == 0:
            return None
    return text


def _nearly_utf8(body: bytes) -> str | None:
    sample = _sample(body)
    return _text(body, "utf-8") if _faulty_share(sample, "utf-8") <= _FAULTY_SHARE else None


def _sample(body: bytes) -> bytes:
    """The first bytes from where they are no longer ASCII."""
    start = next((index for index, byte in enumerate(body) if byte > 0x7F), 0)
    return body[start : start + SAMPLE_BYTES]


def _faulty_share(sample: bytes, name: str) -> float:
    """Of the bytes outside ASCII, the share that this charset has no character for."""
    outside = sum(byte > 0x7F for byte in sample) or 1
    text = sample.decode(_CODECS.get(name, name), "replace")
    faulty = text.count("\ufffd")
    return (
        max(faulty - text.endswith("\ufffd"), 0) / outside
    )  # the sample may end inside a character


def _fitting(sample: bytes, declared: list[str]) -> str:
    looks_like = _looks_like(sample)
    for name in declared:
        if _faulty_share(sample, name) > _FAULTY_SHARE:
            continue
        if name in _MULTI_BYTE or looks_like == "windows-1252":
            return name
        if name != "windows-1252" and looks_like not in _MULTI_BYTE:
            return name
    return looks_like


def _looks_like(sample: bytes) -> str:
    """The charset whose most frequent characters these bytes are."""
    scores = {
        name: _score(sample, name) for name in ("euc-kr", "shift_jis", "euc-jp", "gbk", "big5")
    }
    scores |= {name: _score(sample, name) for name in ("windows-1251", "koi8-r")}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _LIKELY else "windows-1252"


_LIKELY = 0.7


def _score(sample: bytes, name: str) -> float:
    """Of the characters outside ASCII, the share that texts in this charset are made of."""
    if _faulty_share(sample, name) > _FAULTY_SHARE:
        return 0.0
    text = sample.decode(_CODECS.get(name, name), "ignore")
    found = Counter(_sort_of(letter) for letter in text if letter > "\x7f")
    total = found.total() or 1
    match name:
        case "euc-kr":
            # Hanja stand beside syllables and never instead of them.
            return (found["hangul"] + found["sign"]) / total if found["hangul"] else 0.0
        case "shift_jis" | "euc-jp":
            # Without kana it is Chinese, or chance.
            is_japanese = found["kana"] / total > 0.15
            return (found["kana"] + found["han"] + found["sign"]) / total if is_japanese else 0.0
        case "gbk" | "big5":
            # Chinese text is made of some hundred characters of the first level.
            common = len(re.findall(_FIRST_LEVEL[name], sample))
            return 0.99 * (common + found["sign"]) / total if found["han"] else 0.0
    # Whole words, where Latin ones have a letter here and there. Most letters are small, which tells
    # windows-1251 and koi8-r apart.
    in_words = sum(map(len, _WORDS.findall(sample)))
    if in_words < 0.8 * sum(byte > 0x7F for byte in sample):
        return 0.0
    small = sum(letter.islower() for letter in text if letter > "\x7f")
    return (0.98 * small + 0.9 * (found["cyrillic"] - small)) / total if found["cyrillic"] else 0.0


_WORDS: Final = re.compile(rb"[\x80-\xff]{2,}")
_FIRST_LEVEL: Final = {
    "gbk": re.compile(rb"[\xb0-\xd7][\xa1-\xfe]"),
    "big5": re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]"),
}


def _sort_of(letter: str) -> str:
    code = ord(letter)
    if 0xAC00 <= code <= 0xD7A3:
        return "hangul"
    if 0x3041 <= code <= 0x30FF:
        return "kana"
    if 0x4E00 <= code <= 0x9FFF:
        return "han"
    if 0x0400 <= code <= 0x045F:
        return "cyrillic"
    if (
        0x2010 <= code <= 0x2027
        or 0x3000 <= code <= 0x301F
        or 0xFF01 <= code <= 0xFF5E
        or code == 0xB7
    ):
        return "sign"
    return "other"
