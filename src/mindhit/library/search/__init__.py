"""Search: everything a person has recorded or saved is found again by its words.

    words.py      texts into words: folding, plurals, runs of Hangul
    lexemes.py    a document's words as entries of the index
    parsing.py    what was typed: words, "phrases", -not, site:, before:, after:
    matching.py   a word as a condition on the index: other forms, beginnings, one wrong letter
    ranking.py    how well a document as it is now answers, and where
    snippets.py   the part of a text that is shown
    indexing.py   what is in the index, kept by `library:index`
    candidates.py which documents are looked at, in which order, and when some of the words are enough
    answering.py  the search itself: from what was typed to a page of results

The index only suggests documents. Whether one is still there and still says what was asked is read from
the tables it was made of, in the same transaction: what was deleted or forgotten is not found from that
moment on, whenever the index hears of it.
"""
