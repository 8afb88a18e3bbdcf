"""Everything an operator can set: frozen, typed, from the environment and one TOML file.

Order, strongest first: environment (`MINDHIT_PORT=…`), then the TOML file (`port = …`), then the
defaults below. The file is `$MINDHIT_CONFIG`, else `mindhit.toml` in the data directory, if there
is one. `docs/configuration.md` is generated from these fields (`reference()`), so a field without
a description cannot be added.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9.-]+(:\d+)?")
# One address, bare or behind a name; the slice `mail` reads it again, more closely.
_LABEL = r"[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*"
_ADDRESS = rf"[\w+-]+(?:\.[\w+-]+)*@(?:{_LABEL}\.)*(?=[A-Za-z]){_LABEL}"
_UNFIT = r"<>\"\\\x00-\x1f\x7f-\x9f\u2028\u2029"
_MAILBOX = re.compile(rf'(?:"[^{_UNFIT}]*" *|[^,;:@{_UNFIT}]*)<{_ADDRESS}>|{_ADDRESS}', re.ASCII)
Words = Annotated[tuple[str, ...], NoDecode]

PREFIX = "MINDHIT_"


class SettingsInvalid(ValueError):
    """A setting has a value that cannot be used; the message names it and says what would do."""


class JobPolicy(BaseModel):
    """What an operator may change about one kind of job; what is absent stays as declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int | None = Field(default=None, ge=1, le=1000)
    backoff_s: tuple[float, ...] | None = None
    timeout_s: float | None = Field(default=None, gt=0)


