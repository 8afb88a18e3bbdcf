"""The payment provider of a server that sells nothing."""

from __future__ import annotations

from uuid import UUID

from mindhit.billing.model import BillingOff
from mindhit.billing.payments.port import Customer


class Nobody:
    async def add_customer(self, _user_id: UUID, _email: str) -> str:
        raise BillingOff

    async def read(self, _customer_id: str) -> Customer:
        raise BillingOff

    async def check_out(self, _customer_id: str, _price: str, _user_id: UUID, _back_to: str) -> str:
        raise BillingOff

    async def open_portal(self, _customer_id: str, _back_to: str) -> str:
        raise BillingOff

    async def end(self, _customer_id: str) -> None:
        raise BillingOff
