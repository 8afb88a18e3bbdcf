"""Making the archive of an export: the job's part.

First to a file without a name in the data directory, from one snapshot; then, in parts of 1 MiB, into the
database, in the transaction that ends the job. So nobody ever sees a part of an archive: what is killed in
between leaves nothing behind and is made again.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import tempfile
from dataclasses import dataclass
from typing import BinaryIO

from mindhit.accounts import store
from mindhit.accounts.job_types import MakeExport
from mindhit.accounts.leaving.archive import export_to
from mindhit.accounts.leaving.export import KEPT_S, PART_BYTES
from mindhit.accounts.model import ExportId, ExportReason, UserId
from mindhit.clock import utc_now
from mindhit.db import (
    CommitUnconfirmed,
    Contended,
    Database,
    DatabaseFull,
    DatabaseUnavailable,
    Tx,
)
from mindhit.db.disk_space import DiskFull, DiskSpace
from mindhit.slices import Product
from mindhit.work import Cancelled, Discard, LeaseLost, Work


class NotWanted(Exception):
    """The export was replaced, or something was forgotten, or the person is gone."""


@dataclass(frozen=True, slots=True)
class Maker:
    product: Product
    disk: DiskSpace

    async def __call__(self, work: Work[MakeExport]) -> Cancelled | Discard | None:
        args = work.args
        try:
            await self._make(work)
        except NotWanted:
            return Cancelled("nobody wants it any more")
        except (DiskFull, DatabaseFull, OSError) as error:
            if isinstance(error, OSError) and error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                raise
            await _fail(work.db, args.user_id, args.export_id, ExportReason.NO_SPACE)
            return Discard(f"no space left: {error}")
        except (LeaseLost, Contended, DatabaseUnavailable, CommitUnconfirmed):
            raise  # not its fault: it runs again
        except Exception:
            if work.is_last_attempt:
                await _fail(work.db, args.user_id, args.export_id, ExportReason.BROKEN)
            raise
        return None

    async def _make(self, work: Work[MakeExport]) -> None:
        db, user_id, export_id = work.db, work.args.user_id, work.args.export_id
        exports = self.product.exports
        if not await db.alone(store.exports.START, user_id, export_id, len(exports)):
            raise NotWanted

        async def progress(files: int) -> None:
            if not await db.alone(store.exports.ADVANCE, user_id, export_id, files):
                raise NotWanted

        folder = self.product.settings.data_dir
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.disk.check_data_file()
        with tempfile.TemporaryFile(dir=folder) as file:
            await export_to(
                file, db, user_id, exports, utc_now(), progress, self.disk.check_data_file
            )
            self.disk.check(size=file.tell())
            async with work.settling() as tx:
                await _store(tx, user_id, export_id, file)


async def _store(tx: Tx, user_id: UserId, export_id: ExportId, file: BinaryIO) -> None:
    file.seek(0)
    size = number = 0
    digest = hashlib.sha256()
    while part := await asyncio.to_thread(file.read, PART_BYTES):
        await asyncio.to_thread(digest.update, part)
        await tx.run(store.exports.ADD_PART, user_id, export_id, number, part)
        size, number = size + len(part), number + 1
    finished = store.exports.Finished(
        user_id=user_id, id=export_id, size_bytes=size, digest=digest.hexdigest(), kept_s=KEPT_S
    )
    if await tx.maybe(store.exports.FINISH, finished) is None:
        raise NotWanted


async def _fail(db: Database, user_id: UserId, export_id: ExportId, reason: ExportReason) -> None:
    await db.alone(store.exports.FAIL, user_id, export_id, reason, KEPT_S)