def _field(default: Any, description: str, *, unit: str = "", **limits: Any) -> Any:
    return Field(
        default=default, description=description, json_schema_extra={"unit": unit}, **limits
    )


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )

    data_dir: Path = _field(
        Path(platformdirs.user_data_dir("mindhit", appauthor=False)),
        "Where MindHit keeps its database, logs and secrets.",
    )
    host: str = _field(
        "127.0.0.1", "Address the API listens on; `0.0.0.0` opens it to the network."
    )
    port: int = _field(8787, "Port the API listens on.", ge=1, le=65535)
    base_url: str | None = _field(
        None, "Address people use, when it is not `http://host:port` (behind a reverse proxy)."
    )
    trusted_proxies: Words = _field(
        ("127.0.0.1",), "Addresses whose X-Forwarded-For and -Proto headers are believed."
    )
    extension_origins: Words = _field(
        (), "Exact origins (`chrome-extension://…`, `moz-extension://…`) that may call the API."
    )
    body_limit: int = _field(8 * 1024 * 1024, "Largest request body.", unit="bytes", ge=1024)
    rate_limit: int = _field(
        600,
        "Requests one client may make each minute, icons apart; 0 switches the limit off.",
        unit="1/min",
        ge=0,
    )

    batch_limit: int = _field(200, "Most events in one batch of a recording.", ge=1, le=10_000)
    raw_event_retention: float = _field(
        0.0,
        "How long the raw events of a stopped session are kept, 31 or more; 0 keeps them for ever."
        " Timelines stay either way.",
        unit="days",
        ge=0,
    )

    sign_up: Literal["closed", "open"] = _field(
        "closed", "`open` lets anybody make an account here; `closed` leaves it to the owner."
    )
    sign_in_limit: float = _field(
        1.0, "Multiplies every limit on tries to sign in; 0 switches them off.", ge=0
    )
    password_sign_in: bool = _field(
        True, "Whether people sign in with passwords; off, only the identity provider lets them in."
    )
    password_memory: int = _field(
        64, "Memory that hashing one password takes (argon2id).", unit="MB", ge=8, le=4096
    )
    password_rounds: int = _field(3, "Passes of hashing one password (argon2id).", ge=1, le=100)
    oidc_issuer: str | None = _field(
        None, "OpenID Connect provider to sign in through; its discovery document lies below this."
    )
    oidc_client_id: str | None = _field(None, "Our name at the provider.")
    oidc_client_secret: SecretStr | None = _field(
        None, "Our secret at the provider, if it has one."
    )
    oidc_name: str = _field("single sign-on", 'What the button says after "Sign in with".')
    oidc_sign_up: bool = _field(
        False, "Whether the provider's people get an account here with their first sign-in."
    )

    database_url: SecretStr | None = _field(
        None, "PostgreSQL (15 or newer) to use in place of the embedded one."
    )
    database_pool: int = _field(
        10, "Most connections in the pool of each process; a worker opens five more.", ge=2, le=500
    )
    database_statement_cache: int = _field(
        200, "Prepared statements kept per connection; 0 behind a transaction pooler.", ge=0
    )
    database_min_free: int = _field(
        200, "Free disk space below which the embedded database does not start.", unit="MB", ge=0
    )

    worker_queues: Words = _field(("default",), "Queues that a worker serves.")
    worker_concurrency: int = _field(10, "Jobs one worker runs at once.", ge=1, le=1000)
    worker_claim_size: int = _field(10, "Jobs taken from the queue by one statement.", ge=1, le=500)
    worker_domain_limit: int = _field(
        2, "Jobs of one domain running at once, over all workers.", ge=1
    )
    worker_lease: float = _field(
        30.0, "How long a claim holds without a heartbeat.", unit="s", gt=0
    )
    worker_poll: float = _field(
        5.0, "Longest wait before the queue is looked at again.", unit="s", gt=0
    )
    worker_notify: bool = _field(
        True, "Wake workers by LISTEN/NOTIFY; switch off behind a transaction pooler."
    )
    worker_grace: float = _field(
        20.0, "How long a stopping worker lets its handlers finish.", unit="s", ge=0
    )
    job_retention: float = _field(7.0, "How long finished jobs are kept.", unit="days", gt=0)
    job_policies: dict[str, JobPolicy] = _field(
        {}, "Per kind of job: `attempts`, `backoff_s`, `timeout_s` in place of the declared ones."
    )

    smtp_host: str | None = _field(
        None, "Mail server that takes our mails; without one they are kept for the owner."
    )
    smtp_port: int = _field(587, "Port of the mail server.", ge=1, le=65535)
    smtp_tls: Literal["starttls", "tls", "none"] = _field(
        "starttls",
        "`starttls` (port 587), `tls` from the first byte (465), or `none`: all in the clear.",
    )
    smtp_user: str | None = _field(None, "Name to sign in with at the mail server.")
    smtp_password: SecretStr | None = _field(None, "Password to sign in with at the mail server.")
    smtp_timeout: float = _field(
        20.0, "Longest that handing over one mail may take.", unit="s", gt=0
    )
    mail_from: str = _field(
        "MindHit <mindhit@localhost>", "Sender of our mails: one address, with a name or without."
    )

    log_format: Literal["auto", "json", "console"] = _field(
        "auto", "`json`, `console`, or `auto`: colour on a terminal, JSON elsewhere."
    )
    log_level: Literal["debug", "info", "warning", "error"] = _field("info", "Least level logged.")
    sentry_dsn: SecretStr | None = _field(
        None, "Where failures are reported (needs the extra `sentry`); scrubbed of personal data."
    )

    @field_validator("trusted_proxies", "extension_origins", "worker_queues", mode="before")
    @classmethod
    def _split_words(cls, value: object) -> object:
        """`a, b` in the environment is the list `["a", "b"]` in TOML."""
        if isinstance(value, str):
            return tuple(word.strip() for word in value.split(",") if word.strip())
        return value

    @field_validator("extension_origins")
    @classmethod
    def _exact(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin} is not one exact origin, as in chrome-extension://abc")
        return origins

    @field_validator("worker_queues")
    @classmethod
    def _some(cls, queues: tuple[str, ...]) -> tuple[str, ...]:
        if not queues:
            raise ValueError("names no queue")
        return queues

    @field_validator("trusted_proxies")
    @classmethod
    def _addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in proxies:
            if proxy != "*":
                ipaddress.ip_network(proxy, strict=False)
        return proxies

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            parts = urlsplit(url.get_secret_value())
            if parts.scheme not in {"postgresql", "postgres"}:
                raise ValueError("must start with postgresql://")
            _ = parts.port  # raises where it is no number
        return url

    @field_validator("smtp_host")
    @classmethod
    def _host_alone(cls, host: str | None) -> str | None:
        if host is not None and re.search(r"[\s/@]|^[^:]*:\d+$", host):
            raise ValueError("must be the name of the host alone; the port is a setting of its own")
        return host

    @field_validator("mail_from")
    @classmethod
    def _one_mailbox(cls, sender: str) -> str:
        if not _MAILBOX.fullmatch(sender):
            raise ValueError("must be one address, as in MindHit <mindhit@example.com>")
        return sender

    @field_validator("raw_event_retention")
    @classmethod
    def _longer_than_late(cls, days: float) -> float:
        # Late events are taken for 30 days, and are folded together with the log before them.
        if 0 < days < 31:
            raise ValueError("must be 0, or 31 days and more")
        return days

    @field_validator("base_url")
    @classmethod
    def _no_trailing_slash(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        if not value:
            return value
        # As browsers write it: they lower the host and leave out the port that goes without saying.
        parts = urlsplit(value.rstrip("/"))
        port = (
            ""
            if parts.port in {None, {"http": 80, "https": 443}[parts.scheme]}
            else f":{parts.port}"
        )
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        return f"{parts.scheme}://{host}{port}{parts.path}"

    @field_validator("oidc_issuer")
    @classmethod
    def _is_web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value

    @model_validator(mode="after")
    def _whole_oidc(self) -> Self:
        """Half a way in is none, and nobody should find out at the sign-in page."""
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

    @property
    def public_url(self) -> str:
        if self.base_url:
            return self.base_url
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # What `load` read from the TOML file arrives as init arguments: weaker than the environment.
        return env_settings, init_settings


def load() -> Settings:
    """Read the settings, or raise `SettingsInvalid` with one sentence per mistake."""
    try:
        return Settings(**_from_file(config_file()))
    except SettingsError as wrong:
        raise SettingsInvalid(f"A setting cannot be read: {wrong}.") from None
    except ValidationError as wrong:
        raise SettingsInvalid(
            "\n".join(_sentence(dict(error)) for error in wrong.errors())
        ) from None


def config_file() -> Path | None:
    """The TOML file in force, if any. One that was asked for by name has to exist."""
    named = os.environ.get(PREFIX + "CONFIG")
    if named:
        if not Path(named).is_file():
            raise SettingsInvalid(f"{PREFIX}CONFIG names {named}, which is not a file.")
        return Path(named)
    data_dir = os.environ.get(PREFIX + "DATA_DIR") or Settings.model_fields["data_dir"].default
    beside = Path(data_dir) / "mindhit.toml"
    return beside if _is_readable_file(beside) else None


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables with our prefix that nothing reads: most likely misspelt."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {PREFIX + "CONFIG"}
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def reference() -> str:
    """The page docs/configuration.md, made from the fields above."""
    rows = [_reference_row(name, info) for name, info in Settings.model_fields.items()]
    return "\n".join(
        [
            "# Configuration",
            "",
            "Every setting is an environment variable and a key of the TOML file `mindhit.toml` in the",
            "data directory (or the file that `MINDHIT_CONFIG` names). The environment wins. Lists are",
            'written `a,b` in the environment and `["a", "b"]` in TOML.',
            "",
            "| variable | TOML key | default | unit | what it does |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
            "Policies of single kinds of jobs are TOML tables:",
            "",
            "```toml",
            '[job_policies."work:prune"]',
            "attempts = 3",
            "backoff_s = [60, 300]",
            "timeout_s = 120",
            "```",
            "",
        ]
    )


def _from_file(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as wrong:
        raise SettingsInvalid(f"{file} cannot be read as TOML: {wrong}.") from None
    for key in values:
        if key not in Settings.model_fields:
            near = difflib.get_close_matches(key, Settings.model_fields, 1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise SettingsInvalid(f"{file}: there is no setting called {key}{hint}")
    return values


def _sentence(error: dict[str, Any]) -> str:
    if not error["loc"]:  # about several at once; its input would be all of them, secrets too
        return f"{error['ctx']['error']}."
    name = ".".join(str(part) for part in error["loc"])
    info = Settings.model_fields.get(str(error["loc"][0]))
    is_secret = info is not None and "SecretStr" in str(info.annotation)
    was = "" if is_secret else f"; it was {error['input']!r}"
    return f"{PREFIX}{name.upper()} ({name} in TOML): {error['msg']}{was}."


def _is_readable_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _reference_row(name: str, info: FieldInfo) -> str:
    extra = info.json_schema_extra
    unit = extra.get("unit", "") if isinstance(extra, dict) else ""
    return f"| `{PREFIX}{name.upper()}` | `{name}` | {_shown(name, info)} | {unit} | {info.description} |"


def _shown(name: str, info: FieldInfo) -> str:
    if name == "data_dir":
        return "the platform's place for application data (Linux: `~/.local/share/mindhit`)"
    if info.default is None or info.default is PydanticUndefined or info.default in ((), {}):
        return "none"
    if isinstance(info.default, tuple):
        return "`" + ",".join(info.default) + "`"
    return f"`{str(info.default).lower() if isinstance(info.default, bool) else info.default}`"
