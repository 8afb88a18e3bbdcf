"""A keyword is what the text says, not a piece of it."""

from __future__ import annotations

import pytest

from mindhit.insight.mindmap.wholes import whole_word


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("Santa", "A cat was found in Santa Fe. The Santa Fe shelter has it.", "Santa Fe"),
        ("Demons", "He wrote Angels and Demons first. Then Angels and Demons sold.", "Angels and Demons"),
        ("Hall", "She joined the Hall of Fame. It is a hall.", None),
        ("Bank", "It was the Bank of England. The Bank of England said so.", "Bank of England"),
        ("Officers", "Officers came at noon. The officers left again.", None),
        ("Airline", "Airline staff stayed, as the airline said.", None),
        ("Chelsea", "Chelsea won. In Chelsea they sang.", "Chelsea"),
        ("Brown", "Mr Brown spoke. Then Brown left with Gordon Brown's papers.", "Brown"),
        ("Brown's", "So Brown's Budget came. Everybody saw Brown there.", "Brown"),
        ("Williams", "They picked Gareth Williams and Martyn Williams, and then Shane Williams.", None),
        ("Google Stadia Red", "On Google Stadia Red Dead Redemption Two runs.", None),
        ("President Richard", "The son of President Richard von Weizsaecker", None),
        ("CLEVELAND", "CLEVELAND (AP) - The band plays in Cleveland.", "Cleveland"),
        ("NASA", "NASA said so.", "NASA"),
        ("game Challenges", "the game Challenges", None),
        ("da Vinci", "a film of the da Vinci novel", "da Vinci"),
        ("commercial moon", "a commercial moon lander and a commercial moon shot", None),
        ("oil prices", "The oil prices rose, and oil prices fell.", "oil prices"),
        ("credit card", "Their credit card debts grew. Nobody has a credit card.", "credit card"),
        ("bread", "rye bread recipes", "bread"),
        ("코스 길", "올레 7코스 길찾기", None),
        ("그늘", "나무의 그늘은 시원하다. 그늘에서 쉬었다.", "그늘"),
        ("전세 계약", "전세 계약을 할 때", "전세 계약"),
        ("Kubernetes", "nothing of it", "Kubernetes"),
        ("каждый", "каждый день", "каждый"),
    ],
)  # fmt: skip
def test_a_keyword_is_whole_or_none(word: str, text: str, found: str | None) -> None:
    assert whole_word(word, text) == found


@pytest.mark.parametrize("text", ["Spam " * 20_000, "Spam" * 20_000, "Spam and " * 20_000])
def test_no_text_keeps_it_busy(text: str) -> None:
    """Each more word would be looked up in all of it."""
    assert whole_word("Spam", text) in {None, "Spam"}


def test_titles_say_nothing_of_names() -> None:
    """They may have a capital in every word."""
    assert whole_word(
        "Doobie Brothers", "The Doobie Brothers sing.", "Doobie Brothers Reunite"
    ) == ("Doobie Brothers")
