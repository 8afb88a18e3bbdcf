"""robots.txt (RFC 9309): `rules.py` reads and matches, `cache.py` brings and keeps."""
