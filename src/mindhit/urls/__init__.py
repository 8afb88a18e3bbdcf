"""URL identity: which URLs are the same page.

    text ──parse──▶ WHATWG href ──rules──▶ Url(href, domain, hash, id)

`parse` is the WHATWG parser alone; `normalise` is the parser and then our rules:

1. scheme       http and https are one page: `https`. Ports 80 and 443 are dropped.
2. host         lower case, IDNA, no trailing dot, no `www.` (see `domains.bare_host`).
3. parameters   sorted by name; repeated ones keep their order; tracking parameters dropped.
4. path         trailing slashes dropped, except the one that is the whole path.
5. fragment     dropped, hash routes of single-page applications (`#!/…`) included.
6. credentials  dropped before anything is hashed or stored.
7. escapes      one form for each (see `percent_encoding`).

Invariants: `normalise(url.href) == url`; an href is ASCII without control characters, starts with
`https://` and has at most `MAX_LENGTH` characters; whatever the text, the only exception is
`NotAPage`, which never quotes it.

An href identifies a page but may not work as an address: a host that serves only `http://` or only
`www.` does not answer at it. To show, link or fetch a page, use its address as it was seen (`shown`).
`may_be_fetched` says whether the server may fetch it on its own, `is_forbidden` to which internet
addresses it never connects.
"""

from mindhit.urls.as_seen import shown, title_from
from mindhit.urls.domains import clean_domain, matches_domain
from mindhit.urls.fetching import may_be_fetched
from mindhit.urls.forbidden_ranges import is_forbidden
from mindhit.urls.identity import MAX_LENGTH, normalise
from mindhit.urls.model import NotAPage, Reason, Url
from mindhit.urls.parser import address, parse

__all__ = [
    "MAX_LENGTH",
    "NotAPage",
    "Reason",
    "Url",
    "address",
    "clean_domain",
    "is_forbidden",
    "matches_domain",
    "may_be_fetched",
    "normalise",
    "parse",
    "shown",
    "title_from",
]
