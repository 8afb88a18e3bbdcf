-- why:   people write notes on what they highlighted
-- locks: none that anyone could wait for (new table)
-- takes: milliseconds
-- when:  before the code

-- Apart from the highlights: those are folded from the log, and folding it again leaves the notes.
create table highlight_notes (
  session_id uuid not null references sessions on delete cascade,
  -- The event that made the highlight.
  seq        integer not null,
  note       text not null,
  updated_at timestamptz not null default now(),

  primary key (session_id, seq)
);
comment on table highlight_notes is 'tracking: what people wrote about their highlights';
