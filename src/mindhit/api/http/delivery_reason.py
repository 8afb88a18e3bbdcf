"""Why something didn't arrive, for apps that say it in their person's language."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from mindhit.delivery import ReasonCode, ServiceName, read_reason


class DeliveryReason(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    code: ReasonCode
    service: ServiceName | None
    status: int | None = Field(description="What the service answered.")
    detail: str | None = Field(description="The name of an error.")


def reason_of(error: str | None) -> DeliveryReason | None:
    found = read_reason(error)
    return None if found is None else DeliveryReason.model_validate(found)
