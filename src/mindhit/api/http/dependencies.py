"""What routes are handed by the application: the database, the product, the settings, the client.

Coroutines, though they wait for nothing: FastAPI would run a plain function in a thread.
"""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from mindhit import accounts, slices
from mindhit.api.http.exports import Exports
from mindhit.api.http.streams import Streams
from mindhit.api.http.user_agents import device_name
from mindhit.db import Database
from mindhit.db.disk_space import DiskSpace
from mindhit.settings import Settings


async def _database(request: Request) -> Database:
    return cast("Database", request.app.state.db)


async def _settings(request: Request) -> Settings:
    return (await _product(request)).settings


async def _sign_in_guard(request: Request) -> accounts.SignInGuard:
    return cast("accounts.SignInGuard", request.app.state.sign_in_guard)


async def _product(request: Request) -> slices.Product:
    return cast("slices.Product", request.app.state.product)


async def _origin(request: Request) -> accounts.Origin:
    address = request.client.host if request.client else None
    return accounts.Origin(address, device_name(request.headers.get("user-agent", "")))


async def _disk(request: Request) -> DiskSpace:
    return cast("DiskSpace", request.app.state.disk)


async def _streams(request: Request) -> Streams:
    return cast("Streams", request.app.state.streams)


async def _exports(request: Request) -> Exports:
    return cast("Exports", request.app.state.exports)


Db = Annotated[Database, Depends(_database)]
AppSettings = Annotated[Settings, Depends(_settings)]
SignInGuard = Annotated[accounts.SignInGuard, Depends(_sign_in_guard)]
Product = Annotated[slices.Product, Depends(_product)]
Disk = Annotated[DiskSpace, Depends(_disk)]
ExportPlaces = Annotated[Exports, Depends(_exports)]
LiveStreams = Annotated[Streams, Depends(_streams)]
Origin = Annotated[accounts.Origin, Depends(_origin)]
