"""How `mindhit up` notices a MindHit that is already running. Two checks, before anything starts:

- the port, here: if it is taken, by whom;
- the data directory, by the lock in `db/embedded/start_lock.py`, which `Server.start` takes.

Both end in `DataDirectoryBusy`, which names the process and the address of the other one.
"""

from __future__ import annotations

import errno
import socket
from typing import Annotated

import typer

from mindhit.db import embedded
from mindhit.errors import Refused
from mindhit.settings import Settings

Port = Annotated[int | None, typer.Option(help="Port to listen on.", min=1, max=65535)]


class CannotListen(Refused):
    """MindHit can't listen on its address."""


def check_port(settings: Settings) -> None:
    """Raise unless the port is free; `DataDirectoryBusy` if the other program is this MindHit."""
    address = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            if taken and embedded.attach(settings.data_dir):
                raise embedded.DataDirectoryBusy(
                    settings.data_dir, url=settings.public_url
                ) from None
            raise CannotListen(
                f"MindHit can't listen on {address}: {error.strerror}.",
                way_out="Stop the program that uses the port, or choose another one: `MINDHIT_PORT=8788`."
                if taken
                else "Set MINDHIT_HOST to an address of this machine (0.0.0.0 for all of them).",
            ) from None
