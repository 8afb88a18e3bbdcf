"""Which documents the index suggests: of all words, of some, and how many have a word."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Query

# The index over lexemes is always right here, whatever the planner believes of a word it has no
# statistics of: a scan would read every document of everybody. And the plan is the same for all words: to
# look 450 of them up in the statistics takes longer than to find them.
BY_INDEX = Query(
    str,
    """
select set_config('enable_seqscan', 'off', true)
    || set_config('plan_cache_mode', 'force_generic_plan', true) as is_set""",
)


@dataclass(frozen=True, slots=True)
class Found:
    """Documents that the index suggests, each page once. `rows` there were, up to a number, and `count`
    pages and others they are of. `ids` and the like are of the first, facets of all; `keys` say what a
    document is of. `other_ids` are of the same pages, where those were read more than once: each of the page
    with the number beside it, other texts first. `facet_domain_ids`: the newest of each domain, up to `OF_SITE`.
    `rarity`: of each word, where they were looked for one by one."""

    rows: int
    rarity: list[float]
    count: int
    ids: list[UUID]
    keys: list[UUID]
    domains: list[str]  # empty where there is none
    other_ids: list[UUID]
    other_numbers: list[int]  # the first page is 1
    facet_kinds: list[str]
    facet_kind_counts: list[int]
    facet_domains: list[str]
    facet_domain_counts: list[int]
    facet_domain_ids: list[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition on the index, in each window of time. `least`: for each but the last, how many documents
    the first has to have for this one to be asked."""

    user_id: UUID
    windows: list[str]
    least: list[int]
    from_at: datetime | None
    to_at: datetime | None
    row_limit: int
    listed: int


IN_TIME = """
       ($from_at::timestamptz is null or {d}.at >= $from_at)
   and ($to_at::timestamptz is null or {d}.at < $to_at)"""
# A text was read at several times, of which its document has the last; the others are asked of its pages.
_WAS_IN_TIME = f"""
              and ({IN_TIME.format(d="d")}
                   or (d.kind = 'text' and d.at >= $to_at
                       and coalesce((select true from search_docs p
                                      where p.content_id = d.text_id and p.user_id = $user_id
                                        and {IN_TIME.format(d="p")} limit 1), false)))"""
# A text is of its page.
_DOCUMENT = """d.id, case when d.kind = 'text' then 'page' else d.kind end as kind,
          case when d.kind in ('page', 'text') then coalesce(d.url_id, d.id) else d.id end as key,
          coalesce(d.text_id, d.content_id) as content_id, d.domain, d.at"""
# What is made of a document is made of those that are kept: there are many more before the limit.
_FITTING = f"""
   select {_DOCUMENT}
     from (select d.id, d.kind, d.url_id, d.text_id, d.content_id, d.domain, d.at
             from search_docs d
            where d.user_id = $user_id and d.lexemes @@ %s::tsquery {_WAS_IN_TIME}
            order by d.at desc, d.id desc limit $row_limit) d"""
# The newest documents under a condition. `windows` has it for the newest two months, for more and more of them, and
# for all times. How many documents the first window has tells which one has enough; where it has not after all, all are
# asked for. Rides search_docs_lexemes.
_NEWEST = f"""
  with recent as materialized ({_FITTING % "({windows})[1]"}),
       width as materialized (
         select coalesce(min(l.number), {{last}})::int as number
           from unnest($least::int[]) with ordinality as l (least, number)
          where l.least <= (select count(*) from recent)),
       wider as materialized (
         select d.* from width w cross join lateral ({_FITTING % "({windows})[w.number]"}) d
          where w.number > 1)
  select r.* from recent r where (select number from width) = 1
   union all
  select w.* from wider w
   where (select number from width) = {{last}} or (select count(*) from wider) >= $row_limit
   union all
  select d.* from ({_FITTING % "({windows})[{last}]"}) d
   where (select number from width) between 2 and {{last}} - 1 and (select count(*) from wider) < $row_limit"""
WINDOWS: Final = 10
OF_SITE: Final = 5  # candidates that are looked at before a site counts as forgotten


def _newest(windows: str) -> str:
    return _NEWEST.format(windows=windows, last=WINDOWS)


# The first of what is kept, and facets of all of it.
_LISTED = f""",
     listed as materialized (
       select row_number() over (order by k.weight desc, k.at desc, k.id desc) as number, k.id, k.key, k.domain
         from (select * from kept order by weight desc, at desc, id desc limit $listed) k),
     others as materialized (
       select o.number, o.id, row_number() over (partition by o.number order by o.turn, o.at desc) as nth
         from (select l.number, f.id, f.at,
                      row_number() over (partition by f.key, f.content_id order by f.at desc) as turn
                 from listed l join found f on f.key = l.key and f.id <> l.id) o),
     sites as materialized (
       select row_number() over (order by s.count desc, s.domain) as number, s.domain, s.count
         from (select domain, count(*) as count
                 from kept where domain is not null group by domain order by 2 desc, 1 limit 20) s),
     newest as materialized (
       select s.number, k.id, row_number() over (partition by s.number order by k.at desc, k.id desc) as nth
         from sites s join kept k on k.domain = s.domain),
     kinds as materialized (select kind, count(*) as count from kept group by kind)
select (select count(*)::int from found) as rows,
       (select coalesce(array_agg(r.weight order by r.number), '{{}}') from rarity r) as rarity,
       (select coalesce(sum(k.count), 0)::int from kinds k) as count,
       l.ids, l.keys, l.domains, o.ids as other_ids, o.numbers as other_numbers, k.kinds as facet_kinds, k.counts as facet_kind_counts,
       d.domains as facet_domains, d.counts as facet_domain_counts,
       (select coalesce(array_agg(n.id order by n.number, n.nth), '{{}}') from newest n where n.nth <= {OF_SITE})
         as facet_domain_ids
  from (select coalesce(array_agg(l.id order by number), '{{}}') as ids,
               coalesce(array_agg(l.key order by number), '{{}}') as keys,
               coalesce(array_agg(coalesce(l.domain, '') order by number), '{{}}') as domains
          from listed l) l,
       (select coalesce(array_agg(o.id order by o.number, o.nth), '{{}}') as ids,
               coalesce(array_agg(o.number order by o.number, o.nth), '{{}}') as numbers
          from others o where o.nth <= 30) o,
       (select coalesce(array_agg(k.kind order by k.count desc), '{{}}') as kinds,
               coalesce(array_agg(k.count order by k.count desc), '{{}}') as counts
          from kinds k) k,
       (select coalesce(array_agg(d.domain order by d.number), '{{}}') as domains,
               coalesce(array_agg(d.count order by d.number), '{{}}') as counts
          from sites d) d"""
