"""What routes are handed by the application: the database, the settings, the product, the client.

Coroutines, though they wait for nothing: FastAPI would run a plain function in a thread.
"""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from mindhit import accounts
from mindhit.api.http.user_agents import device_name
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.slices import Product


async def _database(request: Request) -> Database:
    return cast("Database", request.app.state.db)


async def _settings(request: Request) -> Settings:
    return cast("Product", request.app.state.product).settings


async def _entrance(request: Request) -> accounts.Entrance:
    return cast("accounts.Entrance", request.app.state.entrance)


async def _product(request: Request) -> Product:
    return cast("Product", request.app.state.product)


async def _origin(request: Request) -> accounts.Origin:
    address = request.client.host if request.client else None
    return accounts.Origin(address, device_name(request.headers.get("user-agent", "")))


Db = Annotated[Database, Depends(_database)]
AppSettings = Annotated[Settings, Depends(_settings)]
Entrance = Annotated[accounts.Entrance, Depends(_entrance)]
WholeProduct = Annotated[Product, Depends(_product)]
Origin = Annotated[accounts.Origin, Depends(_origin)]
