"""Where a browser may be sent after signing in: a page of this server and nowhere else. Pure.

Browsers parse URLs by the WHATWG rules: a backslash is a slash, tabs and line ends are removed, and
dot segments are resolved. Anything that could end up as `//host` of another site is refused.
"""

from __future__ import annotations

import re
from typing import Final

HOME: Final = "/"
LONGEST: Final = 2000
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\]")


def local_path(asked: str) -> str:
    """The requested path, or the start page if it is not one of ours."""
    path = re.split(r"[?#]", asked, maxsplit=1)[0]
    is_ours = (
        path.startswith("/")
        and "//" not in path  # at the start another host; later on `/.//host` becomes one
        and not _CONTROL.search(asked)
        and len(asked) <= LONGEST
    )
    return asked if is_ours else HOME
