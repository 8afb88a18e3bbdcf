"""What search is measured on: one reader's pages with their texts, bookmarks and highlights.

Words are made up and as unevenly frequent as a language's are; a fifth of the pages is Korean, with
particles on its words. Rows go into the tables of tracking and the library by COPY; the index is made of
them by the code that the job `library:index` runs.
"""

import hashlib
import random
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate

import asyncpg

NOW = datetime.now(UTC)
YEARS = 4
PER_SESSION = 80
_ONSETS = "b c d f g h j k l m n p r s t v w br ch cl dr fl gr pl pr sh sl sp st str th tr"
_NUCLEI = "a e i o u ai ea ee io ou"
_CODAS = ["", "", "l", "m", "n", "r", "s", "t", "nd", "ng", "nt", "rd", "st"]
_SYLLABLES = (
    "가 고 구 기 나 노 다 대 도 동 라 레 로 리 마 모 무 문 미 바 배 보 부 비 사 산 서 성 소 수 스 시 신 아 안 어 "
    "여 영 오 온 용 우 원 위 유 은 음 이 인 일 자 장 전 정 제 조 주 지 진 차 체 치 카 코 타 터 토 통 파 포 프 하 한 "
    "해 호 화 환 회 효 후 강 건 경 공 관 교 국 군 권 금 김 남 농 달 당 덕 란 량 력 령"
)
_PARTICLES = ["은", "는", "이", "가", "을", "를", "의", "에", "에서", "으로", "", "", ""]


@dataclass(frozen=True, slots=True)
class Size:
    """`pages` have a text each, and every one of both is a document."""

    pages: int
    bookmarks: int
    highlights: int

    @property
    def documents(self) -> int:
        return 2 * self.pages + self.bookmarks + self.highlights + -(-self.pages // PER_SESSION)


FULL = Size(80_000, 30_000, 9_000)
QUICK = Size(4_000, 1_450, 500)


@dataclass(slots=True)
class Words:
    """A vocabulary, the most frequent first."""

    words: list[str]
    weights: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))

    def some(self, rng: random.Random, count: int) -> list[str]:
        return rng.choices(self.words, cum_weights=self.weights, k=count)


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    url_id: uuid.UUID
    content_id: uuid.UUID
    domain: str
    title: str
    text: str
    is_korean: bool


def vocabularies(rng: random.Random, count: int) -> tuple[Words, Words]:
    onsets, nuclei, syllables = _ONSETS.split(), _NUCLEI.split(), _SYLLABLES.split()
    english: dict[str, None] = {}
    while len(english) < count:
        parts = rng.choice([1, 2, 2, 2, 3, 3])
        word = "".join(
            rng.choice(onsets) + rng.choice(nuclei) + rng.choice(_CODAS) for _ in range(parts)
        )
        english[word] = None
    korean: dict[str, None] = {}
    while len(korean) < count // 4:
        korean["".join(rng.choices(syllables, k=rng.choice([2, 2, 3, 3, 4, 5])))] = None
    return Words(list(english)), Words(list(korean))


def _id(*parts: object) -> uuid.UUID:
    return uuid.UUID(bytes=hashlib.sha256(repr(parts).encode()).digest()[:16])


