"""Settings: frozen, typed, from the environment and one TOML file.

Order, strongest first: environment (`MINDHIT_PORT=…`), then the TOML file (`port = …`), then the
defaults. The file is `$MINDHIT_CONFIG`, else `mindhit.toml` in the data directory, if there is one.

Each slice declares a `Section` of its own in `<slice>/settings.py`; `Settings` has what belongs to
no slice, and gives out the sections: `settings[MailSettings].smtp_host`. All names share one
namespace, so that a variable says what it is about without naming a section; two sections that
declare the same name fail at start. `docs/configuration.md` is generated from the fields
(`reference`), so a field without a description cannot be added.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    BeforeValidator,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    field_validator,
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

PREFIX = "MINDHIT_"


class SettingsInvalid(ValueError):
    """A setting has a value that can't be used; the message names it and says what would work."""


class SectionMissing(LookupError):
    """Code asks for settings that were never loaded."""


def _split_words(value: object) -> object:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    return value


# `a, b` in the environment is the list `["a", "b"]` in TOML.
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_words)]


def setting(default: Any, description: str, *, unit: str = "", **limits: Any) -> Any:
    """One field of a section: its default, what it does, its unit and pydantic's limits."""
    return Field(
        default=default, description=description, json_schema_extra={"unit": unit}, **limits
    )


