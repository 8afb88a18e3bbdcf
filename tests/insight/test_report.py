"""The report by mail: once, with its map, and one click ends it."""

from __future__ import annotations

import struct
import zlib
from email.message import EmailMessage

import pytest

from mindhit.accounts import Person, UserId, change_preferences
from mindhit.db import Database
from mindhit.insight.job_types import MailReport
from mindhit.insight.mindmap import drawing, png
from mindhit.insight.mindmap.building import build
from mindhit.insight.report import sending
from mindhit.process_pool import CallFailed, ProcessDied, TookTooLong
from mindhit.work import enqueue
from tests.accounts.kit import add, client_of, rows
from tests.insight.kit import BREAD, KOREAN, many, recorder
from tests.insight.test_map import a_page
from tests.mail.smtp_servers import MailServer, mail_server


async def reported(
    db: Database, person: Person, post: MailServer, title: str, text: str = BREAD
) -> None:
    """Processed, and then all of it again: there is one report, ever."""
    told = {"smtp_host": "localhost", "smtp_port": post.port, "smtp_tls": "none"}
    async with recorder(db, person, **told) as it:
        id_ = await it.processed(many(3, text), title)
        report = await it.get(f"/sessions/{id_}/report")
        assert report["page_count"] == 3
        assert report["title"] == title
        assert (await it.client.post(f"/v1/sessions/{id_}/reprocess")).is_success
        async with db.transaction() as tx:
            await enqueue(tx, MailReport(id_, person.id))
        await it.work()
        assert (await it.session(id_))["status"] == "completed"


def decoded(picture: bytes) -> tuple[int, int]:
    """Width and height, after every chunk has its checksum and all lines are there."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, kinds = 8, b"", []
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        body = picture[at + 8 : at + 8 + length]
        [checksum] = struct.unpack(">I", picture[at + 8 + length : at + 12 + length])
        assert zlib.crc32(kind + body) == checksum
        kinds.append(kind)
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    assert (kinds[0], kinds[-1]) == (b"IHDR", b"IEND")
    width, height, depth, colours = struct.unpack(">IIBB", picture[16:26])
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
    assert len(zlib.decompress(data)) == height * (1 + -(-width * channels * depth // 8))
    return width, height


def parts(mail: EmailMessage) -> dict[str, EmailMessage]:
    return {part.get_content_type(): part for part in mail.walk()}


async def test_a_report_has_text_html_the_map_and_a_way_out(db: Database) -> None:
    ada = await add(db)
    async with db.transaction() as tx:
        await change_preferences(tx, UserId(ada.id), {"language": "ko", "timezone": "Asia/Seoul"})
    with mail_server() as post:
        await reported(db, ada, post, "전세 <b>계약</b>", KOREAN)
        mail = post.opened()
    assert mail["Subject"] == "세션 리포트: 전세 <b>계약</b>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    found = parts(mail)
    html = found["text/html"].get_content()
    assert "cid:map" in html
    assert "<b>계약" not in html
    text = found["text/plain"].get_content()
    assert "2025년 6월 16일 00:06, 페이지 3개" in text  # the day before, in UTC
    picture = found["image/png"].get_content()
    assert picture.startswith(b"\x89PNG")
    assert found["image/png"]["Content-ID"] == "<map>"
    [row] = await rows(db, "select state, sent_at from session_reports")
    assert row["state"] == "sent"
    link = str(mail["List-Unsubscribe"]).strip("<>")
    path = link.removeprefix("http://mindhit.test")
    async with client_of(db) as anybody:
        asked = await anybody.get(path)
        assert asked.status_code == 200
        assert "그만 받기" in asked.text
        assert await wants(db)  # a mail scanner that opens every link has changed nothing
        body = {"List-Unsubscribe": "One-Click"}
        assert (await anybody.post(path, data=body, headers={"Origin": ""})).status_code == 200
        assert not await wants(db)
        assert (await anybody.post(path[:-3] + "abc")).status_code == 404
        assert (await anybody.post("/v1/unsubscribe/x.y")).status_code == 404


async def wants(db: Database) -> bool:
    [row] = await rows(db, "select email_notification from user_settings")
    return bool(row["email_notification"])


async def test_nobody_gets_a_report_who_does_not_want_it(db: Database) -> None:
    ada = await add(db)
    async with db.transaction() as tx:
        await change_preferences(tx, UserId(ada.id), {"email_notification": False})
    with mail_server() as post:
        await reported(db, ada, post, "A title")
        assert post.taken == []
    [row] = await rows(db, "select state from session_reports")
    assert row["state"] == "off"


async def test_a_server_that_refuses_the_report_fails_nothing_else(db: Database) -> None:
    with mail_server() as post:
        post.to_rcpt = "550 no such person"
        await reported(db, await add(db), post, "A title")
    [row] = await rows(db, "select state, error from session_reports")
    assert row["state"] == "failed"
    [session] = await rows(db, "select status from sessions")
    assert session["status"] == "completed"


@pytest.mark.parametrize("is_ours", [False, True])
async def test_a_report_that_never_gets_through_has_failed_and_says_why(
    db: Database, monkeypatch: pytest.MonkeyPatch, is_ours: bool
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("no words")

    with mail_server() as post:
        told = {"smtp_host": "localhost", "smtp_port": post.port, "smtp_tls": "none"}
        async with recorder(db, await add(db), **told) as it:
            id_ = await it.record([])
            await it.work_without(MailReport)
            async with db.transaction() as tx:  # what is tried next is the last attempt
                await tx._connection.execute("update jobs set attempts = max_attempts - 1")
            post.to_rcpt = "451 not now"
            if is_ours:
                monkeypatch.setattr(sending, "_message", broken)
            await it.work_kinds(MailReport)
            assert (await it.session(id_))["status"] == "completed"
    [row] = await rows(db, "select state, error from session_reports")
    assert row["state"] == "failed"
    assert ("RuntimeError: no words" if is_ours else "not now") in row["error"]


@pytest.mark.parametrize("failure", [CallFailed, ProcessDied, TookTooLong])
async def test_a_report_without_its_picture_is_better_than_none(failure: type[Exception]) -> None:
    class Failing:
        async def run(self, *_: object, **__: object) -> bytes:
            raise failure

    graph = build("Title", [a_page(1)], [])
    assert await sending._picture(Failing(), graph) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("width", "height"), [(400, 300), (600, 30_000), (200_000, 90), (40_000, 40_000)]
)
def test_a_picture_is_twice_as_large_as_drawn_within_limits(width: float, height: float) -> None:
    zoom = png.zoom_for(width, height)
    assert zoom == png.ZOOM or max(width, height) > 2_000
    assert zoom * max(width, height) <= png.LONGEST_SIDE
    assert zoom**2 * width * height <= png.MOST_PIXELS * 1.0001
    assert png.zoom_for(width, height, 300) * width <= 300.1


@pytest.mark.parametrize("title", ["Sourdough starter", "전세 계약 확인"])
def test_a_picture_has_its_letters(title: str) -> None:
    """Without a font that has them, the renderer leaves them out and says nothing."""
    with_text = png.render(drawing.svg(build(title, [a_page(1, title=title)], [])))
    without = png.render(drawing.svg(build("", [a_page(1, title=title)], [])).replace(title, ""))
    width, height = decoded(with_text)
    assert width > 200 < height or width > 400
    assert len(with_text) > 1.3 * len(without)
