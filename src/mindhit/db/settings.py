"""Settings of the database."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from mindhit.settings import Section, setting


class DatabaseSettings(Section):
    heading = "Database"

    database_url: SecretStr | None = setting(
        None, "PostgreSQL (15 or newer) to use instead of the embedded one."
    )
    database_pool: int = setting(
        10,
        "Size of each process's connection pool; a worker opens five more connections.",
        ge=2,
        le=500,
    )
    database_statement_cache: int = setting(
        200, "Prepared statements kept per connection; 0 behind a transaction pooler.", ge=0
    )
    database_min_free: int = setting(
        200, "Free disk space that the embedded database needs to start.", unit="MB", ge=0
    )
    min_free_space: int = setting(
        300,
        "Free disk space that is left: with less, nothing more is recorded, imported or exported; 0 switches it off.",
        unit="MB",
        ge=0,
    )

    @property
    def url(self) -> str | None:
        """Of an external server; None means the embedded one."""
        return self.database_url.get_secret_value() if self.database_url else None

    @property
    def min_free_bytes(self) -> int:
        return self.database_min_free * 2**20

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            parts = urlsplit(url.get_secret_value())
            if parts.scheme not in {"postgresql", "postgres"}:
                raise ValueError("must start with postgresql://")
            _ = parts.port  # raises where it is not a number
        return url
