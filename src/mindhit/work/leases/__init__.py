"""Leases: how long a claim holds, how it is renewed, and what happens when it runs out."""
