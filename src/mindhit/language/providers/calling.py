"""One call of one model, through its provider's library: a question in, an answer or a reason out.

The libraries come with the extra `models` and are imported by the first call: they take a second and
60 MB, which neither the API nor the command line should pay. None of them retries here, since every
attempt is accounted for; and nothing that they say about a failure is passed on, since providers quote
keys and texts in their errors.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mindhit.billing import Tokens
from mindhit.fetching import AddressForbidden
from mindhit.language.providers.allowed_requests import AllowedRequests
from mindhit.language.providers.guarded_http import ResponseTooLarge, guarded_client, tls
from mindhit.language.providers.kinds import ProviderKind
from mindhit.language.providers.model import Answer, ModelFailed, Provider, Question, Reason

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model

_NO_KEY = "none"  # libraries want something in its place
LONGEST_ID = 200  # characters of a provider's id of an answer
MOST_TOKENS = 2**31
_NOT_SENT = {"pool", "connect"}


async def call(provider: Provider, question: Question, *, timeout_s: float, most: int) -> Answer:
    """Ask once; `most` is the longest answer in tokens. Raises `ModelFailed`."""
    with _in_our_words():
        await asyncio.to_thread(_load, provider.kind)
        from pydantic_ai.direct import model_request  # noqa: PLC0415
        from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415
        from pydantic_ai.output import OutputObjectDefinition  # noqa: PLC0415

        async with asyncio.timeout(timeout_s):
            allowed = AllowedRequests(provider.kind, provider.base_url, provider.key or _NO_KEY)
            async with guarded_client(provider.allowed_hosts, timeout_s, allowed=allowed) as client:
                model = _model(provider, client)
                is_native = model.profile.get("supports_json_schema_output", False)
                schema = OutputObjectDefinition(dict(question.schema), name=question.operation)
                response = await model_request(
                    model,
                    _messages(question),
                    model_settings={"max_tokens": most, "timeout": timeout_s},
                    model_request_parameters=ModelRequestParameters(
                        output_mode="native" if is_native else "prompted", output_object=schema
                    ),
                )
    return _answer(provider, response)


def _load(kind: ProviderKind) -> None:
    """Import the libraries, in a thread: on the event loop it would hold everything else up for
    seconds."""
    library = {ProviderKind.CLAUDE: "anthropic", ProviderKind.GEMINI: "google"}.get(kind, "openai")
    for module in ("direct", f"models.{library}", f"providers.{library}"):
        importlib.import_module(f"pydantic_ai.{module}")
    tls()


def _model(provider: Provider, client: httpx2.AsyncClient) -> Model[Any]:
    key = provider.key or _NO_KEY
    if provider.kind is ProviderKind.CLAUDE:
        from anthropic import AsyncAnthropic  # noqa: PLC0415
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
        from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

        claude = AsyncAnthropic(
            api_key=key, base_url=provider.base_url, http_client=client, max_retries=0
        )
        return AnthropicModel(provider.model, provider=AnthropicProvider(anthropic_client=claude))
    if provider.kind is ProviderKind.GEMINI:
        from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
        from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

        google = GoogleProvider(api_key=key, base_url=provider.base_url, http_client=client)
        return GoogleModel(provider.model, provider=google)
    from openai import AsyncOpenAI  # noqa: PLC0415
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415

    openai = AsyncOpenAI(api_key=key, base_url=provider.base_url, http_client=client, max_retries=0)
    if provider.kind is ProviderKind.COMPATIBLE:
        compatible = OpenAICompatibleProvider("compatible", openai_client=openai)
        # The older name of the limit, which all of these servers know.
        only_max_tokens = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OpenAIChatModel(provider.model, provider=compatible, profile=only_max_tokens)
    return OpenAIChatModel(provider.model, provider=OpenAIProvider(openai_client=openai))


def _messages(question: Question) -> list[ModelMessage]:
    from pydantic_ai.messages import (  # noqa: PLC0415
        ModelRequest,
        ModelResponse,
        TextPart,
        UserPromptPart,
    )

    def said(text: str) -> ModelRequest:
        return ModelRequest([UserPromptPart(text)], instructions=question.instructions)

    asked: list[ModelMessage] = [said(question.text)]
    if question.earlier is not None:
        answer, complaint = question.earlier
        asked += [ModelResponse([TextPart(answer)]), said(complaint)]
    return asked


def _answer(provider: Provider, response: ModelResponse) -> Answer:
    from pydantic_ai.messages import TextPart  # noqa: PLC0415

    usage = response.usage
    tokens = Tokens(usage.input_tokens, usage.output_tokens)
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    text = text.replace("\0", " ").encode("utf-8", "replace").decode()  # what can be stored
    # An answer whose tokens were used up before its first word is no refusal: it is asked again.
    is_cut = response.finish_reason == "length"
    is_refusal = response.finish_reason == "content_filter" or (not text.strip() and not is_cut)
    # Servers that only speak the protocol make up ids: Ollama draws them from a thousand.
    is_unique = provider.kind is not ProviderKind.COMPATIBLE
    request_id = response.provider_response_id if is_unique else None
    if request_id and (len(request_id) > LONGEST_ID or not request_id.isprintable()):
        request_id = None
    return Answer(text, is_refusal, tokens if _is_possible(tokens) else None, request_id or None)


def _is_possible(tokens: Tokens) -> bool:
    """What a server says of its own usage is not always a number of tokens."""
    return min(tokens.input, tokens.output) >= 0 and 0 < tokens.total < MOST_TOKENS


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == "mindhit":
            raise
        raise ModelFailed(Reason.NOT_INSTALLED) from None
    except TimeoutError:
        raise ModelFailed(Reason.TIMED_OUT) from None
    except Exception as error:  # noqa: BLE001  whatever a library makes of whatever a server sent
        raise _failure(error) from None


def _failure(error: Exception) -> ModelFailed:
    from pydantic_ai.exceptions import (  # noqa: PLC0415
        ModelConnectionError,
        ModelHTTPError,
        ModelRequestTimeout,
        ModelTimeoutError,
    )

    reason = Reason.UNREADABLE
    if _caused_by(error, AddressForbidden):
        reason = Reason.ADDRESS_FORBIDDEN
    elif _caused_by(error, ResponseTooLarge):
        reason = Reason.UNREADABLE
    elif isinstance(error, ModelHTTPError):
        return _status_failure(error.status_code, error.retry_after)
    elif isinstance(error, ModelConnectionError) and error.phase in _NOT_SENT:
        reason = Reason.UNREACHABLE
    elif isinstance(error, ModelRequestTimeout | ModelTimeoutError):
        reason = Reason.TIMED_OUT
    elif isinstance(error, ModelConnectionError):
        reason = Reason.CONNECTION_CUT
    return ModelFailed(reason)


def _status_failure(status: int, retry_after_s: float | None) -> ModelFailed:
    if status == 429:
        return ModelFailed(Reason.RATE_LIMITED, retry_after_s=retry_after_s, status=status)
    if status >= 500:
        return ModelFailed(Reason.UNAVAILABLE, retry_after_s=retry_after_s, status=status)
    reasons = {401: Reason.KEY_REFUSED, 403: Reason.KEY_REFUSED, 404: Reason.MODEL_UNKNOWN}
    return ModelFailed(reasons.get(status, Reason.REQUEST_REFUSED), status=status)


def _caused_by(error: BaseException | None, kind: type[Exception]) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False
