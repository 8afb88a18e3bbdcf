"""What the pool and its processes say to each other, as MessagePack."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from mindhit.language.model import Document, Keywords, Summary, Title, Topics


class Load(msgspec.Struct, frozen=True, tag=True):
    """Load what reading takes; `korean`: the model of Korean too. Answered with `Ready`.

    `is_broken`: don't even try to, it has ended a process before.
    """

    korean: bool = False
    is_broken: bool = False


class Summarise(msgspec.Struct, frozen=True, tag=True):
    document: Document
    sentences: int


class ExtractKeywords(msgspec.Struct, frozen=True, tag=True):
    document: Document
    limit: int


class FindTopics(msgspec.Struct, frozen=True, tag=True):
    documents: list[Document]


class SuggestTitle(msgspec.Struct, frozen=True, tag=True):
    documents: list[Document]
    topics: Topics | None


class Ready(msgspec.Struct, frozen=True, tag=True):
    """`korean`: it reads Korean by morphemes; else the model is not there, or broken."""

    korean: bool = False


class Failed(msgspec.Struct, frozen=True, tag=True):
    """An error of ours. Its type and place, never its text: that may quote the document."""

    error: str
    where: str


class Summarised(msgspec.Struct, frozen=True, tag=True):
    result: Summary


class KeywordsExtracted(msgspec.Struct, frozen=True, tag=True):
    result: Keywords


class TopicsFound(msgspec.Struct, frozen=True, tag=True):
    result: Topics


class TitleSuggested(msgspec.Struct, frozen=True, tag=True):
    result: Title


Request: TypeAlias = Load | Summarise | ExtractKeywords | FindTopics | SuggestTitle
Answer: TypeAlias = Ready | Failed | Summarised | KeywordsExtracted | TopicsFound | TitleSuggested

_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def encode(message: Request | Answer) -> bytes:
    return _encoder.encode(message)


def decode_request(body: bytes) -> Request:
    return _requests.decode(body)


def decode_answer(body: bytes) -> Answer:
    return _answers.decode(body)
