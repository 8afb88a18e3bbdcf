"""HTTP: the only package that knows FastAPI.

`app.create_app` builds the application; one file per slice holds its routes; `problems` turns
errors into RFC 9457 documents; `guards` and `requests` are the layers around every request. Owns
no table and no job. Nothing is imported here: the framework takes a third of a second to load,
and only the process that serves needs it.
"""
