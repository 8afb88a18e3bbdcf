"""Hosts: the bare name of a site, and lists of domains that a person entered."""

import re
from collections.abc import Iterable
from functools import lru_cache

from mindhit.urls.model import NotAPage, Reason
from mindhit.urls.parser import parse

# RFC 1035.
_MAX_HOST = 253

# Characters of an entry in a list: a host and a little around it.
_MAX_ENTRY = 1024

# Registries sell names below `co.kr` and `or.jp` as they do below `com`. Under a two-letter country
# code these labels count as such a suffix. A wrong guess keeps a `www.` and never merges two sites.
_SECOND_LEVEL = frozenset(
    {"ac", "co", "com", "edu", "go", "gov", "mil", "ne", "net", "nom", "or", "org", "pe", "re"}
)

_HOST_OF_ENTRY = re.compile(r"https?://(?:[^/@]*+@)?(?:\*?\.)?([a-z0-9._-]++|\[[0-9a-f:]++\])[:/]")


@lru_cache(maxsize=4096)
def bare_host(host: str) -> str:
    """A parsed host without trailing dot and `www.`. Raises `NotAPage` if a label is empty.

    A leading `www.` is removed only if what remains is a name that can be registered: `www.com` and
    `www.co.kr` are such names themselves, and stay.
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
    """The domain that a person means by `text`, in the form of `Url.domain`. Raises `NotAPage`.

    Accepts `Example.com`, `www.example.com`, `*.example.com`, `.example.com`,
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
    """Whether `domain`, a `Url.domain`, is one of `excluded` or a subdomain of one.

    Entries may be as a person typed them. One that is not a domain excludes nothing; `clean_domain`
    refuses it when it is entered.
    """
    return any(_is_under(domain, entry) for entry in excluded)


def _is_under(domain: str, entry: str) -> bool:
    try:
        parent = clean_domain(entry)
    except NotAPage:
        return False
    return domain == parent or domain.endswith(f".{parent}")
