"""One process of the pool: `python -m mindhit.language.builtin.process`."""

from __future__ import annotations

import os
import traceback

from mindhit.language.builtin import reading
from mindhit.language.builtin.messages import (
    Answer,
    ExtractKeywords,
    Failed,
    FindTopics,
    KeywordsExtracted,
    Load,
    Ready,
    Request,
    SuggestTitle,
    Summarise,
    Summarised,
    TitleSuggested,
    TopicsFound,
    decode_request,
    encode,
)
from mindhit.language.builtin.words import korean
from mindhit.process_pool.serving import serve

# Summaries can wait; whoever serves people should not wait for them.
_NICENESS = 5


def answer(request: Request) -> Answer:
    match request:
        case Load():
            if request.is_broken:
                korean.do_without()
            return Ready(korean=request.korean and korean.has_model())
        case Summarise():
            return Summarised(reading.summarise(request.document, request.sentences))
        case ExtractKeywords():
            return KeywordsExtracted(reading.extract_keywords(request.document, request.limit))
        case FindTopics():
            return TopicsFound(reading.find_topics(request.documents))
        case SuggestTitle():
            return TitleSuggested(reading.suggest_title(request.documents, request.topics))


def answer_safely(request: Request) -> Answer:
    try:
        return answer(request)
    except Exception as error:  # noqa: BLE001 - a text must not end the process
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Failed(type(error).__name__, f"{os.path.basename(last.filename)}:{last.lineno}")  # noqa: PTH119


def main() -> None:
    os.nice(_NICENESS)
    serve(lambda message: encode(answer_safely(decode_request(message))))


if __name__ == "__main__":
    main()
