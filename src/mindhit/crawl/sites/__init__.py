"""Sites: how to read a shop. Plug-ins of the entry point `mindhit.sites`, pure and without I/O.

api.py       what a plug-in is: the protocol and its types
registry.py  which there are
reading.py   running one on a page, in a process that may do nothing else
jsonld.py    any shop that describes its products for search engines
shopify.py   shops on Shopify
"""
