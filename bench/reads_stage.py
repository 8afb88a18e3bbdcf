"""What reads are measured on: one reader's years of sessions, put into the tables by SQL.

Urls are shared between sessions as people's are, a seventh of the titles is Korean, one word stands
in a single title, and one session has 500 visits with the texts that its reader saw.
"""

import uuid
from dataclasses import dataclass

import asyncpg

URLS = """
insert into urls (id, url, domain)
select md5('url ' || n)::uuid, 'https://' || d.domain || '/page/' || n, d.domain
  from generate_series(1, $1) n,
       lateral (select 'site-' || (n % 2000) || '.example.org' as domain) d"""
MET = "insert into reader_urls (user_id, url_id) select $1, id from urls"
SESSIONS = """
insert into sessions (id, user_id, title, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, page_count, total_duration_ms,
                      event_count, top_keywords, top_domains)
select md5('session ' || n)::uuid, $1, 'Session ' || n, 'completed', s.at, s.at + interval '1 hour',
       s.at + interval '1 hour', s.at + interval '1 hour', s.at + interval '1 hour',
       date_trunc('month', s.at)::date, 401, 400, 80, 3000000, 400,
       array['alpha', 'beta', 'gamma', 'delta', 'epsilon'], array['site-1.example.org']
  from generate_series(1, $2) n,
       lateral (select timestamptz '2020-01-01 08:00+00' + n * interval '5 hours' as at) s"""
VISITS = """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                         left_at, duration_ms, is_focused, title, transition)
select s.id, v * 4, v, md5('url ' || p.n)::uuid, v % 5, s.started_at + v * interval '30 seconds',
       s.started_at + v * interval '30 seconds' + interval '30 seconds', 30000, v % 10 <> 0,
       case when p.n % 7 = 0 then '한국어 제목 ' || p.n || ' 백과사전에서 읽은 것'
            else 'A title of some length about topic ' || p.n % 500 || ' – number ' || p.n end,
       'link'
  from sessions s, generate_series(1, $1) v,
       lateral (select abs(hashint8(v * 7919 + hashtext(s.id::text)::int8)) % $2 + 1 as n) p"""
RARE = """
update page_visits set title = 'the one page about axolotls'
 where (session_id, opened_by_seq) in (
   select session_id, opened_by_seq from page_visits offset (select count(*) from page_visits) / 2
    limit 1)"""
LONG = """
insert into sessions (id, user_id, title, status, started_at, ended_at, stopped_at, closed_at,
                      month, next_seq, max_seq)
values ($1, $2, 'A long one', 'completed', now() - interval '5 hours', now(), now(), now(),
        date_trunc('month', now())::date, 2001, 2000)"""
TEXTS = """
insert into page_contents (id, user_id, title, content, favicon, summary, keywords)
select md5('text ' || n)::uuid, $1, 'What the page is called ' || n,
       repeat('Some four kilobytes of text that nobody asks for here. ', 75),
       'https://site-' || n % 2000 || '.example.org/favicon.ico',
       'A summary of two sentences, as they are written. It says what page ' || n || ' is about.',
       array['keyword', 'another', '한국어', 'fourth', 'fifth']
  from generate_series(1, 500) n"""
LONG_VISITS = """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                         left_at, duration_ms, is_focused, title, content_id, transition,
                         from_url_id)
select $1, n * 4, n, md5('url ' || n)::uuid, n % 7, now() - interval '5 hours' + n * s,
       now() - interval '5 hours' + (n + 1) * s, 35250, n % 10 <> 0,
       'What the page was called when it was seen ' || n, md5('text ' || n)::uuid, 'link',
       md5('url ' || n + 1)::uuid
  from generate_series(1, 500) n, (select interval '35.25 seconds' as s) i"""
LONG_MARKS = """
insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
select md5('mark ' || n)::uuid, $1, n * 8 + 1, md5('url ' || n * 2)::uuid, n * 8,
       'A sentence that was marked, number ' || n, now()
  from generate_series(1, 20) n"""


@dataclass(frozen=True, slots=True)
class Size:
    sessions: int
    visits_each: int
    urls: int


FULL = Size(10_000, 100, 150_000)
QUICK = Size(1_000, 100, 15_000)


async def fill(url: str, user_id: uuid.UUID, size: Size) -> uuid.UUID:
    """Fill the tables; the id of the long session."""
    long_one = uuid.uuid4()
    connection = await asyncpg.connect(url, command_timeout=600)
    try:
        await connection.execute(URLS, size.urls)
        await connection.execute(MET, user_id)
        await connection.execute(SESSIONS, user_id, size.sessions)
        await connection.execute(VISITS, size.visits_each, size.urls)
        await connection.execute(RARE)
        await connection.execute(LONG, long_one, user_id)
        await connection.execute(TEXTS, user_id)
        await connection.execute(LONG_VISITS, long_one)
        await connection.execute(LONG_MARKS, long_one)
        await connection.execute("vacuum analyze")
    finally:
        await connection.close()
    return long_one
