"""The OpenAPI document is true: schemathesis asks everything it allows, and much that it forbids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, Response
from schemathesis.checks import CheckContext
from schemathesis.specs.openapi.checks import positive_data_acceptance

from mindhit.api.problems import MEDIA_TYPE
from tests import servers

TOKEN = "operator-token-for-tests"
DOCUMENT = Path(__file__).parents[2] / "clients" / "ts" / "openapi.json"


@pytest.fixture(scope="module")
def api_url(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[str]:
    log = tmp_path_factory.mktemp("api") / "api.log"
    with servers.api(log, module_database_url, operator_token=TOKEN, rate_limit=0) as url:
        yield url
    assert "request broke" not in log.read_text(), "the API made a mistake; see above"


# `make check` holds the committed document to what the code says, so it can stand for the server's.
schema = schemathesis.openapi.from_path(DOCUMENT)


@schemathesis.check
def errors_are_problem_documents(ctx: CheckContext, response: Response, case: Case) -> None:
    if response.status_code < 400:
        return
    kind = response.headers.get("content-type", ["none"])[0]
    assert kind == MEDIA_TYPE, f"{response.status_code} came as {kind}"
    document = response.json()
    assert document["status"] == response.status_code
    assert document["title"]
    assert response.status_code != 500, document


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_api_or_its_description(case: Case, api_url: str) -> None:
    # A cursor is opaque: no schema can tell one of ours from one that was made up.
    made_up = [positive_data_acceptance] if "cursor" in (case.query or {}) else []
    case.call_and_validate(
        base_url=api_url, headers={"Authorization": f"Bearer {TOKEN}"}, excluded_checks=made_up
    )


def test_every_route_documents_its_errors_as_problems() -> None:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    for path, operations in document["paths"].items():
        for operation in operations.values():
            errors = {s: a for s, a in operation["responses"].items() if int(s) >= 400}
            assert all(list(answer["content"]) == [MEDIA_TYPE] for answer in errors.values())
            if path.startswith("/v1/"):
                assert {"429", "500", "503"} <= set(errors)