class Stage:
    def __init__(self, size: Size, seed: int = 7) -> None:
        self.size = size
        self.rng = random.Random(seed)
        self.english, self.korean = vocabularies(self.rng, 40_000)
        self.pages: list[Page] = []
        self.sessions: list[uuid.UUID] = []

    def page(self, number: int) -> Page:
        rng, is_korean = self.rng, number % 5 == 0
        if is_korean:
            words = [
                w + rng.choice(_PARTICLES) for w in self.korean.some(rng, rng.randint(80, 400))
            ]
            title = " ".join(self.korean.some(rng, 2) + rng.sample(self.korean.words, 2))
        else:
            words = self.english.some(rng, rng.randint(100, 600))
            title = " ".join(self.english.some(rng, 4) + rng.sample(self.english.words, 2))
        domain = f"site-{rng.randint(1, 600)}.example.org"
        return Page(
            number,
            _id("url", number),
            _id("text", number),
            domain,
            title.capitalize(),
            " ".join(words),
            is_korean,
        )

    def write_pages(self) -> None:
        """The same whenever it is done first; a second time nothing is written."""
        self.pages = self.pages or [self.page(number) for number in range(self.size.pages)]

    async def fill(self, url: str, user_id: uuid.UUID) -> None:
        self.write_pages()
        connection = await asyncpg.connect(url, command_timeout=900)
        try:
            await self._urls(connection, user_id)
            await self._sessions(connection, user_id)
            await self._bookmarks(connection, user_id)
            await connection.execute("vacuum analyze")
        finally:
            await connection.close()

    async def _urls(self, connection: asyncpg.Connection, user_id: uuid.UUID) -> None:
        addresses = [(p.url_id, f"https://{p.domain}/{p.number}", p.domain) for p in self.pages]
        await connection.copy_records_to_table(
            "urls", records=addresses, columns=["id", "url", "domain"]
        )
        await connection.copy_records_to_table(
            "page_contents",
            records=[(p.content_id, user_id, p.title, p.text) for p in self.pages],
            columns=["id", "user_id", "title", "content"],
        )
        await connection.copy_records_to_table(
            "reader_urls",
            records=[(user_id, p.url_id, p.content_id, "extracted") for p in self.pages],
            columns=["user_id", "url_id", "content_id", "content_status"],
        )

    async def _sessions(self, connection: asyncpg.Connection, user_id: uuid.UUID) -> None:
        rng, count = self.rng, -(-self.size.pages // PER_SESSION)
        self.sessions = [_id("session", number) for number in range(count)]
        starts = [NOW - timedelta(days=365 * YEARS * (count - n) / count) for n in range(count)]
        await connection.copy_records_to_table(
            "sessions",
            records=[
                (
                    id_,
                    user_id,
                    " ".join(self.english.some(rng, 4)),
                    "reader",
                    "completed",
                    at,
                    at,
                    at,
                    at,
                    at.date().replace(day=1),
                    1,
                )
                for id_, at in zip(self.sessions, starts, strict=True)
            ],
            columns=[
                "id",
                "user_id",
                "title",
                "title_by",
                "status",
                "started_at",
                "ended_at",
                "stopped_at",
                "closed_at",
                "month",
                "timeline_version",
            ],
        )
        visits: list[tuple[object, ...]] = []
        marks: list[tuple[object, ...]] = []
        every = max(self.size.pages // self.size.highlights, 1)
        for page in self.pages:
            session, place = divmod(page.number, PER_SESSION)
            at = starts[session] + timedelta(seconds=30 * place)
            visits.append(
                (
                    self.sessions[session],
                    place + 1,
                    place + 1,
                    page.url_id,
                    1,
                    at,
                    at + timedelta(seconds=30),
                    30000,
                    True,
                    page.title,
                    page.content_id,
                )
            )
            if page.number % every == 0 and len(marks) < self.size.highlights:
                words = page.text.split()
                start = rng.randrange(max(len(words) - 12, 1))
                text = " ".join(words[start : start + 12])
                marks.append(
                    (
                        _id("mark", page.number),
                        self.sessions[session],
                        10000 + place,
                        page.url_id,
                        place + 1,
                        text,
                        at,
                    )
                )
        await connection.copy_records_to_table(
            "page_visits",
            records=visits,
            columns=[
                "session_id",
                "opened_by_seq",
                "visit_order",
                "url_id",
                "tab_id",
                "entered_at",
                "left_at",
                "duration_ms",
                "is_focused",
                "title",
                "content_id",
            ],
        )
        await connection.copy_records_to_table(
            "highlights",
            records=marks,
            columns=["id", "session_id", "seq", "url_id", "visit_seq", "text", "created_at"],
        )

    async def _bookmarks(self, connection: asyncpg.Connection, user_id: uuid.UUID) -> None:
        rng = self.rng
        await connection.execute(
            "insert into user_sync_state (user_id, seq) values ($1, 1000000)", user_id
        )
        chosen = [rng.choice(self.pages) for _ in range(self.size.bookmarks)]
        await connection.copy_records_to_table(
            "pages",
            records=[
                (
                    _id("page", n),
                    user_id,
                    "link",
                    p.url_id,
                    f"https://{p.domain}/{p.number}",
                    " ".join(self.english.some(rng, 5)),
                    float(n),
                    n // 500 + 2,
                    n // 500 + 2,
                    NOW - timedelta(days=rng.random() * 365 * YEARS),
                )
                for n, p in enumerate(chosen)
            ],
            columns=[
                "id",
                "user_id",
                "kind",
                "url_id",
                "address",
                "title",
                "position",
                "created_seq",
                "seq",
                "created_at",
            ],
        )
