"""What every way in shares: the hasher, the limits, and what this server lets people do."""

from __future__ import annotations

from dataclasses import dataclass, field

from mindhit.accounts import limits
from mindhit.accounts.limits import Limit
from mindhit.accounts.model import Origin, PasswordsOff
from mindhit.accounts.passwords import Hasher
from mindhit.accounts.settings import AccountsSettings
from mindhit.db import Database
from mindhit.settings import Settings

QUARTER_H = 900.0

# Whoever shares an address (a household, an office) shares these; hence the larger numbers.
SIGN_IN_BY_ADDRESS = Limit("sign-in by address", 60, QUARTER_H)
LINKS_BY_ADDRESS = Limit("links by address", 60, QUARTER_H)
MAILS_BY_ADDRESS = Limit("mails by address", 20, QUARTER_H)
CONNECT_BY_ADDRESS = Limit("connect by address", 60, QUARTER_H)
POLL_BY_ADDRESS = Limit("poll by address", 1200, QUARTER_H)
OIDC_BY_ADDRESS = Limit("identity provider by address", 120, QUARTER_H)  # a sign-in is two
REFRESH_BY_ADDRESS = Limit("refresh by address", 600, QUARTER_H)
# How often one address may try one account: nobody locks others out of theirs from afar.
SIGN_IN_BY_BOTH = Limit("sign-in by account and address", 10, QUARTER_H)
MAILS_BY_BOTH = Limit("mails by account and address", 3, QUARTER_H)
# And one account against many addresses.
SIGN_IN_BY_ACCOUNT = Limit("sign-in by account", 50, QUARTER_H)
MAILS_BY_ACCOUNT = Limit("mails by account", 12, QUARTER_H)


@dataclass(frozen=True, slots=True)
class Entrance:
    settings: Settings
    hasher: Hasher = field(init=False)

    def __post_init__(self) -> None:
        chosen = self.settings[AccountsSettings]
        hasher = Hasher(memory_mb=chosen.password_memory, rounds=chosen.password_rounds)
        object.__setattr__(self, "hasher", hasher)

    async def spend(self, db: Database, limit: Limit, who: str | None) -> None:
        times = self.settings[AccountsSettings].sign_in_limit
        await limits.spend(db, limit, limits.party(who), times=times)

    async def spend_try(self, db: Database, account: str, origin: Origin) -> None:
        """One try to prove to be somebody."""
        await self.spend(db, SIGN_IN_BY_ADDRESS, origin.address)
        await self.spend(db, SIGN_IN_BY_BOTH, _both(account, origin))
        await self.spend(db, SIGN_IN_BY_ACCOUNT, account)

    async def give_back_try(self, db: Database, account: str, origin: Origin) -> None:
        """It was the person."""
        await limits.give_back(db, SIGN_IN_BY_BOTH, _both(account, origin))
        await limits.give_back(db, SIGN_IN_BY_ACCOUNT, account)

    async def spend_mail(self, db: Database, account: str, origin: Origin) -> None:
        """One mail to somebody."""
        await self.spend(db, MAILS_BY_ADDRESS, origin.address)
        await self.spend(db, MAILS_BY_BOTH, _both(account, origin))
        await self.spend(db, MAILS_BY_ACCOUNT, account)

    def need_passwords(self) -> None:
        if not self.settings[AccountsSettings].password_sign_in:
            raise PasswordsOff


def _both(account: str, origin: Origin) -> str:
    return f"{account} from {limits.party(origin.address)}"
