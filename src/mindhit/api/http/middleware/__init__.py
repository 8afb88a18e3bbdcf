"""Layers around every request, each a small ASGI class with one duty; `app.py` puts them in order."""
