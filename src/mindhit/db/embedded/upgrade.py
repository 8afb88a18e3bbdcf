"""Upgrading to a new major version of PostgreSQL: the data is copied, the old cluster is kept.

    old server, old programs ──pg_dump (new)──▶ file ──pg_restore (new)──▶ new cluster beside
    every table of every database counted in both ─▶ stop both ─▶ two renames

        postgres        ─▶ postgres-15-kept
        postgres-ready  ─▶ postgres

Until the first rename any failure leaves the old cluster where and as it is. Between the two the
complete new one is named postgres-ready, and the next start finishes the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mindhit.db.embedded import binaries, cluster, dump, files, layout, server, stale_server, tools
from mindhit.db.embedded.model import (
    Access,
    Account,
    Installation,
    Progress,
    UpgradeFailed,
    silent,
)
from mindhit.db.embedded.postmaster import Postmaster
from mindhit.db.embedded.start_lock import StartLock
from mindhit.errors import Broken, MindHitError

_WORK = "upgrade.tmp"
Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Upgraded:
    old_major: int
    new_major: int
    kept: Path
    tables: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two servers, with its superuser's way in."""

    installation: Installation
    account: Account
    passwords: cluster.Passwords
    socket_dir: Path

    def access(self, database: str) -> Access:
        url = server.url_of(self.socket_dir, self.passwords, cluster.ADMIN, database)
        return Access(url, self.installation)


def upgrade(
    data_dir: Path,
    *,
    old_programs: Path | None = None,
    progress: Progress = silent,
    installation: Installation | None = None,
    elsewhere: Path = layout.ELSEWHERE,
    free_bytes: cluster.FreeBytes = files.free_bytes,
) -> Upgraded:
    """From the main thread, with MindHit stopped. `old_programs` names a folder to look in."""
    data_dir = layout.prepare(data_dir)
    lock = StartLock(layout.lock_of(data_dir))
    lock.take()
    try:
        placed, account = server.place(data_dir, elsewhere)
        with _locked_home(placed):
            new = binaries.usable_by(account, installation or binaries.find(), placed.home)
            old = _old_programs(placed, account, new, old_programs)
            size = _size(placed.cluster)
            # The new cluster is about as large as the old one, and so is the dump at worst.
            cluster.check_space(placed.home, 2 * size + cluster.MIN_FREE_BYTES, free_bytes)
            return _carry_out(placed, account, old, new, progress)
    finally:
        lock.release()


@contextmanager
def _locked_home(placed: layout.Layout) -> Iterator[None]:
    if placed.home == placed.data_dir:
        yield
        return
    lock = StartLock(layout.lock_of(placed.home))
    lock.take()
    try:
        yield
    finally:
        lock.release()


def _old_programs(
    placed: layout.Layout, account: Account, new: Installation, given: Path | None
) -> Installation:
    if not placed.cluster.exists():
        raise UpgradeFailed(
            "There is no database to upgrade.", way_out="Start MindHit, which creates one."
        )
    made_by = cluster.major_of(placed.cluster)
    if made_by >= new.major:
        raise UpgradeFailed(
            f"The database is PostgreSQL {made_by} and the programs are {new.version}: there is "
            "nothing to upgrade.",
            way_out="Start MindHit as usual."
            if made_by == new.major
            else f"Install PostgreSQL {made_by} or newer.",
        )
    old = binaries.find_major(made_by, given, placed.home)
    return binaries.usable_by(account, old, placed.home)


def _carry_out(
    placed: layout.Layout,
    account: Account,
    old: Installation,
    new: Installation,
    progress: Progress,
) -> Upgraded:
    owner = server.last_owner(placed.data_dir)
    stale_server.settle(placed.cluster, placed.socket_dir, progress, owner)
    cluster.adopt(placed.cluster, account)
    passwords = cluster.ensure_passwords(placed.passwords, placed.cluster, old, account)
    before = _Side(old, account, passwords, placed.socket_dir)
    after = _Side(
        new, account, passwords, layout.socket_folder(placed.home, account, name="run-new")
    )
    fresh, work = placed.home / layout.READY, placed.home / _WORK
    try:
        # An upgrade that was killed where children outlive their parent left its new server running.
        stale_server.settle(work / layout.CLUSTER, after.socket_dir, progress)
        with files.writing(placed.home):
            for leftover in (fresh, work):
                files.remove_tree(leftover)
            files.make_folder(work, mode=0o700)
        building = work / layout.CLUSTER
        work.chmod(0o711)
        progress(f"Creating a database with PostgreSQL {new.major}.")
        cluster.create(new, account, building, passwords)
        counts = _copy(placed, before, after, building, progress)
        kept = _swap(placed, building, old.major)
    except (MindHitError, OSError) as error:
        raise _failed(error) from error
    finally:
        files.remove_tree(work)
        files.remove_tree(after.socket_dir)
    progress(f"Done. The old database is kept in {kept}.")
    return Upgraded(old.major, new.major, kept, len(counts), sum(counts.values()))


