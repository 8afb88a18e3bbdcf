"""The application: routes under `/v1`, health and metrics beside them, the web app behind both."""

from __future__ import annotations

import asyncio
from functools import cache

from fastapi import APIRouter, FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute

import mindhit
from mindhit.accounts import SignInGuard
from mindhit.api import (
    about,
    accounts,
    billing,
    crawl,
    delivery,
    extension,
    health,
    insight,
    jobs,
    language,
    library,
    mail,
    metrics,
    operations,
    reminders,
    retention,
    tracking,
    web,
)
from mindhit.api.accounts.export import ARCHIVE_PATH
from mindhit.api.http import problems
from mindhit.api.http.exports import Exports
from mindhit.api.http.middleware.body_limit import BodyLimit
from mindhit.api.http.middleware.cors import Cors
from mindhit.api.http.middleware.etags import ETags
from mindhit.api.http.middleware.head_and_range import HeadAndRange
from mindhit.api.http.middleware.rate_limit import RateLimit
from mindhit.api.http.middleware.request_context import RequestContext
from mindhit.api.http.middleware.security_headers import SecurityHeaders
from mindhit.api.http.middleware.shares import ConnectionShares
from mindhit.api.http.openapi import openapi
from mindhit.api.http.streams import Streams
from mindhit.api.library.imports import IMPORTS_PATH
from mindhit.api.library.sync import PUSH_PATH
from mindhit.api.settings import ApiSettings
from mindhit.api.tracking.events import BATCH_PATHS
from mindhit.api.tracking.icons import ICON_PATH
from mindhit.db import Database, DatabaseUnavailable
from mindhit.db.disk_space import DiskSpace
from mindhit.errors import Broken, TooMany
from mindhit.library import LARGEST_FILE
from mindhit.settings import Settings
from mindhit.slices import Product

# The routes of all slices, in the order in which they are tried. A new slice is one line here.
ROUTERS: tuple[APIRouter, ...] = (
    *tracking.ROUTERS,
    insight.router,
    insight.open_router,
    *library.ROUTERS,
    *crawl.ROUTERS,
    language.router,
    billing.router,
    billing.open_router,
    delivery.router,
    delivery.open_router,
    reminders.router,
    *accounts.ROUTERS,
    retention.router,
    mail.router,
    jobs.router,
    operations.router,
    about.router,
    extension.router,
)

# How the paths of requests end that go before all others, and of those that wait for the others.
RECORDING = (*BATCH_PATHS, "/sessions/start", "/stop")
CAN_WAIT = ("/export", ARCHIVE_PATH, "/search", "/sync/pull", "/forget")


def create_app(product: Product, db: Database | None = None) -> FastAPI:
    """Build the application. Without a database it can only describe itself."""
    app = FastAPI(
        title="MindHit",
        version=mindhit.__version__,
        summary="A self-hosted browsing memory.",
        docs_url=None,  # the interactive pages load scripts from other sites; our policy forbids it
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.db = db
    app.state.product = product
    app.state.sign_in_guard = SignInGuard(product.settings)
    app.state.stopping = asyncio.Event()  # streams end when it is set
    app.state.disk = DiskSpace(product.settings)
    app.state.exports = Exports()
    app.state.streams = Streams(product.settings[ApiSettings].streams_per_person)
    problems.install(app)
    app.router.routes += api_routes()
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    web.mount(app)
    _add_middleware(app, product.settings)
    return app


@cache
def api_routes() -> tuple[BaseRoute, ...]:
    """All but the web app's, the same for every application: the framework keeps what it has built of them, so
    that is done once in a process."""
    app = FastAPI(openapi_url=None)
    app.include_router(health.router)
    app.include_router(metrics.router)
    for router in ROUTERS:
        app.include_router(
            router,
            prefix="/v1",
            responses=problems.documented(TooMany, DatabaseUnavailable, Broken),
        )
    app.include_router(reminders.legacy)
    app.include_router(extension.files)
    return tuple(app.routes)


def build_routes(app: FastAPI) -> None:
    """Build every route now: the framework would do so in the first request that passes it, and hold the loop
    for 0.65 s of CPU time (measured)."""
    for _ in iter_route_contexts(app.routes):
        pass


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """From the inside out: what is added last sees a request first."""
    limits = settings[ApiSettings]
    app.add_middleware(ETags)
    app.add_middleware(ConnectionShares, recording=RECORDING, can_wait=CAN_WAIT)
    recorded = dict.fromkeys((*BATCH_PATHS, PUSH_PATH), limits.body_limit)
    app.add_middleware(
        BodyLimit, limit=limits.body_limit, larger={IMPORTS_PATH: LARGEST_FILE, **recorded}
    )
    # A screen full of icons requests each of them; they must not use up the limit of other calls.
    app.add_middleware(RateLimit, per_minute=limits.rate_limit, separate=[ICON_PATH])
    app.add_middleware(RequestContext)
    if limits.extension_origins:
        app.add_middleware(Cors, origins=limits.extension_origins)
    app.add_middleware(SecurityHeaders, https=settings.public_url.startswith("https://"))
    app.add_middleware(HeadAndRange, ranged=[ARCHIVE_PATH])
