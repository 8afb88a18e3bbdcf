"""A product and its options to and from the database."""

from __future__ import annotations

from uuid import UUID

from mindhit.crawl import store
from mindhit.crawl.model import OptionId
from mindhit.crawl.products.merging import Facts, OptionState, Summary
from mindhit.crawl.products.order import Applied
from mindhit.crawl.store.products import Known, Locked, Noted, Saved, SavedOption
from mindhit.crawl.store.raws import Pending
from mindhit.db import Tx


async def save_option(
    tx: Tx,
    user_id: UUID,
    product: Locked,
    raw: Pending,
    known: OptionState | None,
    option: OptionState,
    ids: dict[str, OptionId],
) -> None:
    """And a row of the history where its offer differs."""
    if known == option:
        return
    option_id = await tx.one(
        store.products.SAVE_OPTION,
        SavedOption(
            user_id=user_id,
            product_id=product.id,
            option_key=option.option_key,
            name=option.name,
            attributes=dict(option.attributes),
            sku=option.sku,
            price=option.price,
            currency=option.currency,
            availability=option.availability,
            quantity=option.quantity,
            baseline=option.baseline,
            gone_at=option.gone_at,
        ),
    )
    ids[option.option_key] = OptionId(option_id)
    has_offer = any(each is not None for each in option.offer)
    if has_offer and (known is None or known.offer != option.offer):
        await tx.run(
            store.products.NOTE,
            Noted(
                user_id=user_id,
                product_id=product.id,
                option_id=OptionId(option_id),
                raw_id=raw.id,
                at=raw.created_at,
                price=option.price,
                currency=option.currency,
                availability=option.availability,
                quantity=option.quantity,
            ),
        )


async def save(tx: Tx, user_id: UUID, product: Locked, summary: Summary, applied: Applied) -> None:
    await tx.run(
        store.products.SAVE,
        Saved(
            user_id=user_id,
            id=product.id,
            scheduler_id=product.scheduler_id,
            url=product.url,
            title=product.title,
            brand=product.brand,
            image=product.image,
            sku=product.sku,
            gtin=product.gtin,
            price_min=summary.price_min,
            price_max=summary.price_max,
            currency=summary.currency,
            availability=summary.availability,
            mini_shop_at=applied.mini_shop_at,
            detail_at=applied.detail_at,
            option_at=applied.option_at,
            not_found=product.not_found,
            gone_at=product.gone_at,
        ),
    )


def facts_of(product: Locked) -> Facts:
    return Facts(
        product.title,
        product.brand,
        product.image,
        product.sku,
        product.gtin,
        product.currency,
    )


def state_of(known: Known) -> OptionState:
    return OptionState(
        known.option_key,
        known.name,
        known.attributes,
        known.sku,
        known.price,
        known.currency,
        known.availability,
        known.quantity,
        known.baseline,
        known.gone_at,
    )
