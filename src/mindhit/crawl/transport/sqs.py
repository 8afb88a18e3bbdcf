"""SQS, or whatever speaks its protocol. The library is loaded when it is used.

Ten messages a request, as the protocol allows. Credentials come from where AWS's libraries look for
them: environment, files, the machine's role.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

import msgspec

from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.port import Message, Received, TransportFailed
from mindhit.db import Tx
from mindhit.errors import Broken

AT_ONCE: Final = 10
LONGEST_WAIT_S: Final = 20
TIMEOUT_S: Final = 30


class SqsMissing(Broken):
    """The transport `sqs` needs a package and a queue: `pip install mindhit[sqs]`, `MINDHIT_SQS_TASK_QUEUE`."""


class SqsQueue:
    """One queue. Opened by its first use; `close` it."""

    def __init__(self, url: str, settings: CrawlSettings) -> None:
        self._url = url
        self._settings = settings
        self._stack = AsyncExitStack()
        self._client: Any = None

    async def send(self, messages: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Keys and bodies; key → why it was not taken, for those that were not."""
        client = await self._open()
        failed: dict[str, str] = {}
        for start in range(0, len(messages), AT_ONCE):
            some = messages[start : start + AT_ONCE]
            entries = [
                {"Id": str(number), "MessageBody": body} for number, (_, body) in enumerate(some)
            ]
            try:
                answer = await client.send_message_batch(QueueUrl=self._url, Entries=entries)
            except Exception as error:  # noqa: BLE001  whatever the library raises
                failed |= {key: _reason(error) for key, _ in some}
                continue
            for each in answer.get("Failed", ()):
                failed[some[int(each["Id"])][0]] = str(each.get("Message") or each.get("Code"))
        return failed

    async def receive(self, most: int = AT_ONCE, wait_s: float = 0) -> list[Received]:
        client = await self._open()
        try:
            answer = await client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=min(most, AT_ONCE),
                WaitTimeSeconds=int(min(wait_s, LONGEST_WAIT_S)),
                VisibilityTimeout=self._settings.sqs_visibility,
                AttributeNames=["ApproximateReceiveCount"],
            )
        except Exception as error:
            raise TransportFailed(reason=_reason(error)) from error
        return [
            Received(
                each["Body"],
                each["ReceiptHandle"],
                int(each.get("Attributes", {}).get("ApproximateReceiveCount", 1)),
            )
            for each in answer.get("Messages", ())
        ]

    async def ack(self, received: Received) -> None:
        await self._call("delete_message", ReceiptHandle=received.receipt)

    async def nack(self, received: Received, after_s: float) -> None:
        """It comes again after so many seconds; too often, and the service puts it to its dead letters."""
        await self.extend(received, after_s)

    async def extend(self, received: Received, for_s: float) -> None:
        await self._call(
            "change_message_visibility",
            ReceiptHandle=received.receipt,
            VisibilityTimeout=int(for_s),
        )

    async def is_empty(self) -> bool:
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        answer = await self._call("get_queue_attributes", AttributeNames=names)
        return not any(int(answer["Attributes"].get(name, 0)) for name in names)

    async def close(self) -> None:
        stack, self._stack, self._client = self._stack, AsyncExitStack(), None
        await stack.aclose()

    async def _call(self, what: str, **arguments: Any) -> Any:
        client = await self._open()
        try:
            return await getattr(client, what)(QueueUrl=self._url, **arguments)
        except Exception as error:
            raise TransportFailed(reason=_reason(error)) from error

    async def _open(self) -> Any:
        if self._client is None:
            try:
                from aiobotocore.config import AioConfig  # noqa: PLC0415
                from aiobotocore.session import get_session  # noqa: PLC0415
            except ImportError:
                raise SqsMissing from None
            config = AioConfig(
                connect_timeout=TIMEOUT_S,
                read_timeout=TIMEOUT_S + LONGEST_WAIT_S,
                retries={"max_attempts": 2},
            )
            self._client = await self._stack.enter_async_context(
                get_session().create_client(
                    "sqs",
                    region_name=self._settings.sqs_region,
                    endpoint_url=self._settings.sqs_endpoint,
                    config=config,
                )
            )
        return self._client


class SqsTransport:
    is_transactional = False

    def __init__(self, settings: CrawlSettings) -> None:
        if settings.sqs_task_queue is None:
            raise SqsMissing
        self.queue = SqsQueue(settings.sqs_task_queue, settings)

    async def publish(self, _tx: Tx | None, messages: Sequence[Message]) -> Mapping[str, str]:
        return await self.queue.send(
            [(each.key, msgspec.json.encode(each).decode()) for each in messages]
        )

    async def close(self) -> None:
        await self.queue.close()


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
