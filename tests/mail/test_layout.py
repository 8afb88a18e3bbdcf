"""The looks of a mail: both forms say the same, and no value is more than words."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.errors import Broken
from mindhit.mail import Button, Rendered, render

URL = "https://mind.example/verify?token=abc&lang=ko"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "div", "table", "tr", "td", "span"),
    *("h1", "p", "a", "br"),
}


class Page(HTMLParser):
    """What a client makes of the page."""

    def __init__(self, rendered: Rendered) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(rendered.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, name: str) -> list[str | None]:
        return [value for key, value in self.attributes if key == name]


def mail(**changed: object) -> Rendered:
    return render(
        **{
            "title": "주소를 확인해 주세요",
            "paragraphs": ["첫 문단입니다.", "둘째 문단\n두 줄"],
            "button": Button("확인하기", URL),
            "footer": "MindHit",
            "language": "ko",
            **changed,
        }  # type: ignore[arg-type]
    )


def test_the_text_has_the_address_on_a_line_of_its_own() -> None:
    assert mail().text == (
        "주소를 확인해 주세요\n\n첫 문단입니다.\n\n둘째 문단\n두 줄\n\n"
        f"확인하기:\n{URL}\n\n—\nMindHit\n"
    )


def test_the_page_says_the_same_and_leads_to_the_same_place() -> None:
    page = Page(mail())
    words = "\n".join(page.text)
    for said in (
        "주소를 확인해 주세요",
        "첫 문단입니다.",
        "둘째 문단",
        "두 줄",
        "확인하기",
        "MindHit",
    ):
        assert said in words
    assert page.values("href") == [URL, URL]
    assert page.values("lang") == ["ko"]
    assert "버튼이 작동하지 않으면" in words


def test_opening_a_mail_loads_nothing_from_anywhere() -> None:
    page = Page(mail())
    assert set(page.tags) <= TAGS
    assert not page.values("src")
    html = mail(button=None).html
    assert "http" not in html
    assert "url(" not in html
    assert "@import" not in html


def test_it_knows_dark_and_light() -> None:
    html = mail().html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "@media (prefers-color-scheme: dark)" in html


def test_the_preheader_is_the_first_thing_an_inbox_shows() -> None:
    body = mail(preheader="한 시간 안에 눌러 주세요").html.partition("<body")[2]
    assert body.index("한 시간 안에 눌러 주세요") < body.index("주소를 확인해 주세요")
    assert mail().html.partition("<body")[2].index("첫 문단입니다.") < body.index("MindHit")


def test_a_mail_without_a_button_has_no_link() -> None:
    bare = mail(button=None)
    assert "a" not in Page(bare).tags
    assert "확인하기" not in bare.text


def test_a_language_without_words_of_ours_reads_english() -> None:
    assert "work, open this address" in mail(language="de").html


@pytest.mark.parametrize(
    "url",
    ["", "javascript:alert(1)", "mind.example", "https://a b", "https://a\nhttps://b", "data:,x"],
)
def test_a_button_leads_to_the_web_or_is_our_mistake(url: str) -> None:
    with pytest.raises(Broken):
        mail(button=Button("x", url))


@given(st.text(), st.text(), st.text(), st.text(), st.text(max_size=20), st.text())
def test_no_value_becomes_markup(
    title: str, paragraph: str, label: str, footer: str, language: str, preheader: str
) -> None:
    sly = "\"><img src=x onerror=y>'</style></title><script>$url"
    page = Page(
        render(
            title=title + sly,
            paragraphs=[paragraph + sly],
            button=Button(label + sly, "https://x/" + '"><b>'),
            footer=footer + sly,
            language=language + sly,
            preheader=preheader + sly,
        )
    )
    assert set(page.tags) <= TAGS
    assert {name for name, _ in page.attributes} <= {
        *("lang", "charset", "name", "content", "class", "bgcolor", "style", "role", "width"),
        *("cellpadding", "cellspacing", "border", "align", "href", "target"),
    }
