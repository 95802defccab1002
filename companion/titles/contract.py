"""What the companion's part of a title offers: one protocol for each file of companion/titles/<title>/, and the small
shapes that go to and fro between it and the generic rooms.

A piece is something with a tag: a taxi, or a driver. A piece has an id of its own in each title ("taxi:1", "taxi:T3",
"driver:2"); the tables keep which tag is which piece. A place is a name of the board's. Nothing here is imported by
shared_rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.tables.receipts import Audience, Json, LogRow

if TYPE_CHECKING:
    from markupsafe import Markup

    from companion.tables.setup import EveningSetup
    from companion.tables.table_plan import TablePlan
    from companion.web.screens.choices import Decision
    from companion.web.screens.narration import Line
    from companion.web.screens.seats import Screen
    from companion.web.texts import Texts

Labels = list[list[Any]]


@dataclass(frozen=True)
class Piece:
    """Something on the table that carries a tag. `seat` 0: it belongs to nobody; `colour` is one of the seats'
    colours, or "" for a piece without one (`label` then tells it from the others, "1" say)."""

    id: str
    kind: str
    seat: int
    colour: str
    label: str = ""

    @property
    def mark(self) -> str:
        """What it is in every evening ("taxi red"): a tag once learnt is known the next time."""
        return f"{self.kind} {self.colour or self.label}"


@dataclass(frozen=True)
class FaceMap:
    """What the twelve faces of the electronic die mean while it plays one of the game's dice. `values` are what the
    device reports for its faces 1–12, `faces[value]` is what the rules get. Ids: 1 six pips, 2 lights, 3 three pips,
    4 faces by house rule."""

    map_id: int
    style: int
    values: tuple[int, ...]
    faces: Mapping[int, Any]


@dataclass(frozen=True)
class Sight:
    """The game and the table as they stand, for a title's table and explanations. `lies`: piece → socket of every
    piece that lies on one; `name(seat)` is what people call a seat."""

    state: Any
    position: Json
    plan: TablePlan
    lies: Mapping[str, int]
    pieces: Mapping[str, Piece]
    name: Callable[[int], str]


class SetupPart(Protocol):
    """setup.py. `LENGTHS`: choices of length, the usual one first (texts `setup.length.<x>`, `.small`); empty where a
    game has one length. `ASKS`: which of "cards", "dice", "money" are asked. `PICTURE`: the inside of a
    220 × 96 SVG. `QUICK`: seats of "show me a table". `SHOWN`: its place among the games' cards."""

    LENGTHS: tuple[str, ...]
    ASKS: tuple[str, ...]
    PICTURE: str
    QUICK: int
    SHOWN: int

    def position(self, setup: EveningSetup) -> Json:
        """What `load_position` gets for a new game; names of people stay out of it (`colour_name`)."""
        ...


class TablePart(Protocol):
    """table.py. Called by companion/tables; imports nothing of the pages.

    `CHANCE`: verb → the fields in which chance is answered ({"roll": ("face",), "draw_card": ("card",)}), for undo
    (the same request keeps its outcome) and the gate. `SHOWING`: verbs that turn over what was hidden (undo needs
    consent). `SECRET`: verbs about which a bot explains itself only when the game is over. `FOLLOWS`: whether pieces
    follow the game (the rules move them, people do it after them), so that all pages say at once what to put where.
    """

    CHANCE: Mapping[str, tuple[str, ...]]
    SHOWING: frozenset[str]
    SECRET: frozenset[str]
    FOLLOWS: bool

    def pieces(self, seats: Sequence[Json], position: Json) -> list[Piece]:
        """Every piece that can have a tag, in the order in which they are learnt; `seats` as in `setup["seats"]`."""
        ...

    def base(self, board: Json) -> str | None:
        """The place where tags are learnt."""
        ...

    def place_name(self, board: Json, place: str) -> str:
        """A place in the table's own English sentences: "the base"."""
        ...

    def piece_name(self, piece: Piece) -> str:
        """A piece in them, at a sentence's beginning: "Red"."""
        ...

    def where(self, position: Json) -> dict[str, str | None]:
        """Piece → place where the game has it; None: on the table, but on no place. A piece that is out of the game
        is left out."""
        ...

    def alike(self, position: Json) -> list[list[str]]:
        """Groups of pieces that nobody can tell apart (neutral taxis): lying in one another's places is right, and
        their tags change places in silence. What rides on one tells which it is."""
        ...

    def riding(self, position: Json) -> dict[str, str]:
        """Piece → the piece that it rides on and goes along with (a driver in a taxi); {} where none does."""
        ...

    def awaited(self, position: Json) -> dict[str, int]:
        """Piece → seat, for pieces whose coming to rest on another place may be something that the game waits for;
        they are not told to be put right."""
        ...

    def arrived(self, sight: Sight, piece: str, place: str) -> Json | None:
        """The command that this arrival means; None when it is none (it is then explained). Asked 0.6 s after an
        awaited piece came to rest, or when a throw decides it."""
        ...

    def overruled(self, sight: Sight, piece: str, place: str, was_move: bool, why: str) -> list[Json]:
        """Commands by which the banker makes the game follow the table: a correction, and if it was a move, the move
        that ends there. The first must be carried out for the others to follow."""
        ...

    def dice(self, position: Json) -> dict[str, FaceMap]:
        """Die of the rules → what the electronic die's faces mean."""
        ...

    def invited(self, position: Json, wanted: Json | None) -> str | None:
        """The die whose throw the table may invite now; `wanted` is what chance is asked for (`game.chance`)."""
        ...

    def lights(self, sight: Sight, alarms: Sequence[str]) -> dict[int, int]:
        """LED → look (companion.devices.table_output) for the game as it stands; `alarms` are places where a piece
        lies wrongly."""
        ...

    def passed(self, sight: Sight, events: Sequence[Json]) -> list[tuple[int, int, list[int]]]:
        """[(look, seconds, LEDs)] for what has just been passed or reached."""
        ...


