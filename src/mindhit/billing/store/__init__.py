"""Statements of billing: the ledger of tokens, plans and subscriptions, what Stripe said."""
