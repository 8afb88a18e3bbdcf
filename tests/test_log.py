"""Logs: JSON for machines, the ids of the task in every line, also in libraries' lines."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter

import pytest

from mindhit import log


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_line_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure("json")
    log.get("mindhit.test").info("it happened", count=3, text="한글\nline")
    [line] = lines(capsys)
    assert (line["event"], line["count"], line["text"]) == ("it happened", 3, "한글\nline")
    assert (line["level"], line["logger"]) == ("info", "mindhit.test")
    assert str(line["at"]).endswith("Z")


def test_bound_facts_are_in_every_line_of_their_task_and_no_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log.configure("json")

    async def one(number: int) -> None:
        with log.bind(request_id=number):
            await asyncio.sleep(0)
            log.get("a").info("ours", number=number)
            logging.getLogger("library").warning("theirs")
            await asyncio.sleep(0)

    async def main() -> None:
        await asyncio.gather(*(one(number) for number in range(5)))
        log.get("a").info("outside")

    asyncio.run(main())
    *inside, outside = lines(capsys)
    assert "request_id" not in outside
    assert Counter(line["request_id"] for line in inside) == dict.fromkeys(range(5), 2)
    assert all(line["number"] == line["request_id"] for line in inside if "number" in line)


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure("json", "warning")
    log.get("a").info("no")
    logging.getLogger("b").info("no")
    log.get("a").warning("yes")
    assert [line["event"] for line in lines(capsys)] == ["yes"]


def test_debug_lines_of_one_namespace_can_be_switched_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for value, expected in (("alarm", ["yes"]), ("other, alarm", ["yes"]), ("1", [])):
        monkeypatch.setenv("DEBUG", value)
        log.configure("json", "info")
        log.get("alarm").debug("yes")
        log.get("a").debug("no")
        assert [line["event"] for line in lines(capsys)] == expected
    monkeypatch.delenv("DEBUG")
    log.configure("json", "info")


def test_a_traceback_carries_no_variables(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("json", "console"):
        log.configure(form)
        try:
            token = "canary-" + "1234"
            raise ValueError(len(token))
        except ValueError:
            log.get("a").exception("it broke")
        said = capsys.readouterr().err
        assert "ValueError" in said
        assert "canary-1234" not in said


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_a_page_wrote_stays_within_its_line(
    form: log.Format, capsys: pytest.CaptureFixture[str]
) -> None:
    log.configure(form)
    evil = "빵\x1b[2J\r\nfake line\u202e\x9b"
    log.get("a").info(evil, title=evil, titles=[evil])
    logging.getLogger("library").warning("theirs: %s", evil)
    try:
        raise ValueError(evil)
    except ValueError:
        log.get("a").exception("it broke", stack_info=True)
    said = capsys.readouterr().err
    for each in ("\x1b[2J", "\r", "\nfake line", "\u202e", "\x9b"):
        assert each not in said
    assert "fake line" in said