class Section(BaseSettings):
    """The settings of one slice."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )
    heading: ClassVar[str]  # in docs/configuration.md
    notes: ClassVar[str] = ""  # Markdown below its table there

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


AnySection = TypeVar("AnySection", bound=Section)


class Settings(Section):
    """What belongs to no slice, and the way to the sections of those that have one."""

    heading = "Server"

    data_dir: Path = setting(
        Path(platformdirs.user_data_dir("mindhit", appauthor=False)),
        "Where MindHit keeps its database, logs and secrets.",
    )
    host: str = setting(
        "127.0.0.1", "Address the API listens on; `0.0.0.0` opens it to the network."
    )
    port: int = setting(8787, "Port the API listens on.", ge=1, le=65535)
    base_url: str | None = setting(
        None, "Address people use, when it is not `http://host:port` (behind a reverse proxy)."
    )
    extension_dir: Path | None = setting(
        None,
        "Where `mindhit up` puts the unpacked browser extension. By default `extension` in the data"
        " directory, or `MindHit-extension` in the home directory if file dialogs hide the former.",
    )
    log_format: Literal["auto", "json", "console"] = setting(
        "auto", "`json`, `console`, or `auto`: colour on a terminal, JSON elsewhere."
    )
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info",
        "Lowest level that is logged. Unless this or the format is set, `mindhit up` and the commands"
        " show warnings and errors only.",
    )
    sentry_dsn: SecretStr | None = setting(
        None, "Where failures are reported (needs the extra `sentry`); scrubbed of personal data."
    )

    secret_key: SecretStr | None = setting(
        None,
        "Encrypts what the database must not give away by itself, such as people's own provider"
        " keys: 32 random characters or more, the same on all machines. Without it a key is made and"
        " kept as `secret.key` in the data directory.",
        min_length=32,
    )

    _sections: dict[type[Section], Section] = PrivateAttr(default_factory=dict)

    def __getitem__(self, section: type[AnySection]) -> AnySection:
        """The settings of one slice."""
        if section not in self._sections:
            # Its defaults would hide that nothing in the configuration file reaches it.
            raise SectionMissing(f"{section.__name__} is not among the sections of the wiring.")
        found = self._sections[section]
        assert isinstance(found, section)
        return found

    @field_validator("base_url")
    @classmethod
    def _normalised(cls, value: str | None) -> str | None:
        """As browsers write it: host in lower case, no default port, no slash at the end."""
        if not value:
            return None
        if not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        parts = urlsplit(value.rstrip("/"))
        default_port = {"http": 80, "https": 443}[parts.scheme]
        port = "" if parts.port in {None, default_port} else f":{parts.port}"
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        return f"{parts.scheme}://{host}{port}{parts.path}"

    @property
    def public_url(self) -> str:
        if self.base_url:
            return self.base_url
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::", ""} else self.host  # noqa: S104
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


Sections = Sequence[type[Section]]


def make(sections: Sections, values: Mapping[str, Any]) -> Settings:
    """Settings with the given sections; each value goes to the section that declares its name."""
    owners = _owners(sections)
    shares: dict[type[Section], dict[str, Any]] = defaultdict(dict)
    for name, value in values.items():
        # A name nobody declares goes to `Settings`, which says so.
        shares[owners.get(name, Settings)][name] = value
    settings = Settings(**shares[Settings])
    settings._sections.update({each: each(**shares[each]) for each in sections})  # noqa: SLF001
    return settings


def load(sections: Sections = ()) -> Settings:
    """Read the settings, or raise `SettingsInvalid` with one sentence per mistake."""
    try:
        return make(sections, _from_file(config_file(), _owners(sections)))
    except SettingsError as wrong:
        raise SettingsInvalid(f"A setting cannot be read: {wrong}.") from None
    except ValidationError as wrong:
        names = _fields(sections)
        raise SettingsInvalid(
            "\n".join(_sentence(dict(error), names) for error in wrong.errors())
        ) from None


def config_file() -> Path | None:
    """The TOML file in force, if any. One that was asked for by name has to exist."""
    named = os.environ.get(PREFIX + "CONFIG")
    if named:
        if not Path(named).is_file():
            raise SettingsInvalid(f"{PREFIX}CONFIG names {named}, which is not a file.")
        return Path(named)
    data_dir = os.environ.get(PREFIX + "DATA_DIR") or Settings.model_fields["data_dir"].default
    default = Path(data_dir) / "mindhit.toml"
    return default if _is_readable_file(default) else None


def unknown_variables(sections: Sections, environ: Mapping[str, str]) -> list[str]:
    """Variables with our prefix that nothing reads: most likely misspelt."""
    known = {PREFIX + name.upper() for name in _owners(sections)} | {PREFIX + "CONFIG"}
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def reference(sections: Sections) -> str:
    """The page docs/configuration.md, made from the fields."""
    return "\n".join(
        [
            "# Configuration",
            "",
            "Every setting is an environment variable and a key of the TOML file `mindhit.toml` in the",
            "data directory (or the file that `MINDHIT_CONFIG` names). The environment wins. Lists are",
            'written `a,b` in the environment and `["a", "b"]` in TOML.',
            *(line for section in _with_server(sections) for line in _reference_table(section)),
            "",
        ]
    )


def _with_server(sections: Iterable[type[Section]]) -> list[type[Section]]:
    return [Settings, *sections]


def _owners(sections: Iterable[type[Section]]) -> dict[str, type[Section]]:
    """Name of a setting → the section that declares it."""
    owners: dict[str, type[Section]] = {}
    for section in _with_server(sections):
        for name in section.model_fields:
            if name in owners:
                raise ValueError(
                    f"The setting {name} is declared by {owners[name].__name__}"
                    f" and by {section.__name__}."
                )
            owners[name] = section
    return owners


def _fields(sections: Iterable[type[Section]]) -> dict[str, FieldInfo]:
    return {name: owner.model_fields[name] for name, owner in _owners(sections).items()}


def _from_file(file: Path | None, known: Iterable[str]) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as wrong:
        raise SettingsInvalid(f"{file} cannot be read as TOML: {wrong}.") from None
    for key in values.keys() - set(known):
        near = difflib.get_close_matches(key, known, 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise SettingsInvalid(f"{file}: there is no setting called {key}{hint}")
    return values


def _sentence(error: dict[str, Any], fields: Mapping[str, FieldInfo]) -> str:
    if not error["loc"]:  # about several at once; its input would be all of them, secrets too
        return f"{error['ctx']['error']}."
    name = ".".join(str(part) for part in error["loc"])
    info = fields.get(str(error["loc"][0]))
    is_secret = info is not None and "SecretStr" in str(info.annotation)
    was = "" if is_secret else f"; it was {error['input']!r}"
    return f"{PREFIX}{name.upper()} ({name} in TOML): {error['msg']}{was}."


def _is_readable_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _reference_table(section: type[Section]) -> list[str]:
    return [
        "",
        f"## {section.heading}",
        "",
        "| variable | TOML key | default | unit | what it does |",
        "| --- | --- | --- | --- | --- |",
        *(_reference_row(name, info) for name, info in section.model_fields.items()),
        *(["", section.notes.strip()] if section.notes else []),
    ]


def _reference_row(name: str, info: FieldInfo) -> str:
    extra = info.json_schema_extra
    unit = extra.get("unit", "") if isinstance(extra, dict) else ""
    return f"| `{PREFIX}{name.upper()}` | `{name}` | {_shown(name, info)} | {unit} | {info.description} |"


def _shown(name: str, info: FieldInfo) -> str:
    if name == "data_dir":
        return "the platform's folder for application data (Linux: `~/.local/share/mindhit`)"
    if info.default is None or info.default is PydanticUndefined or info.default in ((), {}):
        return "none"
    if isinstance(info.default, tuple):
        return "`" + ",".join(info.default) + "`"
    return f"`{str(info.default).lower() if isinstance(info.default, bool) else info.default}`"
