"""The server's own routes, which are of no slice."""

from __future__ import annotations

from mindhit.accounts import Scope
from tests.contract.slices import Contract

CONTRACT = Contract(
    paths=("/healthz", "/readyz", "/metrics", "/v1/about", "/v1/admin/operations", "/v1/extension"),
    public=frozenset({"GET /healthz", "GET /readyz", "GET /metrics", "GET /v1/about"}),
    scopes={Scope.API: frozenset({"GET /v1/extension"})},
)
