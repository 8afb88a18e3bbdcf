"""Settings of the library."""

from __future__ import annotations

from mindhit.settings import Section, setting


class LibrarySettings(Section):
    heading = "Library"

    library_models: bool = setting(
        False,
        "Whether the installation's model provider summarises saved links. By default the built-in"
        " engine does: an import of 100,000 bookmarks would cost that many calls.",
    )
