"""Draws a board as a page of a street directory: one standalone inline SVG and the live groups on it.

The pages need :func:`companion.web.map.draw.draw_map`, :func:`companion.web.map.draw.draw_live`,
:func:`companion.web.map.places.place_name`, :func:`companion.web.map.places.grid_reference` and
:func:`companion.web.map.layout.load_layout`; the rest is inside matters.
"""
