"""HTTP: the only package that knows FastAPI. Owns no table and no job.

app          assembles the application; `ROUTERS` lists the routes of all slices
server       runs it in this process
settings     what an operator may change: limits, proxies, origins
http/        the frame: authentication, paging, problems, cookies, middleware
accounts/, tracking/, mail, jobs    the routes of each slice
operations   the owner's overview, across slices
health, metrics, about, web         beside the slices; `web` serves the web app

Nothing is imported here: the framework takes a third of a second to load, and only the process
that serves needs it.
"""
