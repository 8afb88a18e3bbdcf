"""A proxy before the server that can refuse connections, or cut them in the middle of an answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Literal

State = Literal["open", "closed", "cut"]
CUT_AFTER: Final = 60  # bytes of an answer: its first line and some of its headers


class FlakyProxy:
    """`open` passes connections on; `closed` refuses them; `cut` passes the request on and loses the answer."""

    def __init__(self, port: int) -> None:
        self.state: State = "open"
        self.cuts = 0
        self._server_port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def switch(self, state: State) -> None:
        """Also ends all connections."""
        self.state = state
        for connection in list(self._open):
            _close(connection)

    def close(self) -> None:
        self.switch("closed")
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.state == "closed":
                _close(client)
                continue
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._open |= {client, server}
            threading.Thread(target=self._pass, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()

    def _pass(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                server.sendall(data)
        self._end(client, server)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if self.state == "cut":
                    client.sendall(data[:CUT_AFTER])
                    self.cuts += 1
                    break
                client.sendall(data)
        self._end(server, client)

    def _end(self, *connections: socket.socket) -> None:
        for connection in connections:
            _close(connection)
            self._open.discard(connection)


def _close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        connection.close()


@contextmanager
def flaky_proxy(url: str) -> Iterator[FlakyProxy]:
    made = FlakyProxy(int(url.rpartition(":")[2]))
    yield made
    made.close()