def _copy(
    placed: layout.Layout, before: _Side, after: _Side, building: Path, progress: Progress
) -> Counts:
    """Both servers run only in here; returns the rows of each table, equal on both sides."""
    with _server(placed, before, placed.cluster), _server(placed, after, building):
        _copy_roles(before, after)
        total: Counts = {}
        for name, owner in _databases(before):
            progress(f"Copying the database {name}.")
            _copy_database(before, after, name, owner, building.parent / "dump")
            progress(f"Counting the rows of {name}.")
            total |= _compare(before.access(name), after.access(name), name)
    return total


@contextmanager
def _server(placed: layout.Layout, side: _Side, path: Path) -> Iterator[None]:
    cluster.configure(path, side.account, side.socket_dir)
    postmaster = Postmaster(side.installation, path, side.account, placed.log)
    postmaster.start()
    try:
        yield
    finally:
        postmaster.stop()


def _databases(side: _Side) -> list[tuple[str, str]]:
    rows = tools.query(
        side.access("postgres"),
        "SELECT datname, pg_get_userbyid(datdba) FROM pg_database "
        "WHERE NOT datistemplate AND datallowconn AND datname <> 'postgres' ORDER BY 1;",
    )
    return [(name, owner) for name, owner in rows]


def _copy_roles(before: _Side, after: _Side) -> None:
    """Our two roles exist on the new side already; any others come over, with their passwords."""
    url = before.access("postgres").url
    shown, secret = tools.without_password(url)
    program = str(after.installation.program("pg_dumpall"))
    done = tools.run([program, "--roles-only", f"--dbname={shown}"], env=secret)
    if done.returncode:
        raise Broken(done.stderr.strip())
    wanted = [line for line in done.stdout.splitlines() if not _is_known_role(line)]
    tools.query(after.access("postgres"), "\n".join(wanted) + "\n")


def _is_known_role(line: str) -> bool:
    return any(line == f"CREATE ROLE {role};" for role in (cluster.ADMIN, cluster.ROLE))


def _copy_database(before: _Side, after: _Side, name: str, owner: str, file: Path) -> None:
    source = Access(before.access(name).url, after.installation)
    dump.dump(source, file)
    if name != cluster.DATABASE:
        made = f"CREATE DATABASE {tools.identifier(name)} OWNER {tools.identifier(owner)};"
        tools.query(after.access("postgres"), made)
    dump.load(after.access(name), file, keep_owners=True)
    tools.query(after.access(name), "ANALYZE;")
    file.unlink()


def _compare(old: Access, new: Access, name: str) -> Counts:
    was, became = count_rows(old), count_rows(new)
    if was != became:
        wrong = sorted(t for t in was.keys() | became.keys() if was.get(t) != became.get(t))
        raise Broken(f"After copying, the rows of {name} differ in {', '.join(wrong[:5])}.")
    return {f"{name}.{table}": rows for table, rows in was.items()}


def count_rows(access: Access) -> Counts:
    """Exactly, table by table; partitions count themselves."""
    tables = tools.query(
        access,
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c "
        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm') "
        "AND n.nspname NOT IN ('pg_catalog', 'information_schema') "
        "AND n.nspname NOT LIKE 'pg\\_toast%' ORDER BY 1;",
    )
    names = [row[0] for row in tables]
    if not names:
        return {}
    each = " UNION ALL ".join(
        f"SELECT {tools.literal(name)}, count(*) FROM {name}"  # noqa: S608 - quoted by format()
        for name in names
    )
    return {name: int(rows) for name, rows in tools.query(access, f"{each};")}


def _swap(placed: layout.Layout, building: Path, old_major: int) -> Path:
    """From here on the new cluster is complete: whatever happens, the next start uses it."""
    kept = _free_name(placed.home / f"postgres-{old_major}-kept")
    ready = placed.home / layout.READY
    building.rename(ready)
    files.sync_folder(placed.home)
    placed.cluster.rename(kept)
    files.sync_folder(placed.home)
    ready.rename(placed.cluster)
    files.sync_folder(placed.home)
    return kept


def _free_name(path: Path) -> Path:
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.name}-{number}")
        number += 1
    return free


def _size(folder: Path) -> int:
    return sum(f.lstat().st_size for f in folder.rglob("*") if not f.is_dir())


def _failed(error: MindHitError | OSError) -> UpgradeFailed:
    way_out = error.way_out if isinstance(error, MindHitError) and error.way_out else ""
    return UpgradeFailed(
        f"The database was not upgraded: {error}",
        way_out=f"The old database is in place and complete. {way_out}".strip(),
    )
