"""Settings of delivery: private hosts that channels may use, and who is responsible for pushes."""

from __future__ import annotations

from pydantic import field_validator

from mindhit.settings import Section, Words, setting


class DeliverySettings(Section):
    heading = "Notices"

    delivery_hosts: Words = setting(
        (),
        "Hosts that people's channels may use although they are in a private network or speak plain"
        " http: an ntfy server of yours, say. All other private addresses are refused.",
    )
    apprise_schemes: Words = setting(
        (),
        "Apprise services that connect to a host of the person's choice (`json`, `mattermost`, …),"
        " read files or write to this machine's log, and are allowed all the same: MindHit can't"
        " check where they connect to.",
    )
    vapid_subject: str | None = setting(
        None,
        "Whom push services contact if something is wrong with notices from this server, as"
        " `mailto:you@example.org` or a web address; by default the sender of its mails.",
    )

    @field_validator("vapid_subject")
    @classmethod
    def _is_contact(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("mailto:", "https://")):
            raise ValueError("must start with mailto: or https://")
        return value