# What fits one condition, the newest first; of a page that was read often, the newest.
FOUND = Query(
    Found,
    f"""
with found as materialized ({_newest("$windows::text[]")}),
     rarity as (select 0 as number, 0::float8 as weight limit 0),
     kept as materialized (
       select distinct on (key) id, kind, key, domain, at, 0 as weight
         from found order by key, at desc, id desc){_LISTED}""",
    params=Condition,
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    id: UUID
    key: UUID
    domain: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    user_id: UUID
    titles: list[str]
    saids: list[str]
    least: list[int]
    from_at: datetime | None
    to_at: datetime | None
    row_limit: int


# The newest with all words in their titles, then those that say them outside of recorded texts.
TIERS = Query(
    Suggestion,
    f"""
select id, key, domain
  from (select 1 as tier, t.* from ({_newest("$titles::text[]")}) t
         union all
        select 2 as tier, s.* from ({_newest("$saids::text[]")}) s) t
 order by tier, at desc, id desc""",
    params=Tiers,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Conditions, each in all its windows: one for every word, and then maybe, in the same order, one for all
    the others. `words` is how many words there are."""

    user_id: UUID
    windows: list[str]
    least: list[int]
    conditions: int
    words: int
    least_share: float
    from_at: datetime | None
    to_at: datetime | None
    row_limit: int
    listed: int


_OF_CONDITION = f"($windows::text[])[{WINDOWS} * c.number - {WINDOWS - 1} : {WINDOWS} * c.number]"
# What has some of the words, those with the rarest first. A word is as rare as its documents are few; what
# has all words but one is known to weigh as much as those, also where it is not among a word's newest.
LOOSE = Query(
    Found,
    f"""
with found as materialized (
       select c.number, d.*
         from generate_series(1, $conditions::int) as c (number)
        cross join lateral ({_newest(_OF_CONDITION)}) d),
     rarity as materialized (
       select n.number, case when f.count > 0 then log(2.0, 2 + 2.0 * $row_limit / f.count)
                             else 0 end::float8 as weight
         from generate_series(1, $words::int) as n (number)
        cross join lateral (select count(*) as count from found f where f.number = n.number) f),
     weights as materialized (
       select number, weight from rarity
        union all
       select number + $words, (select sum(weight) from rarity) - weight from rarity),
     weighed as (
       select distinct on (f.key, f.number) f.number, f.id, f.kind, f.key, f.domain, f.at, w.weight
         from found f join weights w using (number)
        order by f.key, f.number, f.at desc, f.id desc),
     kept as materialized (
       select (array_agg(id order by at desc, id desc))[1] as id, min(kind) as kind, key,
              min(domain) as domain, max(at) as at,
              greatest(sum(weight) filter (where number <= $words),
                       max(weight) filter (where number > $words)) as weight
         from weighed group by key
       having greatest(sum(weight) filter (where number <= $words),
                       max(weight) filter (where number > $words))
              >= $least_share * (select sum(weight) from rarity)
        order by weight desc, at desc, id desc limit $row_limit){_LISTED}""",
    params=Choice,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Of each word: as it is written, in the newest months and in all; and with those that begin with it."""

    user_id: UUID
    recent: list[str]
    every: list[str]
    begun: list[str]
    common: int
    small: int


@dataclass(frozen=True, slots=True)
class WordCount:
    written: int
    begun: int


_COUNT = """
   select count(*)::int as count
     from (select from search_docs d
            where {gate} and d.user_id = $user_id and d.lexemes @@ {query}::tsquery
            limit {limit}) d"""
# How many documents have each word as it is written, up to `common`; where those are fewer than `small`, how
# many have one that begins with it.
COUNTS = Query(
    WordCount,
    f"""
select e.count as written, greatest(e.count, b.count) as begun
  from unnest($recent::text[], $every::text[], $begun::text[])
         with ordinality as w (recent, every, begun, number)
 cross join lateral ({_COUNT.format(query="w.recent", limit="$common", gate="true")}) r
 cross join lateral ({_COUNT.format(query="w.every", limit="$common", gate="r.count < $common")}) a
 cross join lateral (select greatest(r.count, a.count) as count) e
 cross join lateral ({_COUNT.format(query="w.begun", limit="$small", gate="e.count < $small")}) b
 order by w.number""",
    params=Words,
)
