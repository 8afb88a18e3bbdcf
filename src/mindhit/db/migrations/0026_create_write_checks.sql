-- why:   a database can answer and not take writes: its disk is full, or commits wait for a standby that is gone
-- locks: none that anyone could wait for (new table)
-- takes: milliseconds
-- when:  before the code

create table write_checks (
  checked_at timestamptz not null default now()
);
comment on table write_checks is 'db: one row, written to see whether the database takes writes';

-- A truncated table starts a new file: the insert needs space on the disk every time, not a free spot in an
-- old page, and the commit needs the log.
create function check_writes() returns void language plpgsql as $$
begin
  truncate write_checks;
  insert into write_checks default values;
end $$;
