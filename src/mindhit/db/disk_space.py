"""Whether there is space on the disk for what is to be stored: the setting `min_free_space`.

A full disk stops the database for everybody, at any statement and for reading too. So nothing more is
taken in while there is little left; what is already here can still be read, exported in part and deleted.
Of an external database only the space for temporary files is known.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from time import monotonic
from typing import Final

from mindhit.db.settings import DatabaseSettings
from mindhit.errors import NoSpace
from mindhit.settings import Settings

LOOK_EVERY_S: Final = 2.0


class DiskFull(NoSpace):
    """The server's disk is almost full. Nothing was stored; try again when there is space."""


class DiskSpace:
    def __init__(self, settings: Settings) -> None:
        database = settings[DatabaseSettings]
        self._least = database.min_free_space * 2**20
        self._data_dir = settings.data_dir
        self._database = None if database.url else settings.data_dir
        self._looked: dict[Path, tuple[float, int]] = {}

    def check(self, *, size: int = 0) -> None:
        """Raise `DiskFull` where the database could not store so many bytes more."""
        if self._database is not None:
            self._check(self._database, size)

    def check_file(self, *, size: int = 0) -> None:
        """The same for a temporary file."""
        self._check(Path(tempfile.gettempdir()), size)

    def check_data_file(self, *, size: int = 0) -> None:
        """The same for a file in the data directory, which is never in memory as temporary ones may be."""
        self._check(self._data_dir, size)

    def _check(self, folder: Path, size: int) -> None:
        if self._least and self._free(folder) - size < self._least:
            raise DiskFull(
                way_out="The owner of this server can free space, or change MINDHIT_MIN_FREE_SPACE."
            )

    def _free(self, folder: Path) -> int:
        looked_at, free = self._looked.get(folder, (-LOOK_EVERY_S, 0))
        if monotonic() - looked_at >= LOOK_EVERY_S:
            existing = next(each for each in (folder, *folder.parents) if each.exists())
            free = shutil.disk_usage(existing).free
            self._looked[folder] = (monotonic(), free)
        return free
