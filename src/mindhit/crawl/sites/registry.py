"""Which sites there are: those of this package, and what is installed beside it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Final
from urllib.parse import urlsplit

from mindhit import log
from mindhit.crawl.model import BadSchedule, SiteUnknown, TargetKind
from mindhit.crawl.sites.api import API, Site, Target
from mindhit.crawl.sites.storable import is_key

GROUP: Final = "mindhit.sites"
LAST: Final = "jsonld"  # reads any shop, so the others are asked first
_log = log.get(__name__)


@cache
def known_sites() -> dict[str, Site]:
    """By name. One that can't be loaded, or is made for another version, is left out and logged."""
    found: dict[str, Site] = {}
    for entry in entry_points(group=GROUP):
        try:
            site: Site = entry.load()()
            if site.api != API:
                raise TypeError(f"made for version {site.api} of this interface, not {API}")  # noqa: TRY301
        except Exception as error:  # noqa: BLE001  somebody else's code
            _log.error(
                "site not loaded", site=entry.name, reason=f"{type(error).__name__}: {error}"
            )
            continue
        found[site.name] = site
    return dict(sorted(found.items(), key=lambda each: (each[0] == LAST, each[0])))


def site_named(name: str) -> Site:
    try:
        return known_sites()[name]
    except KeyError:
        raise SiteUnknown(f"The site plug-in {name} is not installed.", site=name) from None


def choose(url: str, name: str | None) -> tuple[Site, Target]:
    """The site that reads this address, and what it is there. Raises `BadSchedule`."""
    if name is not None and name not in known_sites():
        raise BadSchedule("No site plug-in with this name is installed.", setting="site")
    host = urlsplit(url).hostname or ""
    for site in known_sites().values():
        if name is None and site.hosts and not _is_of(host, site.hosts):
            continue
        if name is not None and site.name != name:
            continue
        target = _target(site, url)
        if target is not None:
            return site, target
    raise BadSchedule("No site plug-in can read this page.", setting="url")


def stages_of(site: Site, url: str, kind: TargetKind) -> Target:
    """The target of a schedule that was added earlier, perhaps under another version."""
    target = _target(site, url)
    if target is None or target.kind != kind:
        raise SiteUnknown(f"{site.name} does not read this address any more.", site=site.name)
    return target


def _target(site: Site, url: str) -> Target | None:
    """None also where no job could be named after the product."""
    target = site.target(url)
    return target if target is not None and is_key(target.item_key) else None


def _is_of(host: str, hosts: tuple[str, ...]) -> bool:
    return any(host == each or host.endswith(f".{each}") for each in hosts)
