-- why:   sessions over a plan's limit are marked; sessions that a plan does not keep are announced a week ahead
-- locks: sessions, exclusively; while the empty index is built
-- takes: milliseconds; a second per million sessions
-- when:  before the code

alter table sessions add column is_over_limit boolean not null default false;
-- Announced: the session is deleted then, if the plan still does not keep it.
alter table sessions add column expires_at timestamptz;
create index sessions_expiring on sessions (expires_at) where expires_at is not null;
