"""What routes ask for: the database, the settings, and who may call them."""

from __future__ import annotations

import secrets
from typing import Annotated, cast

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from mindhit.db import Database
from mindhit.errors import Forbidden, Unauthenticated
from mindhit.settings import Settings

_bearer = HTTPBearer(auto_error=False, description="The operator's token.")


def _database(request: Request) -> Database:
    return cast("Database", request.app.state.db)


def _settings(request: Request) -> Settings:
    return cast("Settings", request.app.state.settings)


Db = Annotated[Database, Depends(_database)]
Configured = Annotated[Settings, Depends(_settings)]


def _operator(
    settings: Configured,
    given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> None:
    """Let only those pass who know the operator's token."""
    if given is None:
        raise Unauthenticated("This route is the operator's: send its token as a bearer token.")
    known = settings.operator_token
    if known is None:
        raise Forbidden(
            "This server has no operator's token.", way_out="Set MINDHIT_OPERATOR_TOKEN."
        )
    if not secrets.compare_digest(given.credentials.encode(), known.get_secret_value().encode()):
        raise Forbidden("That is not this server's operator token.")


Operator = Depends(_operator)
