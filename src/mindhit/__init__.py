"""MindHit: a self-hosted browsing memory. ARCHITECTURE.md is the map of this package."""

__version__ = "0.1.0"
