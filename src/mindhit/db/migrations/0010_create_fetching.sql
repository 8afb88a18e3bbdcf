-- why:   robots.txt of a site is read once a day, not once a page; a job that a redirect leads to
--        another site has to know where when it runs again there; a site that asks for time gets it
--        from every worker
-- locks: jobs, against writes, for a moment (the foreign key of a new, empty table)
-- takes: milliseconds
-- when:  before the code

create table robots_cache (
  origin     text primary key,
  status     int not null,
  body       text not null,
  expires_at timestamptz not null
);
comment on table robots_cache is 'fetching: what sites say about robots, at most a day old';
comment on column robots_cache.status is 'of the answer; 0 where there was none';
create index robots_cache_expired on robots_cache (expires_at);

create table fetch_redirects (
  job_id bigint primary key references jobs on delete cascade,
  asked  text not null,
  url    text not null,
  hops   int not null
);
comment on table fetch_redirects is 'fetching: where jobs were redirected, on their way to another site';
comment on column fetch_redirects.asked is 'the address the job asked for; if it asks for another one now, the row means nothing';
comment on column fetch_redirects.hops is 'redirects it took so far';

create table fetch_waits (
  domain text primary key,
  until  timestamptz not null
);
comment on table fetch_waits is 'fetching: sites that asked not to be asked again before a time';
create index fetch_waits_over on fetch_waits (until);
