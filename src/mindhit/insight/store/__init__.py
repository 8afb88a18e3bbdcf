"""Statements of insight, by what they are about."""

from mindhit.insight.store import exporting, maps, processing, reports, topics

__all__ = ["exporting", "maps", "processing", "reports", "topics"]
