"""The OpenAPI document: with problem documents where FastAPI would put its own errors, and with
the structs of `responses.py`."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from mindhit.api.http import responses
from mindhit.api.http.problems import MEDIA_TYPE
from mindhit.errors import Invalid, TooLarge


def openapi(app: FastAPI) -> dict[str, Any]:
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
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    structs = responses.components()
    if twice := schemas.keys() & structs.keys():
        raise TypeError(f"a model and a struct have the same name: {', '.join(sorted(twice))}")
    document["components"]["schemas"] = schemas | structs
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
