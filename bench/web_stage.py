"""What the web app is measured on: five years of sessions up to now, and one of 5,000 visits.

Put into the tables by SQL; every session has a few visits, so that lists, sums and pictures have
something to show.
"""

import uuid

import asyncpg

URLS = """
insert into urls (id, url, domain)
select md5('url ' || n)::uuid, 'https://' || d.domain || '/page/' || n, d.domain
  from generate_series(1, 6000) n,
       lateral (select 'site-' || (n % 60) || '.example.org' as domain) d"""
MET = "insert into reader_urls (user_id, url_id) select $1, id from urls"
SESSIONS = """
insert into sessions (id, user_id, title, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, page_count, total_duration_ms,
                      event_count, highlight_count, top_domains)
select md5('session ' || n)::uuid, $1,
       case when n % 5 = 0 then null when n % 7 = 0 then '한국어 제목 ' || n else 'Reading about topic ' || n end,
       'completed', s.at, s.at + interval '1 hour', s.at + interval '1 hour',
       s.at + interval '1 hour', s.at + interval '1 hour', date_trunc('month', s.at)::date, 41, 40,
       4, 3000000, 40, n % 3,
       array['site-' || n % 60 || '.example.org', 'site-' || n % 7 || '.example.org', 'site-3.example.org']
  from generate_series(1, $2) n,
       lateral (select now() - n * interval '4.4 hours' as at) s"""
VISITS = """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                         left_at, duration_ms, is_focused, title, transition)
select s.id, v * 4, v, md5('url ' || abs(hashint8(v * 7919 + hashtext(s.id::text)::int8)) % 6000 + 1)::uuid,
       v % 5, s.started_at + v * interval '12 minutes',
       s.started_at + v * interval '12 minutes' + interval '11 minutes', 660000, true,
       'A title of some length – number ' || v, 'link'
  from sessions s, generate_series(1, 4) v"""
LONG = """
insert into sessions (id, user_id, title, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, page_count, total_duration_ms)
values ($1, $2, 'A long one', 'completed', now() - interval '9 hours', now() - interval '1 hour',
        now(), now(), now(), date_trunc('month', now() - interval '9 hours')::date, 20001, 20000,
        3000, 25000000)"""
# From a fifth of a second to eleven seconds each, one in ten in the background, nine pauses.
LONG_VISITS = """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                         left_at, duration_ms, is_focused, title, transition, from_url_id)
select $1, n * 4, n, md5('url ' || n % 3000 + 1)::uuid, n % 7,
       now() - interval '9 hours' + n * interval '5.6 seconds',
       now() - interval '9 hours' + n * interval '5.6 seconds' + (n % 28 + 1) * interval '0.2 seconds',
       (n % 28 + 1) * 200, n % 10 <> 0, 'What the page was called when it was seen ' || n, 'link',
       md5('url ' || n % 2999 + 1)::uuid
  from generate_series(1, $2) n"""
MARKS = """
insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
select md5('mark ' || n)::uuid, $1, n * 800 + 1, md5('url ' || n)::uuid, n * 800,
       'A sentence that was marked, number ' || n,
       now() - interval '9 hours' + n * interval '18 minutes'
  from generate_series(1, 20) n"""


async def fill(url: str, user_id: uuid.UUID, sessions: int, visits: int) -> uuid.UUID:
    """Fill the tables; the id of the long session."""
    long_one = uuid.uuid4()
    connection = await asyncpg.connect(url, command_timeout=600)
    try:
        await connection.execute(URLS)
        await connection.execute(MET, user_id)
        await connection.execute(SESSIONS, user_id, sessions)
        await connection.execute(VISITS)
        await connection.execute(LONG, long_one, user_id)
        await connection.execute(LONG_VISITS, long_one, visits)
        await connection.execute(MARKS, long_one)
        await connection.execute("vacuum analyze")
    finally:
        await connection.close()
    return long_one
