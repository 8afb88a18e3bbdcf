"""The layout of the product's mails, as text and HTML. Pure.

Made for mail clients rather than browsers: styles are inline, since many clients drop all others;
the button is a table cell, which Outlook can colour; nothing is loaded from the network, so that
opening a mail can't be tracked. Dark mode is an extra style sheet, for clients that keep it. Every
value is escaped, and the only links are the button's and the footer's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from string import Template
from typing import Final

from mindhit.errors import Broken
from mindhit.mail.model import Button, Picture, Rendered

_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f]+")
_OTHERWISE: Final = {
    "en": "If the button doesn’t work, open this address:",
    "ko": "버튼이 작동하지 않으면 아래 주소를 열어 주세요.",
}


def render(
    *,
    title: str,
    paragraphs: Sequence[str],
    footer: str,
    language: str,
    button: Button | None = None,
    preheader: str | None = None,
    picture: Picture | None = None,
    footer_link: Button | None = None,
) -> Rendered:
    """Text and HTML of a mail. Line ends in paragraphs are kept in both.

    `preheader` is what an inbox shows after the subject; the first paragraph by default.
    """
    for each in (button, footer_link):
        if each is not None and not _URL.fullmatch(each.url):
            raise Broken("The button of a mail has an invalid address.")
    return Rendered(
        _text(title, paragraphs, button, footer, footer_link),
        _PAGE.substitute(
            language=escape(language),
            title=escape(title),
            preheader=escape(preheader or next(iter(paragraphs), title)),
            # Keeps clients from filling the preview with the text that follows.
            silence="&#8199;&#847; " * 60,
            paragraphs="".join(_paragraph(paragraph) for paragraph in paragraphs),
            picture=_picture(picture) if picture else "",
            button=_button(button, language) if button else "",
            footer=_lines(footer) + (_footer_link(footer_link) if footer_link else ""),
        ),
    )


def _text(
    title: str,
    paragraphs: Sequence[str],
    button: Button | None,
    footer: str,
    footer_link: Button | None,
) -> str:
    link = [f"{button.label}:\n{button.url}"] if button else []
    last = f"\n{footer_link.label}: {footer_link.url}" if footer_link else ""
    return "\n\n".join([title, *paragraphs, *link, f"—\n{footer}{last}"]) + "\n"


def _picture(picture: Picture) -> str:
    return _PICTURE.substitute(id=escape(picture.content_id), alt=escape(picture.alt))


def _footer_link(link: Button) -> str:
    return _FOOTER_LINK.substitute(url=escape(link.url), label=escape(link.label))


def _paragraph(text: str) -> str:
    return _PARAGRAPH.substitute(text=_lines(text))


def _button(button: Button, language: str) -> str:
    return _BUTTON.substitute(
        label=escape(button.label),
        url=escape(button.url),
        otherwise=escape(_OTHERWISE.get(language, _OTHERWISE["en"])),
    )


def _lines(text: str) -> str:
    return "<br>".join(escape(line) for line in text.splitlines())


_FONT: Final = (
    "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Apple SD Gothic Neo','Malgun Gothic',"
    "'Noto Sans KR','Noto Sans CJK KR',NanumGothic,sans-serif"
)

_PARAGRAPH: Final = Template(
    '<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:1.65;color:#1f2528">'
    "$text</p>\n"
)

_PICTURE: Final = Template(
    '<p style="margin:0 0 16px"><img src="cid:$id" alt="$alt" width="478" '
    'style="display:block;width:100%;max-width:478px;height:auto;border:1px solid #e4dfd7;'
    'border-radius:8px"></p>\n'
)

_FOOTER_LINK: Final = Template(
    '<br>\n<a class="soft" href="$url" target="_blank" '
    'style="color:#566067;text-decoration:underline">$label</a>'
)

_BUTTON: Final = Template(
    """\
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0">
<tr><td class="accent" bgcolor="#0f6b5c" style="border-radius:8px;background:#0f6b5c">
<a class="label" href="$url" target="_blank" style="display:inline-block;padding:13px 28px;\
font-size:16px;font-weight:600;line-height:1.25;color:#ffffff;text-decoration:none;\
border-radius:8px">$label</a>
</td></tr></table>
<p class="soft" style="margin:0;font-size:13px;line-height:1.6;color:#566067">$otherwise<br>
<a class="link" href="$url" target="_blank" style="color:#0f6b5c;text-decoration:underline;\
word-break:break-all">$url</a></p>
"""
)

_PAGE: Final = Template(
    f"""\
<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="x-apple-disable-message-reformatting">
<title>$title</title>
<style>
:root {{ color-scheme: light dark; supported-color-schemes: light dark; }}
@media (max-width: 480px) {{
  .card {{ padding: 28px 22px !important; }}
}}
@media (prefers-color-scheme: dark) {{
  .ground {{ background: #15181a !important; }}
  .card {{ background: #1d2124 !important; border-color: #2e3438 !important; }}
  .ink {{ color: #e7e9e8 !important; }}
  .soft {{ color: #a5aeb3 !important; }}
  .accent {{ background: #6fcdb8 !important; }}
  .label {{ color: #0d2622 !important; }}
  .link {{ color: #6fcdb8 !important; }}
}}
</style>
</head>
<body class="ground" bgcolor="#faf8f5" style="margin:0;padding:0;background:#faf8f5;\
word-break:keep-all;overflow-wrap:anywhere;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all">\
$preheader$silence</div>
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" \
bgcolor="#faf8f5" style="background:#faf8f5">
<tr><td align="center" style="padding:32px 12px 40px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" \
style="width:100%;max-width:560px;font-family:{_FONT};text-align:left">
<tr><td style="padding:0 4px 18px">
<span style="display:inline-block;width:28px;height:28px;border-radius:7px;background:#0f6b5c;\
color:#ffffff;font-size:17px;font-weight:700;line-height:28px;text-align:center;\
vertical-align:middle">M</span>
<span class="ink" style="padding-left:5px;font-size:17px;font-weight:650;color:#1f2528;\
vertical-align:middle">MindHit</span>
</td></tr>
<tr><td class="card" bgcolor="#ffffff" style="padding:36px 40px;border:1px solid #e4dfd7;\
border-radius:12px;background:#ffffff">
<h1 class="ink" style="margin:0 0 18px;font-size:24px;font-weight:650;line-height:1.3;\
letter-spacing:-0.01em;color:#1f2528">$title</h1>
$paragraphs$picture$button</td></tr>
<tr><td class="soft" style="padding:20px 4px 0;font-size:13px;line-height:1.6;color:#566067">\
$footer</td></tr>
</table>
</td></tr></table>
</body>
</html>
"""
)
