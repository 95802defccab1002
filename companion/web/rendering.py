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

from companion import titles
from companion.web.doorkeeper import Visitor
from companion.web.seat_shapes import SHAPE_NAMES, SHAPES
from companion.web.texts import DEFAULT, Texts, languages, texts

WEB = Path(__file__).parent
STATIC = WEB / "static"
THEMES = ("day", "night")
THEME_COOKIE = "look"
SYSTEM = "system"
"""What is chosen to have no look chosen: pages are as dark as the device's system wants them."""
HAND_COOKIE = "hand"
LANGUAGE_COOKIE = "language"

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


def new_command_id() -> str:
    """What makes a form one command however often it is sent."""
    return secrets.token_urlsafe(9)


def static_file(name: str) -> Path:
    """A static file: of a title, "titles/<title>/<file>", else of the pages."""
    parts = name.split("/")
    if parts[0] == "titles" and len(parts) > 2:
        return titles.find(parts[1]).folder.joinpath("static", *parts[2:])
    return STATIC / name


@cache
def static_version(name: str) -> str:
    """A few letters that change when a static file changes, so that browsers may keep it for long."""
    path = static_file(name)
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


def game_of(request: Request) -> str | None:
    """The game of the evening that is open, None without one."""
    table = request.app.state.web.table
    return table.game.name if table is not None else None


def texts_of(request: Request) -> Texts:
    """The catalogue for a request, with the texts of the game that is played."""
    return texts(language_of(request), game_of(request))


GENERIC_ICONS = {
    "card": (
        '<svg viewBox="0 0 26 26" aria-hidden="true"><rect x="5" y="2" width="16" height="22" rx="2" fill="#fffaf0" '
        'stroke="#20242c" stroke-width="2"/><path d="M9 8h8M9 12h8M9 16h5" stroke="#20242c" stroke-width="1.6"/></svg>'
    ),
    "none": (
        '<svg viewBox="0 0 40 26" aria-hidden="true"><path d="M8 13h24" stroke="var(--ink)" stroke-width="4" '
        'stroke-linecap="round"/></svg>'
    ),
}
GENERIC_ICONS["cards"] = GENERIC_ICONS["card"]
DIE_FACE = '<rect x="-21" y="-21" width="42" height="42" rx="8" fill="#fffaf0" stroke="#20242c" stroke-width="2.5"/>'


class Drawings:
    """The small drawn parts of a page of a game (of none: the generic ones): what templates call."""

    def __init__(self, game: str | None) -> None:
        self._title = titles.find(game) if game else None

    def icon(self, name: str) -> Markup:
        """A whole small SVG for a name; empty for one that nobody draws. `d6` is a die that shows five."""
        drawn = self._title.icons.icon(name) if self._title else ""
        if not drawn and name == "d6":
            drawn = f'<svg class="die" viewBox="-24 -24 48 48" aria-hidden="true">{self.face("d6", 5)}</svg>'
        return Markup(drawn or GENERIC_ICONS.get(name, ""))  # noqa: S704 - drawn by us

    def picture(self, name: str) -> Markup:
        """The inside of a 48 × 48 box for a goal; a plain face for one that is not drawn."""
        return Markup(self._title.icons.picture(name) if self._title else "") or PLAIN_FACE  # noqa: S704 - ours

    def face(self, die: str, face: Any) -> Markup:
        """The inside of a die's face, −24 to 24: the title's drawing, else pips."""
        drawn = self._title.icons.face(die, face) if self._title else ""
        if not drawn:
            dots = PIPS.get(face, []) if isinstance(face, int) else []
            drawn = DIE_FACE + "".join(f'<circle cx="{x}" cy="{y}" r="4.3" fill="#20242c"/>' for x, y in dots)
        return Markup(drawn)  # noqa: S704 - drawn by us

    def amount(self, value: int) -> str:
        """An amount of money as the game writes it."""
        return self._title.money.amount(value) if self._title else f"{value:,}"

    def sign(self) -> str:
        """What stands for the bank in the log."""
        return self._title.money.SIGN or "·" if self._title else "·"

    def note_colour(self, value: int) -> str:
        """The colour of a note."""
        return self._title.money.NOTES.get(value, "") if self._title else ""

    def style(self) -> str:
        """The title's own style sheet below /static, empty for none."""
        if self._title is None or not (self._title.folder / "static" / "style.css").is_file():
            return ""
        return f"titles/{self._title.name}/style.css"


class Renderer:
    """Renders templates with everything a template may use: texts `t`, seat shapes, meters, notes, `command_id()`, and
    as `g` the drawings of the game. Templates of a title are named "<title>/<file>"."""

    def __init__(self) -> None:
        folders = {name: jinja2.FileSystemLoader(titles.find(name).folder / "templates") for name in titles.names()}
        self._env = jinja2.Environment(
            loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(WEB / "templates"), jinja2.PrefixLoader(folders)]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            extensions=["jinja2.ext.do"],
        )
        self._env.filters["merge"] = lambda fields, more: {**fields, **more}
        self._env.globals.update(
            shape=lambda colour: Markup(SHAPES[colour]),
            shape_name=SHAPE_NAMES,
            drums=drums,
            command_id=new_command_id,
            static=static_url,
        )

    def render(self, name: str, language: str, game: str | None = None, **context: Any) -> str:
        """A template as text, in a language, for a game."""
        return self._env.get_template(name).render(t=texts(language, game), g=Drawings(game), game=game, **context)

    def has(self, name: str) -> bool:
        """Whether there is a template of this name."""
        return name in self._env.list_templates()

    def page(self, request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A whole page for a request: theme, hand and language come from its cookies, `visitor` from the guards. It is
        about the game that is played, unless `game` names another."""
        game = context.pop("game", game_of(request))
        theme = request.cookies.get(THEME_COOKIE, SYSTEM)
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        html = self.render(
            name,
            language_of(request),
            game,
            theme=theme if theme in THEMES else "day",
            follows_system=theme not in THEMES,
            hand="left" if request.cookies.get(HAND_COOKIE) == "left" else "right",
            visitor=visitor,
            path=request.url.path,
            **context,
        )
        return HTMLResponse(html, status_code=status)

    def fragment(self, request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A part of a page, for htmx."""
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        return HTMLResponse(
            self.render(name, language_of(request), game_of(request), visitor=visitor, **context), status_code=status
        )
