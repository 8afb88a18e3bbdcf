"""The browser extension as this server hands it out: as a zip, and as a folder that browsers load.

It is built with the web app and is part of every wheel. A copy that comes from a server carries the
server's address in `server.json` beside its manifest, so that nobody has to type it.

    built.py    where the built files are, what a copy contains, the zip
    folder.py   the unpacked copy on the machine that runs `mindhit up`
"""

from mindhit.extension.built import Browser, contents, is_built, packed
from mindhit.extension.folder import Placed, folder_of, place

__all__ = ["Browser", "Placed", "contents", "folder_of", "is_built", "packed", "place"]
