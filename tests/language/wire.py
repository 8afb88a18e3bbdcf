"""A server that speaks the wire formats of OpenAI, Gemini and Claude, and says what a test wants it to.

Each turn answers one request; what it counted is added up, so that a test can compare the ledger with
what the server said.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Json = dict[str, Any]
KINDS = ("openai", "compatible", "claude", "gemini")
GOOD = {
    "sentences": ["Bees dance to show the way.", "Others follow."],
    "keywords": ["bees", "dance"],
}


@dataclass(frozen=True, slots=True)
class Say:
    """A proper answer with this text. `refuses` is the provider's own way of declining."""

    text: str
    tokens: tuple[int, int] | None = (101, 17)
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Fail:
    """A status with a body in the provider's form."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "no"


@dataclass(frozen=True, slots=True)
class Raw:
    """A body that is not the provider's protocol."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection ends in the middle of the answer."""


Turn = Say | Fail | Raw | Cut


@dataclass(frozen=True, slots=True)
class Seen:
    path: str
    headers: dict[str, str]
    body: Json

    @property
    def instructions(self) -> str:
        if "contents" in self.body:
            return json.dumps(self.body["systemInstruction"], ensure_ascii=False)
        if "system" in self.body:
            return json.dumps(self.body["system"], ensure_ascii=False)
        system = [each for each in self.body["messages"] if each["role"] != "user"]
        return json.dumps(system, ensure_ascii=False)

    @property
    def said(self) -> str:
        """What stands in the messages of the user."""
        if "contents" in self.body:
            return "".join(part["text"] for each in self.body["contents"] for part in each["parts"])
        found = [each["content"] for each in self.body["messages"] if each["role"] == "user"]
        return "".join(
            each if isinstance(each, str) else "".join(part["text"] for part in each)
            for each in found
        )


class ModelServer:
    def __init__(self) -> None:
        self.url = ""
        self.turns: list[Turn] = []
        self.otherwise: Turn | Callable[[Seen], Turn] = Say(json.dumps(GOOD))
        self.seen: list[Seen] = []
        self.answers = 0
        self.tokens = 0  # that all answers together said
        self.at_once = self.most_at_once = 0
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    def settings(self, kind: str) -> Json:
        """Settings of an installation that asks this server in the form of `kind`."""
        path = "/v1" if kind in {"openai", "compatible"} else ""
        return {
            "language_providers": (kind,),
            f"{kind}_url": self.url + path,
            f"{kind}_key": "an-installation-key",
            f"{kind}_model": _MODELS[kind],
        }

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(Seen(request.path, dict(request.headers), await request.json()))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.set()
        try:
            await self.may_answer.wait()
            turn = self.turns.pop(0) if self.turns else self.otherwise
            return await self._as_told(request, turn(self.seen[-1]) if callable(turn) else turn)
        finally:
            self.at_once -= 1

    async def _as_told(self, request: web.Request, turn: Turn) -> web.StreamResponse:
        if isinstance(turn, Cut):
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            response.content_length = 5000
            await response.prepare(request)
            await response.write(b'{"id": "half of')
            assert request.transport is not None
            request.transport.abort()
            return response
        if isinstance(turn, Raw):
            return web.Response(body=turn.body, content_type=turn.content_type)
        form = _form(request.path)
        if isinstance(turn, Fail):
            return web.json_response(
                form.error(turn.status, turn.message), status=turn.status, headers=turn.headers
            )
        self.tokens += sum(turn.tokens or ())
        self.answers += 1
        return web.json_response(form.answer(turn, self.answers))


@asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    server = ModelServer()
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/{path:.*}", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}"
    try:
        yield server
    finally:
        server.may_answer.set()
        await runner.cleanup()


@dataclass(frozen=True, slots=True)
class Form:
    answer: Callable[[Say, int], Json]
    error: Callable[[int, str], Json]


def _openai(turn: Say, number: int) -> Json:
    message: Json = {"role": "assistant", "content": turn.text}
    if turn.refuses:
        message = {"role": "assistant", "content": None, "refusal": turn.text}
    body: Json = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_750_000_000,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    if turn.tokens is not None:
        given, made = turn.tokens
        body["usage"] = {
            "prompt_tokens": given,
            "completion_tokens": made,
            "total_tokens": given + made,
        }
    return body


def _claude(turn: Say, number: int) -> Json:
    given, made = turn.tokens or (0, 0)
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [] if turn.refuses else [{"type": "text", "text": turn.text}],
        "stop_reason": "refusal" if turn.refuses else "end_turn",
        "stop_sequence": None,
        # Cached input is counted apart, and belongs to what was used.
        "usage": {
            "input_tokens": given - 30 if given else 0,
            "cache_read_input_tokens": 20 if given else 0,
            "cache_creation_input_tokens": 10 if given else 0,
            "output_tokens": made,
        },
    }


def _gemini(turn: Say, number: int) -> Json:
    given, made = turn.tokens or (0, 0)
    content = {"role": "model", "parts": [{"text": turn.text}]}
    candidate: Json = {"content": content, "finishReason": "STOP", "index": 0}
    if turn.refuses:
        candidate = {"finishReason": "SAFETY", "index": 0}
    body: Json = {"responseId": f"g-{number}", "modelVersion": "m", "candidates": [candidate]}
    if turn.tokens is not None:
        # Thinking is counted apart, and belongs to what was used.
        body["usageMetadata"] = {
            "promptTokenCount": given,
            "candidatesTokenCount": made - 5,
            "thoughtsTokenCount": 5,
            "totalTokenCount": given + made,
        }
    return body


def _form(path: str) -> Form:
    if path.endswith("/chat/completions"):
        return Form(
            _openai, lambda _, text: {"error": {"message": text, "type": "x", "code": None}}
        )
    if path.endswith("/messages"):
        return Form(
            _claude, lambda _, text: {"type": "error", "error": {"type": "x", "message": text}}
        )
    assert path.endswith(":generateContent"), path
    return Form(
        _gemini,
        lambda status, text: {"error": {"code": status, "message": text, "status": "UNKNOWN"}},
    )


_MODELS = {
    "openai": "gpt-5-mini",
    "compatible": "llama3.2",
    "claude": "claude-haiku-4-5",
    "gemini": "gemini-2.5-flash",
}
