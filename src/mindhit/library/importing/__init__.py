"""Imports: a file is received, then read and stored in the background, a part at a time.

receiving.py   the file, in parts of 1 MiB, and the job that reads it
progress.py    how far it has come; cancelling
entries.py     what a file is read into: folders and entries, in their order
netscape.py    bookmark files of browsers, read as they come
documents.py   files of Karakeep, Linkwarden and MindHit, which are read whole
storing.py     entries into the library: what is there is matched, what is new is added
running.py     the job: from the first part to the last, from where it was
"""
