"""Whom the server runs as: the decision, without a system to make it on."""

from __future__ import annotations

import pytest

from mindhit.db.embedded import NoAccount, WrongOwner
from mindhit.db.embedded.model import Account
from mindhit.db.embedded.user import Choice, MakeOwn, decide

ROOT = Account(0, 0, "root")
ANNA = Account(1000, 1000, "anna")
BERT = Account(1001, 1001, "bert")
OWN = Account(990, 990, "mindhit-pg")
POSTGRES = Account(101, 104, "postgres")
NOBODY = Account(65534, 65534, "nobody")


def test_an_ordinary_user_runs_it_as_themselves() -> None:
    assert decide(ANNA, None, {"mindhit-pg": OWN}, may_make=False) == Choice(ANNA)
    assert decide(ANNA, ANNA, {}, may_make=False) == Choice(ANNA)


def test_root_runs_a_fresh_one_as_the_account_made_for_it() -> None:
    known = {"mindhit-pg": OWN, "postgres": POSTGRES, "nobody": NOBODY}
    assert decide(ROOT, None, known, may_make=True) == Choice(OWN)


def test_root_makes_the_account_once() -> None:
    assert decide(ROOT, None, {"postgres": POSTGRES}, may_make=True) == MakeOwn()


def test_where_no_account_can_be_made_a_shared_one_serves_with_a_warning() -> None:
    choice = decide(ROOT, None, {"nobody": NOBODY, "postgres": POSTGRES}, may_make=False)
    assert isinstance(choice, Choice)
    assert choice.account == POSTGRES
    assert "mindhit-pg" in (choice.warning or "")
    last = decide(ROOT, None, {"nobody": NOBODY}, may_make=False)
    assert isinstance(last, Choice)
    assert last.account == NOBODY


def test_without_any_account_the_way_out_is_named() -> None:
    with pytest.raises(NoAccount) as refused:
        decide(ROOT, None, {}, may_make=False)
    assert "MINDHIT_DATABASE_URL" in (refused.value.way_out or "")


def test_root_runs_an_existing_one_as_its_owner() -> None:
    assert decide(ROOT, ANNA, {"mindhit-pg": OWN}, may_make=True) == Choice(ANNA)


def test_one_that_root_owns_goes_to_the_account_made_for_it() -> None:
    assert decide(ROOT, ROOT, {"mindhit-pg": OWN}, may_make=True) == Choice(OWN)


def test_somebody_elses_database_is_refused() -> None:
    with pytest.raises(WrongOwner) as refused:
        decide(ANNA, BERT, {}, may_make=False)
    assert "bert" in str(refused.value)
    assert "bert" in (refused.value.way_out or "")
