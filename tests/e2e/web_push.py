"""Pushes to the web app's service worker, and the notifications that it shows."""

from __future__ import annotations

import json
import time
from typing import Any, Final

from playwright.sync_api import Page

SHOWN: Final = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
  ({ title, body, tag, actions, data }) =>
    ({ title, body, tag, actions: (actions ?? []).map(({ action, title }) => [action, title]), data }))"""


def until(ask: Any) -> Any:
    ends = time.monotonic() + 30
    while not (found := ask()):
        assert time.monotonic() < ends
        time.sleep(0.05)
    return found


def push(tab: Page, url: str, payload: dict[str, Any]) -> None:
    """As the browser's push service does: through the DevTools protocol, since none is reachable."""
    protocol = tab.context.new_cdp_session(tab)
    registrations: list[dict[str, Any]] = []
    protocol.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    protocol.send("ServiceWorker.enable")

    def mine() -> list[dict[str, Any]]:
        tab.wait_for_timeout(50)  # events arrive while the page is waited for
        return [each for each in registrations if each["scopeURL"].startswith(url)]

    [*_, newest] = until(mine)
    protocol.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": url,
            "registrationId": newest["registrationId"],
            "data": json.dumps(payload),
        },
    )
