"""The map of Taxi Over: a ring road, drawn from a board and its layout.

`ring` walks it, `ground` prints what never changes, the others draw what does; `draw` puts them together.
"""