class ExplanationsPart(Protocol):
    """explanations.py: English sentences of the table's own (the pages say them again in their language)."""

    def move(self, sight: Sight, piece: str, seen: str) -> Json | None:
        """An awaited piece lies at `seen` and that is no command (or nobody saw it arrive): {"kind": "unreachable" or
        "confirm_move" or "wrong_place", "needs": what it would cost, for the title's own pages, "sentence"}; None:
        nothing to be asked about (a taxi that is just being pushed, say)."""
        ...

    def on_road(self, sight: Sight, piece: str) -> str:
        """The question while an awaited piece is on no socket: "Where did Red stop?"; "" where nothing is asked."""
        ...

    def thrown(self, die: str | None, face: Any) -> str:
        """A void throw in words: "green", "4"."""
        ...

    def expected(self, sight: Sight, wanted: Json | None) -> str:
        """What is expected instead: "Now Ann throws for streets."."""
        ...


class MoneyPart(Protocol):
    """money.py. `SIGN` stands before amounts on meters ("$", "£", ""). `PLACES`: figures of a meter. `NOTES`: from
    the largest, with their colours; empty where there are none (then nothing is "by hand")."""

    SIGN: str
    PLACES: int
    NOTES: Mapping[int, str]

    def amount(self, value: int) -> str:
        """$14,870; −£30; 3."""
        ...

    def moves(self, events: Sequence[Json | None]) -> list[tuple[int, int, int]]:
        """(payer, payee, amount) of each transfer between seats and the bank (0) that is nobody's secret."""
        ...


class HouseRulesPart(Protocol):
    """house_rules.py. Words come from texts `option.<name>` and `option.<name>.<value>`, else from the rules' own
    one-line explanation. `ASKED`: names of those asked first. `EXTRA`: option → further values that a form offers.
    `TYPED`: options that are typed."""

    ASKED: tuple[str, ...]
    EXTRA: Mapping[str, tuple[Any, ...]]
    TYPED: frozenset[str]


class SeatsPart(Protocol):
    """seats.py."""

    def screen_of(self, view: Json, title: str, language: str) -> Screen:
        """The public face of the game for one audience: header, seats, board (see companion.web.screens.seats)."""
        ...


class ChoicesPart(Protocol):
    """choices.py. `VERBS`: verb → field → kind (companion.web.pages.acting: word, words, count, face, faces, place):
    only these reach the rules. `FOR_BANK`: verbs that no phone may send."""

    VERBS: Mapping[str, Mapping[str, str]]
    FOR_BANK: frozenset[str]

    def verb(self, form: Mapping[str, Any]) -> str:
        """The verb that a form means; usually its `do`."""
        ...

    def finished(self, form: Mapping[str, Any], command: Json) -> Json:
        """The command with what only this game's forms hold (a typed card, say). `BadFormError`, `BadCardError`."""
        ...


