"""HTTP: the only package that knows FastAPI. Owns no table and no job.

app          assembles the application; `ROUTERS` lists the routes of all slices
server       runs it in this process
http/        the frame: authentication, paging, problems, cookies, limits
accounts/, tracking/, mail, jobs    the routes of each slice
operations   the owner's overview, across slices
health, metrics, about, web         beside the slices; `web` serves the web app
"""

from mindhit.api.app import create_app
from mindhit.api.http.openapi import openapi
from mindhit.api.server import serve

__all__ = ["create_app", "openapi", "serve"]
