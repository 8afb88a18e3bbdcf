"""The report of a session: what it says, and how it reaches a person by mail, once."""
