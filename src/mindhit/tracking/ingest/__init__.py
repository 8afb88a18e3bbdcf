"""Batches of events: decoded, validated event by event, stored and folded in one transaction."""
