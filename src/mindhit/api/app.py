"""The application: routes under `/v1`, operations beside them, the web app below everything."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi

import mindhit
from mindhit.accounts import Entrance
from mindhit.api import (
    about,
    admin,
    auth,
    connect,
    days,
    demo,
    devices,
    events,
    health,
    icons,
    jobs,
    me,
    metrics,
    oidc,
    operations,
    progress,
    recording,
    sessions,
    shaped,
    web,
)
from mindhit.api.guards import (
    BodyLimit,
    ETags,
    ExactOrigins,
    RateLimit,
    SecurityHeaders,
    WholeAnswers,
)
from mindhit.api.problems import MEDIA_TYPE, documented
from mindhit.api.problems import install as install_problems
from mindhit.api.requests import RequestContext
from mindhit.api.settings import ApiSettings
from mindhit.db import Database, DatabaseAway
from mindhit.errors import Broken, Invalid, TooLarge, TooMany
from mindhit.settings import Settings
from mindhit.slices import Product

# In the order in which they are tried: what browsers send all day long comes first.
ROUTERS: tuple[APIRouter, ...] = (
    events.router,
    about.router,
    auth.router,
    oidc.router,
    me.router,
    devices.router,
    connect.router,
    admin.router,
    jobs.router,
    recording.router,
    sessions.router,
    icons.router,
    progress.router,
    days.router,
    demo.router,
    operations.router,
)


def create_app(product: Product, db: Database | None = None) -> FastAPI:
    """Build the application. Without a database it can only describe itself."""
    app = FastAPI(
        title="MindHit",
        version=mindhit.__version__,
        summary="A self-hosted browsing memory.",
        docs_url=None,  # the interactive pages load scripts from elsewhere; our policy forbids it
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.db = db
    app.state.product = product
    app.state.entrance = Entrance(product.settings)
    app.state.stopping = asyncio.Event()  # streams end when it is set
    install_problems(app)
    app.include_router(health.router)
    app.include_router(metrics.router)
    for router in ROUTERS:
        app.include_router(
            router, prefix="/v1", responses=documented(TooMany, DatabaseAway, Broken)
        )
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    web.mount(app)
    _add_layers(app, product.settings)
    return app


def _add_layers(app: FastAPI, settings: Settings) -> None:
    """From the inside out: what is added last sees a request first."""
    limits = settings[ApiSettings]
    app.add_middleware(ETags)
    app.add_middleware(BodyLimit, limit=limits.body_limit)
    app.add_middleware(RateLimit, per_minute=limits.rate_limit)
    app.add_middleware(RequestContext)
    if limits.extension_origins:
        app.add_middleware(
            ExactOrigins,
            allow_origins=limits.extension_origins,
            allow_methods=["GET", "POST", "PATCH", "PUT", "DELETE"],
            allow_headers=["authorization", "content-encoding", "content-type", "if-none-match"],
            expose_headers=["etag", "retry-after", "x-request-id", "ratelimit-remaining"],
            max_age=600,
        )
    app.add_middleware(SecurityHeaders, https=settings.public_url.startswith("https://"))
    app.add_middleware(WholeAnswers)


def openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with problem documents where FastAPI would put its own errors."""
    if app.openapi_schema:
        return app.openapi_schema
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        routes=app.routes,
        servers=[{"url": "/"}],
    )
    for path in document["paths"].values():
        for operation in path.values():
            _use_problems(operation)
    for unused in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(unused, None)
    document["components"]["schemas"] |= shaped.components()
    app.openapi_schema = document
    return document


def _use_problems(operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    if "422" in answers:
        answers["422"] = {"description": Invalid().message, "content": content}
    if "requestBody" in operation:
        answers["413"] = {"description": TooLarge().message, "content": content}
    for status, answer in answers.items():
        if status.isdigit() and int(status) >= 400:
            answer["content"] = content
