"""Three weeks of a language model on the free plan, straight into the database: for pictures."""

from __future__ import annotations

import asyncpg

from mindhit.billing.plans import seed_plans
from mindhit.db import Database
from mindhit.settings import Settings
from tests.accounts.kit import settings

_SIGNED_UP = "update users set created_at = now() - interval '20 days'"
_USAGE = """
insert into token_usage (user_id, operation, provider, ai_model, payer, state, tokens_used, input_tokens,
                         output_tokens, request_id, period_start, created_at)
select u.id, o.name, 'openai', 'gpt-5-mini', 'plan', 'used', n.tokens, n.tokens - 100, 100,
       gen_random_uuid()::text, u.created_at, u.created_at + make_interval(days => d, hours => 5)
  from users u, generate_series(0, 19) d,
       (values ('summarise', 900), ('keywords', 260), ('topics', 420), ('title', 140)) o (name, share)
  cross join lateral (select (o.share * (1 + (d * 7) % 5) / 2 + 110)::int as tokens) n
 where d % 6 <> 2"""
_TOTALS = """
insert into usage_totals (user_id, period_start, used, reserved)
select user_id, period_start, sum(tokens_used), 1800 from token_usage group by 1, 2"""
_INVOICES = """
insert into invoices (user_id, stripe_invoice_id, amount_cents, currency, status, paid_at, created_at)
select id, 'in_' || n, 1200, 'usd', case n when 1 then 'refunded' else 'paid' end, now(),
       now() - n * interval '31 days'
  from users, generate_series(1, 3) n"""


async def fill(database_url: str) -> None:
    db = await Database.open(database_url, size=1)
    try:
        chosen: Settings = settings(billing=True)
        await seed_plans(db, chosen)
    finally:
        await db.close()
    connection = await asyncpg.connect(database_url)
    try:
        for statement in (_SIGNED_UP, _USAGE, _TOTALS, _INVOICES):
            await connection.execute(statement)
    finally:
        await connection.close()
