"""The pure rules of mind maps: no I/O, no clock.

labels.py       which words may stand on a node
branches.py     pages and topics into a tree
weighing.py     what a node's pages add up to, and how important that makes it
building.py     the tree into nodes and edges
label_sizes.py  how much room a label takes
layout.py       where everything stands
edits.py        the reader's operations; merging.py applies them
thumbnail.py    the map in 500 bytes
drawing.py      as SVG;  formats.py: as Markdown, OPML, FreeMind
"""
