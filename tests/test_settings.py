"""Settings: from environment and file, frozen, and clear about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from mindhit import settings, wiring
from mindhit.db.settings import DatabaseSettings
from mindhit.mail import MailSettings
from mindhit.settings import Section, Settings, SettingsInvalid, setting
from mindhit.wiring import load_settings as load
from mindhit.work import WorkSettings

ROOT = Path(__file__).parents[1]
SECTIONS: tuple[type[BaseModel], ...] = (Settings, *wiring.SECTIONS)
FIELDS = {name: field for section in SECTIONS for name, field in section.model_fields.items()}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in FIELDS:
        monkeypatch.delenv(f"MINDHIT_{name.upper()}", raising=False)
    monkeypatch.delenv("MINDHIT_CONFIG", raising=False)
    monkeypatch.setenv("MINDHIT_DATA_DIR", str(tmp_path))


def test_defaults_serve_on_loopback() -> None:
    assert load().public_url == "http://127.0.0.1:8787"


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mindhit.toml").write_text('port = 9001\nhost = "0.0.0.0"\n')
    assert (load().port, load().host) == (9001, "0.0.0.0")
    monkeypatch.setenv("MINDHIT_PORT", "9002")
    assert (load().port, load().host) == (9002, "0.0.0.0")


def test_a_named_file_is_read_and_has_to_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "other.toml"
    monkeypatch.setenv("MINDHIT_CONFIG", str(named))
    with pytest.raises(SettingsInvalid, match="not a file"):
        load()
    named.write_text('[job_policies."work:prune"]\nattempts = 9\n')
    assert load()[WorkSettings].job_policies["work:prune"].attempts == 9


def test_lists_are_written_with_commas_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDHIT_WORKER_QUEUES", "default, crawl,")
    assert load()[WorkSettings].worker_queues == ("default", "crawl")


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "0"), ("PORT", "many"), ("BASE_URL", "mind.example"), ("LOG_LEVEL", "loud")],
)
def test_a_wrong_value_is_named_with_what_would_do(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MINDHIT_{name}", value)
    with pytest.raises(SettingsInvalid, match=f"MINDHIT_{name}.*{value}"):
        load()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EXTENSION_ORIGINS", "*"),
        ("EXTENSION_ORIGINS", "chrome-extension://abc/path"),
        ("TRUSTED_PROXIES", "notanip"),
        ("WORKER_QUEUES", " , "),
        ("DATABASE_URL", "mysql://x/y"),
        ("DATABASE_URL", "postgresql://u:p@h:port/d"),
        ("JOB_POLICIES", "{bad"),
    ],
)
def test_what_could_not_work_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MINDHIT_{name}", value)
    with pytest.raises(SettingsInvalid):
        load()


def test_a_wrong_secret_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "mindhit.toml").write_text("smtp_password = 12345678\n")
    with pytest.raises(SettingsInvalid) as refused:
        load()
    assert "12345678" not in str(refused.value)


def test_a_misspelt_key_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "mindhit.toml").write_text("prot = 1\n")
    with pytest.raises(SettingsInvalid, match="did you mean port"):
        load()


def test_a_file_that_is_not_toml_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mindhit.toml").write_text("port: 1\n")
    with pytest.raises(SettingsInvalid, match="cannot be read as TOML"):
        load()


def test_variables_that_nothing_reads_are_found() -> None:
    seen = {"MINDHIT_PORT": "1", "MINDHIT_PROT": "1", "HOME": "x", "MINDHIT_CONFIG": "y"}
    assert settings.unknown_variables(wiring.SECTIONS, seen) == ["MINDHIT_PROT"]


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        load().port = 1


def test_secrets_do_not_show() -> None:
    mail = MailSettings.model_validate({"smtp_password": "hunter2"})
    database = DatabaseSettings.model_validate({"database_url": "postgresql://u:hunter2@h/d"})
    shown = repr(mail) + repr(database)
    assert "hunter2" not in shown


def test_addresses_for_people_are_addresses() -> None:
    assert Settings(host="::1").public_url == "http://[::1]:8787"
    assert Settings(host="0.0.0.0").public_url == "http://127.0.0.1:8787"
    assert Settings(base_url="https://mind.example/").public_url == "https://mind.example"


def test_every_field_is_documented_and_the_page_is_current() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == settings.reference(wiring.SECTIONS)
    for name, field in FIELDS.items():
        assert field.description, name
        assert f"`MINDHIT_{name.upper()}`" in page


def test_two_sections_cannot_declare_the_same_setting() -> None:
    class Planted(Section):
        heading = "Planted"
        smtp_port: int = setting(1, "A second one.")

    with pytest.raises(ValueError, match="smtp_port is declared by MailSettings and by Planted"):
        settings.load((*wiring.SECTIONS, Planted))


def test_a_section_is_read_from_the_same_file_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mindhit.toml").write_text("smtp_port = 25\nworker_poll = 3\n")
    monkeypatch.setenv("MINDHIT_WORKER_POLL", "2")
    assert load()[MailSettings].smtp_port == 25
    assert load()[WorkSettings].worker_poll == 2
