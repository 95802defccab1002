"""What `firmware/tools/self_test.py` runs on a real board, one module a device; each prints one line an item.

A line is `ok`, `no` or `see`, the item, and what was found; `see` asks the person who watches. Nothing here can be
shown by modelled chips: it is about wires, supply, noise and timing.
"""
