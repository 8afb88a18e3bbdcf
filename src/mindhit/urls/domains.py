"""Hosts: the bare name of a site, and lists of domains that a user wrote."""

import re
from collections.abc import Iterable
from functools import lru_cache

from mindhit.urls.model import NotAPage, Reason
from mindhit.urls.parser import parse

# RFC 1035; also what the seed's `domain VARCHAR(255)` holds.
_MAX_HOST = 253

# Of an entry that a user wrote: a host and a little around it.
_MAX_ENTRY = 1024

# Registries sell names below `co.kr` and `or.jp` as they do below `com`. Under a two-letter country
# these labels are taken for such a suffix. A wrong guess keeps a `www.` and merges nothing falsely.
_SECOND_LEVEL = frozenset(
    {"ac", "co", "com", "edu", "go", "gov", "mil", "ne", "net", "nom", "or", "org", "pe", "re"}
)

_HOST_OF_ENTRY = re.compile(r"https?://(?:[^/@]*+@)?(?:\*?\.)?([a-z0-9._-]++|\[[0-9a-f:]++\])[:/]")


@lru_cache(maxsize=4096)
def bare_host(host: str) -> str:
    """A parsed host without closing dot and `www.`. Raises `NotAPage` if a label is empty.

    Every leading `www.` goes that leaves a name someone can own: `www.com` and `www.co.kr` are such
    names themselves, and stay.
    """
    host = host.removesuffix(".")
    if "" in host.split(".") or len(host) > _MAX_HOST:
        raise NotAPage(Reason.HOST)
    while host.startswith("www.") and not _is_suffix(host[4:]):
        host = host[4:]
    return host


def _is_suffix(host: str) -> bool:
    name, dot, rest = host.partition(".")
    return not dot or (name in _SECOND_LEVEL and len(rest) == 2)


@lru_cache(maxsize=1024)
def clean_domain(text: str) -> str:
    """The domain a user means by `text`, as `Url.domain` would say it. Raises `NotAPage`.

    Understood are `Example.com`, `www.example.com`, `*.example.com`, `.example.com`,
    `example.com:8080`, `https://example.com/page` and names in any script.
    """
    if len(text) > _MAX_ENTRY:
        raise NotAPage(Reason.LENGTH)
    text = text.strip()
    entry = _HOST_OF_ENTRY.match(parse(text if "://" in text else f"https://{text}"))
    if entry is None:
        raise NotAPage(Reason.HOST)
    return bare_host(entry[1])


def matches_domain(domain: str, excluded: Iterable[str]) -> bool:
    """Whether `domain`, a `Url.domain`, is one of `excluded` or lies under one.

    Entries may be spelled as a user spells them. One that is no domain excludes nothing; refuse it
    with `clean_domain` when it is written down.
    """
    return any(_lies_under(domain, entry) for entry in excluded)


def _lies_under(domain: str, entry: str) -> bool:
    try:
        parent = clean_domain(entry)
    except NotAPage:
        return False
    return domain == parent or domain.endswith(f".{parent}")
