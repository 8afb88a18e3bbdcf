"""The account that the server runs as. PostgreSQL refuses root, so root needs another one.

    not root                      ourselves
    root, the cluster exists      the cluster's owner (only the owner can run it)
    root, a new cluster           mindhit-pg, created once
    … no account can be created   postgres, then nobody: with a warning, others may share it
    … and neither exists          NoAccount

`decide` is the table above and has no side effects; `resolve` creates the account.
"""

from __future__ import annotations

import logging
import os
import pwd
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass

from mindhit.db.embedded import tools
from mindhit.db.embedded.model import Account, NoAccount, WrongOwner

OWN = "mindhit-pg"
SHARED = ("postgres", "nobody")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Choice:
    account: Account
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class MakeOwn:
    """No account yet: make `mindhit-pg` and decide again."""


def decide(
    me: Account, owner: Account | None, known: Mapping[str, Account], *, may_make: bool
) -> Choice | MakeOwn:
    if owner is not None and owner.uid != 0:
        if me.uid not in (0, owner.uid):
            raise WrongOwner(
                f"The database belongs to the account {owner.name}, and you are {me.name}.",
                way_out=f"Run MindHit as {owner.name} or as root, or choose another folder with "
                "MINDHIT_DATA_DIR.",
            )
        return Choice(owner)
    if me.uid != 0:
        return Choice(me)
    if OWN in known:
        return Choice(known[OWN])
    if may_make:
        return MakeOwn()
    for name in SHARED:
        if name in known:
            return Choice(
                known[name],
                f"The account {OWN} could not be created; PostgreSQL runs as {name}, which other "
                "programs may use too.",
            )
    raise NoAccount(
        way_out=f"Create an account for it (useradd --system {OWN}), or run MindHit as an ordinary "
        "user, or set MINDHIT_DATABASE_URL to a PostgreSQL server of your own."
    )


def resolve(owner_uid: int | None = None) -> Account:
    """The account for a cluster owned by `owner_uid`, or for a new one."""
    owner = None if owner_uid is None else by_uid(owner_uid)
    me = by_uid(os.geteuid())
    choice = decide(me, owner, _known(), may_make=_maker() is not None)
    if isinstance(choice, MakeOwn):
        _make()
        choice = decide(me, owner, _known(), may_make=False)
    assert isinstance(choice, Choice)  # MakeOwn is only said where it may be made
    if choice.warning:
        _log.warning(choice.warning)
    return choice.account


def by_uid(uid: int) -> Account:
    """Also for a uid without an entry: postgres itself runs as one, only initdb does not."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(uid, os.getegid() if uid == os.geteuid() else uid, f"uid {uid}")
    return Account(entry.pw_uid, entry.pw_gid, entry.pw_name)


def _known() -> dict[str, Account]:
    found: dict[str, Account] = {}
    for name in (OWN, *SHARED):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        found[name] = Account(entry.pw_uid, entry.pw_gid, entry.pw_name)
    return found


def _maker() -> list[str] | None:
    """useradd on most systems, busybox' adduser on Alpine; Debian's adduser has other options."""
    places = "/usr/sbin:/sbin:/usr/bin:/bin"
    shell = shutil.which("nologin", path=places) or "/bin/false"
    if useradd := shutil.which("useradd", path=places):
        return [useradd, "--system", "--no-create-home", "-d", "/nonexistent", "-s", shell, OWN]
    if busybox := shutil.which("busybox", path=places):
        return [busybox, "adduser", "-S", "-D", "-H", "-s", shell, OWN]
    return None


def _make() -> None:
    """Two at once are fine: the loser finds /etc/passwd locked, waits, and finds the account."""
    command = _maker()
    for _attempt in range(10) if command else ():
        done = tools.run(command or [])
        if OWN in _known():
            return
        _log.info("%s: %s", OWN, done.stderr.strip())
        if "lock" not in done.stderr:
            return
        time.sleep(0.3)
