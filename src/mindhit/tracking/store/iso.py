"""Times in the shape of the API's answers."""

from __future__ import annotations


def iso(column: str) -> str:
    """ISO 8601 in UTC with milliseconds, made by the server: a row goes into the answer unchanged."""
    return f"""to_char({column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""
