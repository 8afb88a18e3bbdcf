"""The page behind the link that stops mails: a question with a button, then what was done.

Opening it changes nothing: programs that check mails open every link. No script, no style from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Annotated, Any, Final, Literal

from fastapi import Path, Response

Token = Annotated[str, Path(max_length=200)]
HTML: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/html": {"schema": {"type": "string"}}}}
}
_PAGE: Final = Template(
    '<!doctype html><html lang="$language"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="robots" content="noindex"><title>MindHit</title><h1>$title</h1>$body</html>'
)


def unsubscribe_page(
    words: Mapping[str, Mapping[str, str]], language: str, what: Literal["ask", "done"]
) -> Response:
    """`words` has `ask`, `button`, `done` and `how` in each language."""
    said = words.get(language, words["en"])
    body = f"<p>{said['how']}</p>"
    if what == "ask":
        button = f'<button type="submit">{said["button"]}</button>'
        body = f'<form method="post">{button}</form>{body}'
    values: dict[str, Any] = {"language": language, "title": said[what], "body": body}
    return Response(_PAGE.substitute(values), media_type="text/html; charset=utf-8")
