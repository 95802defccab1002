"""Draws TAXI!'s boards as a page of a street directory: one standalone inline SVG and the live groups on it.

`draw.py` is what the pages call (companion/titles/contract.py, `MapPart`); the rest is inside matters.
"""
