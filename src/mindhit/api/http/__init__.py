"""The frame that every route stands in; it knows no slice but accounts, for who is calling.

authentication   who calls, and who may
dependencies     what routes are handed: database, settings, product
paging           cursors and pages of items
problems         errors as RFC 9457 documents
responses        answers that are structs
cookies, csrf    the web app's cookie, and which pages may use it
openapi          the OpenAPI document
middleware       layers around every request: limits, headers, ETags, logging
"""
