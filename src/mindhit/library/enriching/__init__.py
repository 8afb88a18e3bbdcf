"""Enriching a link: its page is fetched once, and what it says of itself is kept; its text is not.

outcome.py   what becomes of a link whose page could not be read. Pure
reading.py   from a fetched page to title, description, icon, summary, keywords
enrich.py    the job
"""
