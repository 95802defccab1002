"""Templates, filters and small drawn parts for every page: one `Renderer` an application, used by all page modules."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from companion.web.doorkeeper import Visitor
from companion.web.map.signs import head as drawn_head
from companion.web.texts import DEFAULT, Texts, languages, texts

WEB = Path(__file__).parent
STATIC = WEB / "static"
THEMES = ("day", "night")
THEME_COOKIE = "look"
HAND_COOKIE = "hand"
LANGUAGE_COOKIE = "language"

# The shape that goes with each colour, drawn in a box from -10 to 10. Colour never stands alone.
SHAPES = {
    "red": '<circle r="7"/>',
    "yellow": '<path d="M0-7.5L7.2 5.5H-7.2z"/>',
    "blue": '<path d="M0-8.4L7.4 0 0 8.4-7.4 0z"/>',
    "green": '<path d="M-6.3-6.3H6.3V6.3H-6.3z"/>',
    "white": '<path d="M-2.7-7.5h5.4v4.8h4.8v5.4H2.7v4.8h-5.4V2.7h-4.8v-5.4h4.8z"/>',
    "black": '<path d="M0-8.6l2.5 5.5 6 .7-4.4 4.1 1.2 5.9L0 4.7l-5.3 2.9 1.2-5.9-4.4-4.1 6-.7z"/>',
}
SHAPE_NAMES = {
    "red": "circle",
    "yellow": "triangle",
    "blue": "diamond",
    "green": "square",
    "white": "cross",
    "black": "star",
}

PIPS = {
    1: [(0, 0)],
    2: [(-11, -11), (11, 11)],
    3: [(-11, -11), (0, 0), (11, 11)],
    4: [(-11, -11), (11, -11), (-11, 11), (11, 11)],
    5: [(-11, -11), (11, -11), (0, 0), (-11, 11), (11, 11)],
    6: [(-11, -12), (11, -12), (-11, 0), (11, 0), (-11, 12), (11, 12)],
}

PLAIN_FACE = Markup(
    '<circle class="p" cx="24" cy="25" r="12"/><circle class="e" cx="20" cy="24" r="1.5"/>'
    '<circle class="e" cx="28" cy="24" r="1.5"/><path class="l" d="M20 30q4 3 8 0"/>'
)

NOTES = {
    5000: "#d7c9e8", 1000: "#bcd7e6", 500: "#f3d39a", 100: "#c9dcc0", 50: "#e7c3b4", 20: "#e9e0a9", 10: "#dcd7cb",
}  # fmt: skip


def dollars(amount: int) -> str:
    """An amount as it is spoken of: $14,870, or −$350."""
    return f"−${-amount:,}" if amount < 0 else f"${amount:,}"


def drums(amount: int, places: int = 5) -> list[tuple[str, str]]:
    """The windows of a meter, left to right: (figure, css class). At least `places` windows; a gap (`k`) before each
    group of three.
    """
    figures = str(abs(amount)).rjust(places, " ")
    windows = []
    for index, figure in enumerate(figures):
        left = len(figures) - index
        classes = ["k"] if left % 3 == 0 and index else []
        if figure == " ":
            classes.append("off")
        windows.append((figure, " ".join(classes)))
    return windows


def pips(face: int) -> list[tuple[int, int]]:
    """Where the pips of a die face lie, in a box from -24 to 24."""
    return PIPS.get(face, [])


def new_command_id() -> str:
    """What makes a form one command however often it is sent."""
    return secrets.token_urlsafe(9)


@cache
def static_version(name: str) -> str:
    """A few letters that change when a static file changes, so that browsers may keep it for long."""
    path = STATIC / name
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10] if path.is_file() else "0"


def static_url(name: str) -> str:
    """The address of a static file, with its version."""
    return f"/static/{name}?v={static_version(name)}"


def is_htmx(request: Request) -> bool:
    """Whether htmx asks (it wants a fragment) or a bare form (it wants a page)."""
    return request.headers.get("hx-request") == "true"


def language_of(request: Request) -> str:
    """The language of a device: its cookie, if it names one that there is a catalogue for."""
    wanted = request.cookies.get(LANGUAGE_COOKIE, DEFAULT)
    return wanted if wanted in languages() else DEFAULT


def texts_of(request: Request) -> Texts:
    """The catalogue for a request."""
    return texts(language_of(request))


class Renderer:
    """Renders templates with everything a template may use: texts `t`, seat shapes, meters, notes, `command_id()`."""

    def __init__(self) -> None:
        self._env = jinja2.Environment(
            loader=jinja2.FileSystemLoader(WEB / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            extensions=["jinja2.ext.do"],
        )
        self._env.filters["dollars"] = dollars
        self._env.globals.update(
            shape=lambda colour: Markup(SHAPES[colour]),
            shape_name=SHAPE_NAMES,
            drums=drums,
            pips=pips,
            note_colour=NOTES,
            command_id=new_command_id,
            static=static_url,
            head=_head,
        )

    def render(self, name: str, language: str, **context: Any) -> str:
        """A template as text, in a language."""
        return self._env.get_template(name).render(t=texts(language), **context)

    def page(self, request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A whole page for a request: theme, hand and language come from its cookies, `visitor` from the guards."""
        theme = request.cookies.get(THEME_COOKIE, "day")
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        html = self.render(
            name,
            language_of(request),
            theme=theme if theme in THEMES else "day",
            hand="left" if request.cookies.get(HAND_COOKIE) == "left" else "right",
            visitor=visitor,
            path=request.url.path,
            **context,
        )
        return HTMLResponse(html, status_code=status)

    def fragment(self, request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A part of a page, for htmx."""
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        return HTMLResponse(self.render(name, language_of(request), visitor=visitor, **context), status_code=status)


def _head(destination: str) -> Markup:
    """The drawn head of a character, as the inside of a 48 × 48 box; a plain face for one that is not drawn."""
    return Markup(drawn_head(destination)) or PLAIN_FACE  # noqa: S704 - drawn by us
