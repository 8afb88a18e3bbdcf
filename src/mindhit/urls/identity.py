"""Normalise a URL: all the forms of a page's URL become one."""

from hashlib import sha256
from operator import itemgetter

from mindhit.urls.domains import bare_host
from mindhit.urls.model import NotAPage, Reason, Url
from mindhit.urls.parser import cut
from mindhit.urls.percent_encoding import spell_path, spell_query
from mindhit.urls.tracking_parameters import FAMILIES, trackers_on

# Characters of the normalised href. Most servers refuse a request line longer than 8 KiB; fragments and
# tracking parameters, which make URLs long in practice, are removed before it is measured.
MAX_LENGTH = 8192

# All hrefs are https, so neither default port may distinguish pages.
_DEFAULT_PORTS = frozenset({":80", ":443"})

_by_name = itemgetter(0)


def normalise(text: str) -> Url:
    """The identity of the page at `text`. Raises `NotAPage`."""
    host, port, path, query = cut(text)
    domain = bare_host(host)
    if port in _DEFAULT_PORTS:
        port = ""
    path = spell_path(path).rstrip("/") or "/"
    parameters = _parameters(query, domain) if query else ""
    href = f"https://{domain}{port}{path}{parameters}"
    if len(href) > MAX_LENGTH:
        raise NotAPage(Reason.LENGTH)
    return Url(href, domain, sha256(href.encode()).hexdigest())


def _parameters(query: str, domain: str) -> str:
    """What remains of a query, with its `?`, or nothing.

    A parameter without a value becomes `a`, whether it was `a` or `a=`; one with neither name nor value
    is dropped.
    """
    trackers = trackers_on(domain)
    kept = []
    for parameter in spell_query(query).split("&"):
        name, _, value = parameter.partition("=")
        folded = name.lower()
        if folded in trackers or folded.startswith(FAMILIES):
            continue
        if value:
            kept.append((name, f"{name}={value.replace('%3D', '=')}"))
        elif name:
            kept.append((name, name))
    if not kept:
        return ""
    kept.sort(key=_by_name)
    return "?" + "&".join([written for _, written in kept])
