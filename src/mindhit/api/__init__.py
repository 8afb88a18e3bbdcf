"""HTTP: the only package that knows FastAPI.

`create_app` builds the application; one file per slice holds its routes; `problems` turns errors
into RFC 9457 documents; `guards` and `requests` are the layers around every request. Owns no
table and no job.
"""

from mindhit.api.app import create_app, openapi
from mindhit.api.serve import serve

__all__ = ["create_app", "openapi", "serve"]
