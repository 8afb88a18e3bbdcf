"""Errors as RFC 9457 problem documents, and the one table from errors to HTTP statuses.

Every answer of 400 and above is `application/problem+json`: for our own errors, the router's (404,
405), failed validation (422), and bugs (500, whose cause goes to the log and never to the caller). A
slice's error has the status of the base class that it derives from, so a new one needs no entry
here; its name becomes the `type`, its docstring the `detail`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from mindhit import errors, log

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 5  # what a 503 asks for: most outages of the database are restarts
BUG: Final = "Something went wrong in MindHit. The log has the details under this request id."
SPACE_RETRY_S: Final = 300
_log = log.get(__name__)

STATUS: Final[Mapping[type[errors.MindHitError], int]] = {
    errors.Invalid: 422,
    errors.NotFound: 404,
    errors.Gone: 410,
    errors.Forbidden: 403,
    errors.Unauthenticated: 401,
    errors.Conflict: 409,
    errors.QuotaReached: 402,
    errors.NoSpace: 507,
    errors.TooLarge: 413,
    errors.TooMany: 429,
    errors.Refused: 400,
    errors.Upstream: 503,
    errors.Broken: 500,
    errors.MindHitError: 500,
}


class FieldProblem(BaseModel):
    """One invalid value of a request."""

    pointer: str = Field(
        description="JSON pointer to the value, or where the parameter is and its name."
    )
    detail: str
    kind: str = Field(description="A name for what is wrong, for translations.")


class Problem(BaseModel):
    """An RFC 9457 problem document."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="A name for the kind of problem; stable across versions.")
    title: str
    status: int
    detail: str | None = None
    request_id: str | None = Field(default=None, description="Identifies this request in the logs.")
    way_out: str | None = Field(default=None, description="What to do about it, if known.")
    errors: list[FieldProblem] | None = None


def status_of(error: type[errors.MindHitError]) -> int:
    return next(STATUS[parent] for parent in error.__mro__ if parent in STATUS)


def documented(*kinds: type[errors.MindHitError]) -> dict[int | str, dict[str, Any]]:
    """The `responses=` of a route that can fail in these ways."""
    by_status: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        sentence = errors.summary(kind)
        entry = by_status.setdefault(status_of(kind), {"model": Problem, "description": sentence})
        if sentence not in entry["description"]:
            entry["description"] += f" {sentence}"
    return by_status


def problem(
    status: int,
    detail: str | None = None,
    *,
    kind: str | None = None,
    headers: Mapping[str, str] | None = None,
    **more: object,
) -> Response:
    title = HTTPStatus(status).phrase
    headers = dict(headers or {})
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(RETRY_AFTER_S))
    document = {
        "type": f"urn:mindhit:problem:{kind or slug(title)}",
        "title": title,
        "status": status,
        "detail": detail,
        "request_id": log.bound().get("request_id"),
        **more,
    }
    body = msgspec.json.encode({key: value for key, value in document.items() if value is not None})
    return Response(body, status, headers, MEDIA_TYPE)


def from_error(error: errors.MindHitError) -> Response:
    status = status_of(type(error))
    if status == 500:
        _log.error("request failed", error=str(error), **error.facts, exc_info=error)
    elif status > 500:
        _log.warning("request failed", error=str(error), **error.facts)
    headers = {}
    if isinstance(error, errors.TooMany):
        headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, errors.NoSpace):
        headers["Retry-After"] = str(SPACE_RETRY_S)
    if isinstance(error, errors.Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    return problem(
        status,
        BUG if status == 500 else str(error),
        kind=slug(type(error).__name__),
        headers=headers,
        way_out=error.way_out,
        errors=_setting_of(error),
        **{name: error.facts[name] for name in error.shown},
    )


def install(app: FastAPI) -> None:
    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, errors.MindHitError)
        return from_error(error)

    async def routers(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 400 and isinstance(error.__cause__, UnicodeDecodeError):
            return problem(422, "The body is not UTF-8.", kind="invalid")
        detail = None if error.detail == HTTPStatus(error.status_code).phrase else error.detail
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(allowed_methods(request) or ["GET"])
        return problem(error.status_code, detail, headers=headers)

    async def validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        allowed = allowed_methods(request)
        if (
            allowed and request.method not in allowed
        ):  # the path was taken for an id by another route
            return problem(405, headers={"Allow": ", ".join(allowed)})
        wrong = [
            {"pointer": _pointer(each["loc"]), "detail": each["msg"], "kind": each["type"]}
            for each in error.errors()
        ]
        return problem(422, "The request is not valid.", kind="invalid", errors=wrong)

    app.add_exception_handler(errors.MindHitError, ours)
    app.add_exception_handler(HTTPException, routers)
    app.add_exception_handler(RequestValidationError, validation)


def allowed_methods(request: Request) -> list[str]:
    """All methods that the API has at this path; the router names only those of the first match."""
    path = request.url.path
    return next((methods for pattern, methods in _paths(request.app) if pattern.match(path)), [])


def _paths(app: FastAPI) -> list[tuple[re.Pattern[str], list[str]]]:
    """Those with the fewest parameters first. Not from the OpenAPI document, which takes seconds to make."""
    if not hasattr(app.state, "api_paths"):
        methods = defaultdict[str, set[str]](set)
        for route in iter_route_contexts(app.routes):
            if route.path is not None and getattr(route, "include_in_schema", False):
                methods[route.path] |= route.methods or set()
        app.state.api_paths = [
            (compile_path(path)[0], sorted(methods[path]))
            for path in sorted(methods, key=lambda path: path.count("{"))
        ]
    found: list[tuple[re.Pattern[str], list[str]]] = app.state.api_paths
    return found


def _setting_of(error: errors.MindHitError) -> list[dict[str, str]] | None:
    """Which setting an error is about, if it says so."""
    setting = error.facts.get("setting")
    if setting is None:
        return None
    return [{"pointer": f"/{setting}", "detail": str(error), "kind": f"bad_{setting}"}]


def _pointer(location: tuple[int | str, ...]) -> str:
    where, *rest = location
    path = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in rest)
    return f"/{path}" if where == "body" else f"{where}: {path}"


def slug(name: str) -> str:
    """`SessionNotFound` and `Session Not Found` are `session-not-found`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", "-", name).strip("-").lower()
