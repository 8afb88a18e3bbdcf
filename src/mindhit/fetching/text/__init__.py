"""What a page says: its main text, its title and what it declares about itself.

Pure functions of a page's HTML. `extraction.extract` is the one to call, in a process of the pool: the
parsers take a second to import and a bad page can keep them busy for long (`page_reader.py` does it).

    extracted = extract(html, "https://example.org/a")
    extracted.text, extracted.kind, extracted.meta.title

How a page is read depends on its kind (`kinds.py`) and on how much of it each extractor keeps
(`extraction.py`): what repeats is to be dropped from an article, and is the content of a forum, a product
page or a listing.
"""

from mindhit.fetching.text.model import LONGEST_TEXT, TOO_LITTLE, Extracted, PageKind, PageMeta

__all__ = ["LONGEST_TEXT", "TOO_LITTLE", "Extracted", "PageKind", "PageMeta"]
