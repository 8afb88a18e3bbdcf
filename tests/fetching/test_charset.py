"""A page is read in the charset it is in, whatever it says."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.fetching.charset import decode, name_of

KOREAN = "<title>안녕하세요</title><p>대한민국의 수도는 서울이다. 뷁과 똠방각하 같은 글자도 있다."
JAPANESE = (
    "<title>日本語</title><p>これは日本語の文章です。漢字とひらがなとカタカナが混ざっています。①㈱"
)
CHINESE = "<title>中文</title><p>这是一个中文网页，用来测试字符编码的检测。人们在网上阅读新闻。"
TAIWANESE = "<title>中文</title><p>這是一個中文網頁，用來測試字元編碼的檢測。人們在網路上閱讀新聞。"
RUSSIAN = "<title>Привет</title><p>Это страница на русском языке. Она нужна для проверки."
FRENCH = "<title>L’été</title><p>« Le café » coûtait 3 € – c’était déjà cher…"
GERMAN = "<title>Größe</title><p>Die Höhe der Äste über dem Fluß hängt von der Güte des Bodens ab."
SPANISH = "<title>Mañana</title><p>El niño comió piñones; ¿qué pasó después? ¡Nada!"

HEADER = "text/html; charset={}"
META = '<html><head><meta charset="{}"></head>'
EQUIV = '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={}">'


@pytest.mark.parametrize(
    ("text", "codec", "charset"),
    [
        (KOREAN, "utf-8", "utf-8"),
        (KOREAN, "cp949", "euc-kr"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE.replace("①㈱", ""), "euc-jp", "euc-jp"),
        (JAPANESE.replace("①㈱", ""), "iso-2022-jp", "iso-2022-jp"),
        (CHINESE, "gb18030", "gbk"),
        (TAIWANESE, "big5", "big5"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (FRENCH, "cp1252", "windows-1252"),
        (GERMAN, "cp1252", "windows-1252"),
        (SPANISH, "latin-1", "windows-1252"),
    ],
    ids=lambda value: value if value.isascii() and len(value) < 20 else "",
)
@pytest.mark.parametrize(
    "header",
    [
        "",
        "text/html",
        HEADER.format("utf-8"),
        HEADER.format("iso-8859-1"),
        HEADER.format("no-such-charset"),
    ],
)
def test_no_declaration_a_general_one_and_a_wrong_one(
    text: str, codec: str, charset: str, header: str
) -> None:
    assert decode(text.encode(codec), header) == (text, charset)


@pytest.mark.parametrize(
    ("declaration", "codec", "charset", "text"),
    [
        ("euc-kr", "cp949", "euc-kr", KOREAN),
        ("EUC-KR", "cp949", "euc-kr", KOREAN),
        ("ks_c_5601-1987", "cp949", "euc-kr", KOREAN),
        ("cp949", "cp949", "euc-kr", KOREAN),
        ("x-sjis", "cp932", "shift_jis", JAPANESE),
        ("Shift_JIS", "cp932", "shift_jis", JAPANESE),
        ("gb2312", "gb18030", "gbk", CHINESE),
        ("iso-8859-1", "cp1252", "windows-1252", FRENCH),
        ("latin1", "cp1252", "windows-1252", FRENCH),
        ("windows-1254", "cp1254", "windows-1254", "<p>Şişli'de güneşli bir gün"),
        ("iso-8859-2", "iso8859_2", "iso-8859-2", "<p>Zażółć gęślą jaźń"),
        ("utf8", "utf-8", "utf-8", KOREAN),
    ],
)
@pytest.mark.parametrize("how", [META, EQUIV, "header", '<?xml version="1.0" encoding="{}"?>'])
def test_a_declaration_that_is_right_is_followed(
    declaration: str, codec: str, charset: str, text: str, how: str
) -> None:
    if how == "header":
        assert decode(text.encode(codec), HEADER.format(declaration)) == (text, charset)
    else:
        whole = how.format(declaration) + text
        assert decode(whole.encode(codec)) == (whole, charset)


@pytest.mark.parametrize("declared", ["euc-kr", "shift_jis", "windows-1252", "big5", "utf-16"])
def test_utf8_is_utf8_whatever_it_declares(declared: str) -> None:
    whole = META.format(declared) + KOREAN
    assert decode(whole.encode(), HEADER.format(declared)) == (whole, "utf-8")


@pytest.mark.parametrize("declared", ["utf-8", "shift_jis", "windows-1252", "euc-jp"])
def test_korean_that_declares_something_else_is_read_all_the_same(declared: str) -> None:
    whole = META.format(declared) + KOREAN * 3
    assert decode(whole.encode("cp949")) == (whole, "euc-kr")


@pytest.mark.parametrize(
    "broken",
    [
        '<meta charset=euc-kr">',
        "<meta charset='euc-kr>",
        "<meta content='text/html;charset = euc-kr'>",
        '<meta charset="utf-8"><meta charset="euc-kr">',
        '<!-- <meta charset="utf-8"> --><meta charset="euc-kr">',
        '<meta name="x" content="charset">',
        "<meta charset>",
        "<meta charset=>",
        "<" * 5000,
    ],
)
def test_a_broken_declaration_does_no_harm(broken: str) -> None:
    whole = broken + KOREAN
    assert decode(whole.encode("cp949")) == (whole, "euc-kr")


@pytest.mark.parametrize(
    ("bom", "codec", "charset"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16le", "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_wins(bom: bytes, codec: str, charset: str) -> None:
    body = bom + KOREAN.encode(codec)
    assert decode(body, HEADER.format("euc-kr")) == (KOREAN, charset)


def test_utf16_that_only_the_header_declares_is_read() -> None:
    assert decode("<p>plain".encode("utf-16le"), HEADER.format("utf-16le")) == (
        "<p>plain",
        "utf-16le",
    )


def test_a_body_that_is_cut_inside_a_character_is_still_utf8() -> None:
    cut = KOREAN.encode()[:-1]
    assert decode(cut) == (KOREAN[:-1], "utf-8") or cut.endswith(b".")
    assert decode("가나다".encode()[:-1]) == ("가나", "utf-8")


def test_a_faulty_byte_here_and_there_does_not_change_the_charset() -> None:
    body = KOREAN.encode() * 20 + b"\xff" + KOREAN.encode() * 20
    assert decode(body, HEADER.format("utf-8")).charset == "utf-8"
    body = KOREAN.encode("cp949") * 20 + b"\xff" + KOREAN.encode("cp949") * 20
    assert decode(body, HEADER.format("euc-kr")).charset == "euc-kr"


def test_two_characters_that_happen_to_be_utf8_are_what_the_page_says() -> None:
    body = "<p>짜".encode("cp949") + "<p>징".encode("cp949")
    assert decode(body, HEADER.format("euc-kr")).text == body.decode("cp949")


def test_json_is_not_searched_for_meta_elements() -> None:
    body = '{"html": "<meta charset=euc-kr>", "name": "값"}'
    assert decode(body.encode(), "application/json", is_markup=False) == (body, "utf-8")


@pytest.mark.parametrize("label", ["", "x", "utf-9", "\N{SNOWMAN}", "a" * 10_000])
def test_labels_that_nobody_knows_mean_nothing(label: str) -> None:
    assert name_of(label) is None


@given(
    st.binary(max_size=300), st.sampled_from(["", "utf-8", "euc-kr", "shift_jis", "utf-16", "x"])
)
def test_every_body_becomes_text(body: bytes, declared: str) -> None:
    text, charset = decode(body, HEADER.format(declared))
    text.encode("utf-8")
    assert charset


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\x1b"), max_size=200))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    whole = "<p>" + text + "대한민국의 서울"
    assert decode(whole.encode(), HEADER.format("utf-8")) == (whole, "utf-8")
