"""What is sealed opens for its purpose, with its key, and in no other case."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.sealing import (
    KEY_BYTES,
    KEY_FILE,
    KeyUnusable,
    OtherKey,
    SealBroken,
    Sealer,
    sealer_of,
)

OURS = Sealer(b"k" * KEY_BYTES)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(max_size=40))
def test_what_is_sealed_opens(text: str, purpose: str) -> None:
    sealed = OURS.seal(text, purpose)
    assert OURS.open(sealed, purpose) == text
    assert sealed != OURS.seal(text, purpose)


def test_what_is_sealed_shows_nothing() -> None:
    sealed = OURS.seal("a secret of some length", "provider key")
    assert "secret" not in sealed
    assert "provider" not in sealed
    assert "k" * 8 not in repr(OURS) + sealed


def test_it_opens_for_no_other_purpose() -> None:
    sealed = OURS.seal("secret", "of ada")
    with pytest.raises(SealBroken):
        OURS.open(sealed, "of eve")


def test_another_key_is_named_as_the_reason() -> None:
    with pytest.raises(OtherKey):
        Sealer(b"o" * KEY_BYTES).open(OURS.seal("secret", "p"), "p")


@given(st.integers(0, 70), st.characters(codec="ascii", categories=["L", "N"]))
def test_a_changed_character_is_noticed(place: int, other: str) -> None:
    sealed = OURS.seal("a secret of some length", "p")
    changed = sealed[:place] + other + sealed[place + 1 :]
    if changed == sealed or place >= len(sealed) - 1:
        return
    with pytest.raises(SealBroken):
        OURS.open(changed, "p")


@pytest.mark.parametrize(
    "sealed", ["", "mh1", "mh1..", "mh2.x.y", "mh1.00000000.", "\x00", "é.é.é"]
)
def test_what_was_never_sealed_is_refused(sealed: str) -> None:
    with pytest.raises(SealBroken):
        OURS.open(sealed, "p")


def test_a_signature_fits_its_text_and_purpose_only() -> None:
    signature = OURS.sign("unsubscribe ada", "mail")
    assert OURS.is_signed("unsubscribe ada", signature, "mail")
    assert not OURS.is_signed("unsubscribe eve", signature, "mail")
    assert not OURS.is_signed("unsubscribe ada", signature, "other")
    assert not OURS.is_signed("unsubscribe ada", "é", "mail")


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    sealed = sealer_of(None, tmp_path / "new").seal("secret", "p")
    file = tmp_path / "new" / KEY_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]
    assert sealer_of(None, tmp_path / "new").open(sealed, "p") == "secret"


def test_processes_that_start_together_have_one_key(tmp_path: Path) -> None:
    made: list[str] = []
    gate = threading.Barrier(8)

    def start() -> None:
        gate.wait()
        made.append(repr(sealer_of(None, tmp_path)))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len(set(made)) == 1


def test_the_setting_is_the_same_key_everywhere(tmp_path: Path) -> None:
    secret = "the same on all machines, and long"
    sealed = sealer_of(secret, tmp_path / "a").seal("x", "p")
    assert sealer_of(secret, tmp_path / "b").open(sealed, "p") == "x"
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("content", ["", "zz", "00" * 31, "ü"])
def test_a_damaged_key_file_is_said_and_never_replaced(tmp_path: Path, content: str) -> None:
    (tmp_path / KEY_FILE).write_text(content)
    with pytest.raises(KeyUnusable, match=r"secret\.key"):
        sealer_of(None, tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == content


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyUnusable, match="can't be used"):
        sealer_of(None, tmp_path / "file" / "data")


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match="32"):
        sealer_of("short", tmp_path)
