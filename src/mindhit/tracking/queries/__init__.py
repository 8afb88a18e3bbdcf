"""Reading what was recorded: lists of sessions, one session, totals."""
