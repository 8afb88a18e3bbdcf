"""HTTP to the provider: one request, bounded in time and size, and never led elsewhere.

Imported late, see the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp

from mindhit.accounts.oidc.model import ProviderFailed

PATIENCE_S = 10.0
LARGEST = 1024 * 1024
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes


async def ask(
    part: str,
    url: str,
    *,
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """GET, or with a form POST. Redirects are answers like others: a code or a token is for the
    address that the provider named, not for where that points to. `part` is for the log."""
    try:
        async with (
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=PATIENCE_S),
                cookie_jar=aiohttp.DummyCookieJar(),
            ) as session,
            session.request(
                "GET" if form is None else "POST",
                url,
                data=form,
                headers={"Accept": "application/json", **(headers or {})},
                allow_redirects=False,
            ) as response,
        ):
            return Answer(response.status, await _body(part, response.content))
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise ProviderFailed(
            "The identity provider cannot be reached. Try again later.",
            part=part,
            cause=type(error).__name__,
        ) from error


async def _body(part: str, content: aiohttp.StreamReader) -> bytes:
    body = bytearray()
    async for chunk in content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > LARGEST:
            raise ProviderFailed(part=part, cause=f"more than {LARGEST} bytes")
    return bytes(body)
