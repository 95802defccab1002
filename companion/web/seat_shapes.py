"""The shape that goes with each seat's colour, drawn in a box from -10 to 10, for pages and maps. Colour never stands
alone."""

from __future__ import annotations

SHAPES = {
    "red": '<circle r="7"/>',
    "yellow": '<path d="M0-7.5L7.2 5.5H-7.2z"/>',
    "blue": '<path d="M0-8.4L7.4 0 0 8.4-7.4 0z"/>',
    "green": '<path d="M-6.3-6.3H6.3V6.3H-6.3z"/>',
    "white": '<path d="M-2.7-7.5h5.4v4.8h4.8v5.4H2.7v4.8h-5.4V2.7h-4.8v-5.4h4.8z"/>',
    "black": '<path d="M0-8.6l2.5 5.5 6 .7-4.4 4.1 1.2 5.9L0 4.7l-5.3 2.9 1.2-5.9-4.4-4.1 6-.7z"/>',
    "violet": '<path d="M-4-7H4L8 0 4 7H-4L-8 0z"/>',
}
SHAPE_NAMES = {
    "red": "circle",
    "yellow": "triangle",
    "blue": "diamond",
    "green": "square",
    "white": "cross",
    "black": "star",
    "violet": "hexagon",
}
