"""From a page that shows a product to what it says of it. Pure; runs in the pool's processes.

money.py        amounts and currencies, as shops write them
documents.py    what a page has for machines: JSON-LD, microdata, meta tags
structured.py   products and offers in that
visible.py      price and stock as people see them
identifiers.py  article numbers
product.py      all of it together: structured data first, what people see where that is silent
"""
