"""What every way of signing in shares: password hashing, limits, and what this server allows."""

from __future__ import annotations

from dataclasses import dataclass, field

from mindhit.accounts.client_networks import network_of
from mindhit.accounts.model import Origin, PasswordsOff
from mindhit.accounts.settings import AccountsSettings
from mindhit.accounts.sign_in import limits
from mindhit.accounts.sign_in.limits import Limit
from mindhit.accounts.sign_in.passwords import Hasher
from mindhit.db import Database
from mindhit.settings import Settings


@dataclass(frozen=True, slots=True)
class SignInGuard:
    settings: Settings
    hasher: Hasher = field(init=False)

    def __post_init__(self) -> None:
        chosen = self.settings[AccountsSettings]
        hasher = Hasher(memory_mb=chosen.password_memory, rounds=chosen.password_rounds)
        object.__setattr__(self, "hasher", hasher)

    async def spend(self, db: Database, limit: Limit, who: str | None) -> None:
        times = self.settings[AccountsSettings].sign_in_limit
        await limits.spend(db, limit, network_of(who), times=times)

    async def spend_attempt(self, db: Database, account: str, origin: Origin) -> None:
        """Count one attempt at a password."""
        await self.spend(db, limits.SIGN_IN_BY_ADDRESS, origin.address)
        await self.spend(db, limits.SIGN_IN_BY_BOTH, _both(account, origin))
        await self.spend(db, limits.SIGN_IN_BY_ACCOUNT, account)

    async def reset_attempts(self, db: Database, account: str, origin: Origin) -> None:
        """The password was right."""
        await limits.reset(db, limits.SIGN_IN_BY_BOTH, _both(account, origin))
        await limits.reset(db, limits.SIGN_IN_BY_ACCOUNT, account)

    async def spend_mail(self, db: Database, account: str, origin: Origin) -> None:
        """Count one mail."""
        await self.spend(db, limits.MAILS_BY_ADDRESS, origin.address)
        await self.spend(db, limits.MAILS_BY_BOTH, _both(account, origin))
        await self.spend(db, limits.MAILS_BY_ACCOUNT, account)

    def require_passwords(self) -> None:
        if not self.settings[AccountsSettings].password_sign_in:
            raise PasswordsOff


def _both(account: str, origin: Origin) -> str:
    return f"{account} from {network_of(origin.address)}"
