"""Products: what raws say, applied in order; changes, and telling of them.

order.py       which raw may be applied. Pure
merging.py     what a raw makes of a product and its options. Pure
apply.py       applying what has arrived of one product, under its lock
alerts.py      which change is worth telling. Pure; telling.py tells it
gone.py        products that are not there any more
showing.py     what people see
"""
