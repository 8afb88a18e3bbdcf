"""What models may answer: the schema of each operation, and the checks that no schema can express.

An answer is a stranger's text: it may be cut off, be no JSON, have other fields, be endless, be in
another language, or carry an address that the page wanted to have there. `OutputInvalid` says what is
wrong in words that the model can be asked again with.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from mindhit.language.addresses import addresses_in, named_by_their_sites

ANSWER_CHARACTERS: Final = 100_000  # a model that repeats itself for ever is not read to the end
SENTENCE_CHARACTERS: Final = 800
KEYWORD_CHARACTERS: Final = 80
LABEL_CHARACTERS: Final = 80
TITLE_CHARACTERS: Final = 120
KEYWORDS: Final = 15
TOPIC_KEYWORDS: Final = 10
WRONG_CHARACTERS: Final = 200  # of what the decoder says, which quotes the answer

_FENCE: Final = "```"
_THINKING: Final = ("<think>", "</think>")
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


class OutputInvalid(Exception):
    """The model's answer can't be used; the message says why."""


class SummaryOut(msgspec.Struct, forbid_unknown_fields=True):
    sentences: list[str]
    keywords: list[str]


class KeywordsOut(msgspec.Struct, forbid_unknown_fields=True):
    keywords: list[str]


class TopicOut(msgspec.Struct, forbid_unknown_fields=True):
    label: str
    pages: list[int]
    keywords: list[str]


class TopicsOut(msgspec.Struct, forbid_unknown_fields=True):
    topics: list[TopicOut]


class TitleOut(msgspec.Struct, forbid_unknown_fields=True):
    title: str


class TestOut(msgspec.Struct, forbid_unknown_fields=True):
    ok: bool


def _object(**properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(of: Mapping[str, object]) -> dict[str, object]:
    return {"type": "array", "items": of}


_TEXT: Final = {"type": "string"}
_TOPIC: Final = _object(label=_TEXT, pages=_list({"type": "integer"}), keywords=_list(_TEXT))
SCHEMAS: Final[Mapping[str, Mapping[str, Any]]] = {
    "summarise": _object(sentences=_list(_TEXT), keywords=_list(_TEXT)),
    "keywords": _object(keywords=_list(_TEXT)),
    "topics": _object(topics=_list(_TOPIC)),
    "title": _object(title=_TEXT),
    "test": _object(ok={"type": "boolean"}),
}

Out = TypeVar("Out", bound=msgspec.Struct)


def read(answer: str, shape: type[Out]) -> Out:
    """The JSON of an answer, also inside a code block or behind a model's thinking."""
    if len(answer) > ANSWER_CHARACTERS:
        raise OutputInvalid("it is too long")
    try:
        return msgspec.json.decode(_unfenced(_without_thinking(answer.strip())), type=shape)
    except msgspec.ValidationError as error:
        raise OutputInvalid(
            f"the JSON does not have the form that was asked for: {str(error)[:WRONG_CHARACTERS]}"
        ) from None
    except (msgspec.DecodeError, UnicodeError):
        raise OutputInvalid("it is not valid JSON") from None


def _without_thinking(text: str) -> str:
    begin, end = _THINKING
    if not text.startswith(begin):
        return text
    _, found, rest = text.partition(end)
    return rest.strip() if found else text


def _unfenced(text: str) -> str:
    """The inside of a code block, without the name of its language."""
    is_block = text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE)
    return text[len(_FENCE) : -len(_FENCE)].partition("\n")[2].strip() if is_block else text


def read_summary(answer: str, source: str, sentences: int) -> tuple[list[str], list[str]]:
    found = read(answer, SummaryOut)
    if not found.sentences:
        raise OutputInvalid("there are no sentences")
    if len(found.sentences) > sentences:
        raise OutputInvalid(f"there are more than {sentences} sentences")
    checked = [_text("sentence", each, source, SENTENCE_CHARACTERS) for each in found.sentences]
    _check_script(" ".join(checked), source)
    return checked, _keywords(found.keywords, source, KEYWORDS)


def read_keywords(answer: str, source: str, limit: int) -> list[str]:
    found = _keywords(read(answer, KeywordsOut).keywords, source, limit)
    if not found:
        raise OutputInvalid("there are no keywords")
    return found


def read_topics(answer: str, source: str, pages: int) -> list[TopicOut]:
    found = read(answer, TopicsOut).topics
    numbers = sorted(number for topic in found for number in topic.pages)
    if numbers != list(range(1, pages + 1)):
        raise OutputInvalid(f"every page from 1 to {pages} must be in exactly one topic")
    return [
        TopicOut(
            _text("label", topic.label, source, LABEL_CHARACTERS),
            sorted(topic.pages),
            _keywords(topic.keywords, source, TOPIC_KEYWORDS),
        )
        for topic in found
        if topic.pages
    ]


def read_title(answer: str, source: str) -> str:
    return _text("title", read(answer, TitleOut).title, source, TITLE_CHARACTERS)


def _keywords(found: Sequence[str], source: str, most: int) -> list[str]:
    """Each once; more than asked for are cut, the most important ones come first."""
    checked = (_text("keyword", each, source, KEYWORD_CHARACTERS) for each in found)
    return list({each.casefold(): each for each in reversed(list(checked))}.values())[::-1][:most]


def _text(what: str, text: str, source: str, longest: int) -> str:
    """On one line, without characters that hide or reverse text, and not longer than asked for. An
    address of the page is named by its site; any other is refused."""
    shown = " ".join("".join(" " if unicodedata.category(c) in _UNFIT else c for c in text).split())
    for address in addresses_in(shown):
        if address not in source:
            raise OutputInvalid(f"a {what} has a web address that is not in the text")
    shown = named_by_their_sites(shown)
    if not shown:
        raise OutputInvalid(f"a {what} is empty")
    if len(shown) > longest:
        raise OutputInvalid(f"a {what} has more than {longest} characters")
    return shown


def _check_script(text: str, source: str) -> None:
    """A Korean page has a Korean summary, and one without any Korean has none."""
    wanted, given = _hangul_share(source), _hangul_share(text)
    if (wanted > 0.5 and given < 0.2) or (wanted == 0 and given > 0.5):
        raise OutputInvalid("it is not in the language of the text")


def _hangul_share(text: str) -> float:
    letters = [c for c in text[:20_000] if c.isalpha()]
    hangul = sum("가" <= c <= "힣" for c in letters)
    return hangul / len(letters) if letters else 0.0
