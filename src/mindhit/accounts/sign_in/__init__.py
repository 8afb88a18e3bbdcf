"""Signing in with a password, signing up, and changing a password or an address.

No answer here says whether an address is known: what depends on it happens in a job after the
answer, and everything before is the same for everybody. Through an identity provider: `oidc`.
"""
