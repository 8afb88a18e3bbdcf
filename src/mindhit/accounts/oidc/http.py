"""HTTP requests to the provider: bounded in time and size, without redirects.

Imported late, see the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp

from mindhit.accounts.oidc.model import ProviderFailed

TIMEOUT_S = 10.0
LARGEST_BYTES = 1024 * 1024
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
    """GET, or POST with a form. Redirects are not followed: codes and tokens are meant for the
    address that the provider named, not for where it points. `part` is for the log."""
    try:
        async with (
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
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
            "Can't reach the identity provider. Try again later.",
            part=part,
            cause=type(error).__name__,
        ) from error


async def _body(part: str, content: aiohttp.StreamReader) -> bytes:
    body = bytearray()
    async for chunk in content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > LARGEST_BYTES:
            raise ProviderFailed(part=part, cause=f"more than {LARGEST_BYTES} bytes")
    return bytes(body)
