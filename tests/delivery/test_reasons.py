"""Why a notice was not delivered: the sentence that is stored says the code again."""

from __future__ import annotations

import pytest

from mindhit.delivery import Reason, ReasonCode, ServiceName, read_reason


@pytest.mark.parametrize("code", ReasonCode)
@pytest.mark.parametrize("service", ServiceName)
def test_the_code_is_read_from_its_sentence(code: ReasonCode, service: ServiceName) -> None:
    sentence = str(Reason(code, service, 503, "HTTPError"))
    found = read_reason(sentence)
    assert found is not None
    assert (found.code, str(found)) == (code, sentence)


def test_the_facts_are_read_too() -> None:
    answered = Reason(ReasonCode.ANSWERED, ServiceName.WEBHOOK, 404)
    assert read_reason("The webhook answered 404.") == answered
    failed = Reason(ReasonCode.APPRISE_FAILED, detail="HTTPError")
    assert read_reason("Apprise failed: HTTPError.") == failed


def test_what_nobody_of_ours_said_has_no_code() -> None:
    assert read_reason("The moon was in the way.") is None
    assert read_reason("ntfy answered 404. Or so.") is None
    assert read_reason(None) is None
