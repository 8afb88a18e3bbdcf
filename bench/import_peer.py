"""A peer's side of bench/import.py, run by the Python of the peer's own environment.

python bench/import_peer.py buku|promnesia FILE FOLDER     prints {"seconds", "kept"}

buku imports into its SQLite database, as `buku --import` does; Promnesia indexes the file with its
HTML source, which visits every link of it.
"""

import importlib
import json
import os
import sqlite3
import sys
import time
from pathlib import Path


def buku(file: Path, folder: Path) -> int:
    import buku as peer  # noqa: PLC0415

    database = peer.BukuDb(dbfile=str(folder / "buku.db"))
    database.importdb(str(file), tacit=True)
    database.close()
    with sqlite3.connect(folder / "buku.db") as kept:
        return int(kept.execute("select count(*) from bookmarks").fetchone()[0])


def promnesia(file: Path, _folder: Path) -> int:
    from promnesia.sources import html  # noqa: PLC0415

    return sum(1 for _ in html.extract_from_file(file))


def main() -> None:
    name, file, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    os.chdir(folder)
    importlib.import_module({"buku": "buku", "promnesia": "promnesia.sources.html"}[name])
    began = time.perf_counter()  # a program's start is no part of an import's rate
    kept = {"buku": buku, "promnesia": promnesia}[name](file, folder)
    print(json.dumps({"seconds": time.perf_counter() - began, "kept": kept}))


if __name__ == "__main__":
    main()
