-- why:   everything a person has recorded or saved is found again by its words
-- locks: sessions, pages and page_contents, against writes, for a moment (the foreign keys of new,
--        empty tables)
-- takes: milliseconds; what was there before is indexed afterwards, by jobs in the low lane
-- when:  before the code

-- No index by user_id: every lexeme begins with a hash of the reader, so the one over lexemes finds
-- nobody else's, and with a second one the planner would combine the two (measured: twice the time).
create table search_docs (
  -- Of a session, highlight or bookmark its own id; of a page or text a hash of what it is made of.
  id         uuid primary key,
  user_id    uuid not null,
  kind       text not null,
  session_id uuid references sessions on delete cascade,
  page_id    uuid references pages on delete cascade,
  text_id    uuid references page_contents on delete cascade,
  -- The text that was read at a page in this session: a row of kind text counts only through such a page.
  content_id uuid,
  url_id     uuid,
  domain     text,
  at         timestamptz not null,
  lexemes    tsvector not null,

  constraint search_docs_kind check (
    case kind when 'session' then session_id is not null
              when 'page' then session_id is not null and url_id is not null
              when 'highlight' then session_id is not null and url_id is not null
              when 'bookmark' then page_id is not null
              when 'text' then text_id is not null
              else false end)
);
comment on table search_docs is 'library: the words of what people recorded and saved, for search';
-- Searches read the pending list from end to end: it is kept short.
create index search_docs_lexemes on search_docs using gin (lexemes) with (gin_pending_list_limit = 512);
create index search_docs_of_session on search_docs (session_id) where session_id is not null;
create index search_docs_of_page on search_docs (page_id) where page_id is not null;
create index search_docs_of_text on search_docs (text_id) where text_id is not null;
create index search_docs_of_content on search_docs (content_id, at desc) where content_id is not null;

create table search_topics (
  session_id       uuid primary key references sessions on delete cascade,
  user_id          uuid not null,
  labels           text[] not null,
  -- Of the timeline they were found in: with another they are out of date.
  timeline_version integer not null
);
comment on table search_topics is 'library: the topics of sessions'' maps, as insight handed them down for search';

create table search_progress (
  user_id uuid primary key references users on delete cascade,
  -- Bookmarks up to this number of the sync counter are indexed.
  seq     bigint not null
);
comment on table search_progress is 'library: how far a person''s bookmarks are indexed';

create table search_backfill (
  only_row boolean primary key default true check (only_row),
  done_at  timestamptz
);
comment on table search_backfill is 'library: whether what was there before search has been given to it';
insert into search_backfill default values;

create table saved_searches (
  id         uuid primary key,
  user_id    uuid not null references users on delete cascade,
  name       text not null,
  query      text not null,
  created_at timestamptz not null default now(),

  unique (user_id, query)
);
comment on table saved_searches is 'library: searches that people keep';
