"""Where a browser may be sent afterwards: a page of this server, and nowhere else. A pure rule.

Browsers read addresses by the WHATWG rules: a backslash is a slash, tabs and line ends vanish, and
dots are folded away. What could come out as `//host` of another site is not let in at all.
"""

from __future__ import annotations

import re
from typing import Final

HOME: Final = "/"
LONGEST: Final = 2000
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\]")


def local_path(asked: str) -> str:
    """The path that was asked for, or the start page where it is not one of ours."""
    path = re.split(r"[?#]", asked, maxsplit=1)[0]
    is_ours = (
        path.startswith("/")
        and "//" not in path  # at the front another host; further on `/.//host` becomes one
        and not _CONTROL.search(asked)
        and len(asked) <= LONGEST
    )
    return asked if is_ours else HOME