class DecisionsPart(Protocol):
    """decisions.py: a class `Decisions(companion.web.screens.decisions.Decisions)`."""

    Decisions: type[Any]

    def needs_words(self, needs: Sequence[Any], has: Sequence[Any], name: str, t: Texts) -> Markup | str:
        """What a move would take (`needs` of an explanation) and what its seat (`name`) `has`, as a sentence; empty
        where nothing could pay for it."""
        ...


class NarrationPart(Protocol):
    """narration.py: a class `Narrator(companion.web.screens.narration.Narrator)`, and what the pages look up in the
    log."""

    Narrator: type[Any]

    def card_of_the_turn(self, rows: Sequence[LogRow], screen: Screen, t: Texts) -> Line | None:
        """A card whose words stay on the page while it works."""
        ...

    def last_throw(self, rows: Sequence[LogRow]) -> list[tuple[str, Any]]:
        """[(die, face), …] of the turn that is going on."""
        ...


class SheetsPart(Protocol):
    """sheets.py. `BANK` and `SEAT`: name → function(companion.web.pages.sheets.Asked) → what its template
    titles/<title>/templates/sheet_<name>.html shows, None where there is nothing to show. `CORRECT`: numbers of a
    player that the correction sheet offers, with their step and least value (None: any)."""

    BANK: Mapping[str, Callable[[Any], Json | None]]
    SEAT: Mapping[str, Callable[[Any], Json | None]]
    CORRECT: Mapping[str, tuple[int, int | None]]

    def stock(self, screen: Screen, t: Texts) -> Json:
        """What the bank or the box holds: {"counts": [Count], "words": [sentence], "decks": [(cards left, words,
        cards used)]}."""
        ...


class WallPart(Protocol):
    """wall.py."""

    def turn(self, screen: Screen, bank: Screen, rows: Sequence[LogRow], t: Texts) -> Any:
        """A `companion.web.screens.wall_turn.WallTurn`; `bank` is the banker's screen, for its prompts only."""
        ...


class IconsPart(Protocol):
    """icons.py."""

    def icon(self, name: str) -> str:
        """A whole small SVG; "" for a name that is the generic ones' (card, none)."""
        ...

    def picture(self, name: str) -> str:
        """The inside of a 48 × 48 box for a goal; "" for a plain one."""
        ...

    def face(self, die: str, face: Any) -> str:
        """The inside of a die's face in a box from −24 to 24; "" for pips."""
        ...


class MapPart(Protocol):
    """map/draw.py. A map is drawn whole once, afterwards only its live groups are swapped."""

    LIVE_GROUPS: tuple[str, ...]

    def draw_map(
        self,
        board: Json,
        layout: Json,
        view: Mapping[str, Any] | None = None,
        *,
        mode: str,
        crop: str | None,
        label: str | None,
    ) -> str:
        """One inline SVG, class `map map-<mode>`; mode is wall, tablet, phone or bench."""
        ...

    def draw_live(
        self, board: Json, layout: Json, view: Mapping[str, Any] | None = None, **extra: Any
    ) -> dict[str, str]:
        """{id: '<g id="…">…</g>'} of all `LIVE_GROUPS`; `extra` is what `extra` below gave."""
        ...

    def extra(self, screen: Screen, rows: Sequence[LogRow], alarms: Sequence[Json]) -> dict[str, Any]:
        """What `draw_live` shows besides the view: reach, route, the drive just made … `screen` is the banker's;
        nothing secret may come of it, since all pages show the same map."""
        ...

    def focus(self, screen: Screen, seat: int) -> list[str]:
        """Places that a phone's window shows first, the taxi's first."""
        ...

    def crop_round(
        self, board: Json, layout: Json, places: Sequence[str], width: float, height: float, scale: float = 1.5
    ) -> str:
        """The viewBox that shows these places."""
        ...

    def place_points(self, board: Json, layout: Json) -> dict[str, tuple[float, float]]:
        """Where every stop lies on the map's page."""
        ...

    def place_name(self, board: Json, layout: Json, place: str) -> str:
        """A place as people call it. KeyError for none."""
        ...

    def grid_reference(self, board: Json, layout: Json, place: str) -> str:
        """The map reference of a place, "M 1"."""
        ...

    def hold(self, piece: Piece) -> str:
        """The piece as it is drawn in a hand on the bench, round 0, 0."""
        ...


__all__ = ["Audience", "Decision", "FaceMap", "Json", "Piece", "Sight", "field"]
