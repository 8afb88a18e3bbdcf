"""The address as a person saw it, to be shown, linked and fetched.

    identity   https://nas.example/a            which page it is: one form for all its addresses
    as seen    http://nas.example/a?utm_x=1  →  http://nas.example/a

An identity may not answer where a host has only http or only `www.`, and an app that routes by
fragments (`#/inbox`) shows something else at each. So what a browser had is kept, without what must not
be kept or says nothing about the page: credentials, tracking parameters, and fragments that are not
routes.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from mindhit.urls.identity import MAX_LENGTH
from mindhit.urls.model import NotAPage, Reason
from mindhit.urls.parser import cut, parse
from mindhit.urls.percent_encoding import spell_query
from mindhit.urls.tracking_parameters import FAMILIES, trackers_on

_ROUTE = ("/", "!")  # how the fragment of an app's route begins
_DOCUMENT = re.compile(r"[^/?#]+\.pdf", re.IGNORECASE)


def shown(text: str) -> str:
    """The address at `text` as it was seen. Raises `NotAPage`.

    Query and path keep their order and their escapes; a route that makes the address too long to be
    kept is dropped.
    """
    host, port, path, query = cut(text)
    whole = parse(text)
    scheme = whole.partition(":")[0]
    address = f"{scheme}://{host}{port}{path}{_query(query, host)}"
    if len(address) > MAX_LENGTH:
        raise NotAPage(Reason.LENGTH)
    fragment = whole.partition("#")[2]
    if fragment.startswith(_ROUTE) and len(address) + len(fragment) < MAX_LENGTH:
        address = f"{address}#{fragment}"
    return address


def title_from(address: str) -> str | None:
    """The name of a document that has no title of its own: of a PDF, the last part of its path."""
    path = address.partition("#")[0].partition("?")[0].partition("://")[2].partition("/")[2]
    name = path.rpartition("/")[2]
    if not _DOCUMENT.fullmatch(name):
        return None
    return " ".join(unquote(name).split()) or None


def _query(query: str | None, host: str) -> str:
    """What remains of a query, with its `?`; the empty one of `/a?` stays too."""
    if query is None:
        return ""
    trackers = trackers_on(host.removesuffix("."))
    parameters = query.split("&")
    kept = [each for each in parameters if not _is_tracking(each, trackers)]
    return "?" + "&".join(kept) if kept or len(kept) == len(parameters) else ""


def _is_tracking(parameter: str, trackers: frozenset[str]) -> bool:
    name = spell_query(parameter.partition("=")[0]).lower()
    return name in trackers or name.startswith(FAMILIES)
