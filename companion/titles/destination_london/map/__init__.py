"""Draws the boards of DESTINATION LONDON: one standalone inline SVG and the live groups on it.

`draw.py` is what the pages call (companion/titles/contract.py, `MapPart`); the rest is inside matters.
"""
