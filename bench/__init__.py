"""One program per figure: each runs us and our peers in the same run and prints one table.

Run a program by its path (`python bench/urls.py`). Each starts by putting the repository in place
of this folder on `sys.path`: a `queue.py` here would otherwise stand in for the standard library's.
"""
