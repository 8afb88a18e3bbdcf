"""What the web app is measured on: five years of sessions up to now, and one of 5,000 visits with a large
mind map.

Put into the tables by SQL; every session has a few visits, so that lists, sums and pictures have
something to show.
"""

import json
import uuid

import asyncpg

from mindhit.insight.mindmap import building, label_sizes
from mindhit.insight.model import (
    ROOT,
    Graph,
    MindmapNode,
    NodeMetadata,
    NodeType,
    Position,
    Size,
    to_json,
)

URLS = """
insert into urls (id, url, domain)
select md5('url ' || n)::uuid, 'https://' || d.domain || '/page/' || n, d.domain
  from generate_series(1, 6000) n,
       lateral (select 'site-' || (n % 60) || '.example.org' as domain) d"""
MET = "insert into reader_urls (user_id, url_id) select $1, id from urls"
SESSIONS = """
insert into sessions (id, user_id, title, title_by, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, page_count, total_duration_ms,
                      event_count, highlight_count, top_domains, timeline_version)
select md5('session ' || n)::uuid, $1,
       case when n % 5 = 0 then null when n % 7 = 0 then '한국어 제목 ' || n else 'Reading about topic ' || n end,
       case when n % 5 <> 0 then 'reader' end,
       'completed', s.at, s.at + interval '1 hour', s.at + interval '1 hour',
       s.at + interval '1 hour', s.at + interval '1 hour', date_trunc('month', s.at)::date, 41, 40,
       4, 3000000, 40, n % 3,
       array['site-' || n % 60 || '.example.org', 'site-' || n % 7 || '.example.org', 'site-3.example.org'], 1
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
insert into sessions (id, user_id, title, title_by, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, page_count, total_duration_ms,
                      timeline_version)
values ($1, $2, 'A long one', 'reader', 'completed', now() - interval '9 hours', now() - interval '1 hour',
        now(), now(), now(), date_trunc('month', now() - interval '9 hours')::date, 20001, 20000,
        3000, 25000000, 1)"""
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

MAP = """
insert into mindmap_graphs
  (session_id, user_id, nodes, edges, metadata, made_of, timeline_version, thumbnail)
values ($1, $2, $3::jsonb, $4::jsonb, $5::jsonb, 'bench', 1, '[]')"""
MADE_BY = {"engine": "builtin", "model": "1", "prompt_version": "1", "layout_version": "1"}
# How many children a node has, by its depth: topics, subtopics, and as many keywords as it takes.
TOPICS, SUBTOPICS = 16, 12


def large_map(session: uuid.UUID, nodes: int, visits: int) -> Graph:
    """So many nodes with labels of usual length, each with pages of the session."""
    made = [_node(ROOT, NodeType.ROOT, "A long one", 0, session, visits)]
    edges = []
    parents = {NodeType.TOPIC: [ROOT], NodeType.SUBTOPIC: [], NodeType.KEYWORD: []}
    for number in range(1, nodes):
        below = number - 1 - TOPICS
        if number <= TOPICS:
            type_, parent = NodeType.TOPIC, ROOT
        elif below < TOPICS * SUBTOPICS:
            type_, parent = NodeType.SUBTOPIC, parents[NodeType.SUBTOPIC][below % TOPICS]
        else:
            type_ = NodeType.KEYWORD
            parent = parents[NodeType.KEYWORD][below % (TOPICS * SUBTOPICS)]
        id_ = f"{type_.value}-{number}"
        made.append(_node(id_, type_, f"what it is about {number}", number, session, visits))
        edges.append(building.parent_edge(parent, id_))
        if type_ == NodeType.TOPIC:
            parents[NodeType.SUBTOPIC].append(id_)
        elif type_ == NodeType.SUBTOPIC:
            parents[NodeType.KEYWORD].append(id_)
    return building.placed(Graph(tuple(made), tuple(edges)))


def _node(
    id_: str, type_: NodeType, label: str, number: int, session: uuid.UUID, visits: int
) -> MindmapNode:
    box = label_sizes.measure(label, type_)
    own = [f"{session}:{(number * 3 + n) % visits * 4 + 4}" for n in range(3)]
    return MindmapNode(
        id_,
        label,
        type_.value,
        (number * 37 % 100) / 100,
        own,
        Position(0, 0),
        NodeMetadata(60_000, 0, 3),
        Size(box.width, box.height),
    )


async def fill_map(
    url: str, user_id: uuid.UUID, session: uuid.UUID, nodes: int, visits: int
) -> None:
    graph = large_map(session, nodes, visits)
    connection = await asyncpg.connect(url)
    try:
        parts = [to_json(graph.nodes), to_json(graph.edges), MADE_BY]
        await connection.execute(MAP, session, user_id, *map(json.dumps, parts))
    finally:
        await connection.close()


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
