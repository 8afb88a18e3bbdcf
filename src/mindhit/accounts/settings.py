"""Settings of accounts: who may sign up, and how people sign in."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import SecretStr, field_validator, model_validator

from mindhit.accounts.sign_in.passwords import MEMORY_MB, ROUNDS
from mindhit.settings import Section, setting


class AccountsSettings(Section):
    heading = "Accounts"

    sign_up: Literal["closed", "open"] = setting(
        "closed", "`open` lets anybody create an account; with `closed` the owner adds people."
    )
    tokens_per_person: int = setting(
        200, "Most valid API tokens that one person may have; 0 is no limit.", ge=0
    )
    sign_in_limit: float = setting(
        1.0, "Multiplies every limit on sign-in attempts; 0 turns them off.", ge=0
    )
    password_sign_in: bool = setting(
        True,
        "Whether people can sign in with passwords; if off, only through the identity provider.",
    )
    password_memory: int = setting(
        MEMORY_MB, "Memory that hashing one password takes (argon2id).", unit="MB", ge=8, le=4096
    )
    password_rounds: int = setting(
        ROUNDS, "Passes of hashing one password (argon2id).", ge=1, le=100
    )
    oidc_issuer: str | None = setting(
        None, "Issuer URL of the OpenID Connect provider to sign in through."
    )
    oidc_client_id: str | None = setting(None, "Client id at the provider.")
    oidc_client_secret: SecretStr | None = setting(
        None, "Client secret at the provider; none for a public client."
    )
    oidc_name: str = setting("single sign-on", 'What the button says after "Sign in with".')
    oidc_sign_up: bool = setting(
        False, "Whether the provider's users get an account here when they first sign in."
    )

    @field_validator("oidc_issuer")
    @classmethod
    def _is_web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value

    @model_validator(mode="after")
    def _complete_oidc(self) -> Self:
        """A half-configured provider is refused at start, not discovered on the sign-in page."""
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError("MINDHIT_OIDC_ISSUER is set: it needs MINDHIT_OIDC_CLIENT_ID as well")
        if not self.oidc_issuer and (self.oidc_client_id or self.oidc_client_secret):
            raise ValueError(
                "a client of an identity provider is set: MINDHIT_OIDC_ISSUER is missing"
            )
        if not self.password_sign_in and not self.oidc_issuer:
            raise ValueError(
                "MINDHIT_PASSWORD_SIGN_IN is off and MINDHIT_OIDC_ISSUER is not set:"
                " nobody could sign in"
            )
        return self
