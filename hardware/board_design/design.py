"""Designs a TAXI! board with its six guides, for the founders of a town: python -m hardware.board_design.design --help.

Two C programs beside this file do the annealing (a C compiler is needed: `cc`, or what $CC names); everything they
claim is counted again from the finished board by shared_rules/games/taxi/board_checks. A town that is kept must pass
all of these checks; beyond them the programs wish for looks (few bends, no crowds, room for a river) and for more than
is asked. The shipped town is `--seeds 5 5 --proposals 800000 --guide-tries 24 --guide-proposals 500000`.
Playing needs neither this tool nor a compiler.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from shared_rules.games.taxi.board import Board, parse_board
from shared_rules.games.taxi.board_checks import check_board
from shared_rules.games.taxi.streets import street_map

HERE = Path(__file__).parent
COLUMNS, ROWS = 15, 11
BASE = (7, 5)
MAJOR_ROWS, MAJOR_COLUMNS = (2, 5, 8), (2, 7, 12)
# The freeway runs so far outside the lattice, its corners cut by one block; gates stand a block outside.
RING, GATE = 1.5, 1.0
OPEN, LIT = "o", "*"

# The people of the town, and where they would rather live: at its edge (1), in its middle (-1), anywhere (0).
PEOPLE = {
    "captain_brine": ("Captain Brine", 1),
    "madame_vibrato": ("Madame Vibrato", -1),
    "miss_mildew": ("Miss Mildew", 0),
    "granny_knott": ("Granny Knott", 0),
    "sergeant_snooze": ("Sergeant Snooze", 0),
    "chef_soufflet": ("Chef Soufflet", -1),
    "professor_fizz": ("Professor Fizz", 0),
    "baron_bolt": ("Baron Bolt", 1),
    "postmaster_lint": ("Postmaster Lint", -1),
    "lady_hatt": ("Lady Hatt", 0),
    "great_mumbo": ("The Great Mumbo", 0),
    "doctor_molar": ("Doctor Molar", 0),
    "judge_gavel": ("Judge Gavel", -1),
    "uncle_tuba": ("Uncle Tuba", 0),
    "nurse_nettle": ("Nurse Nettle", 0),
    "inspector_crumb": ("Inspector Crumb", 0),
    "countess_cameo": ("Countess Cameo", 1),
    "farmer_turnip": ("Farmer Turnip", 1),
    "mister_ledger": ("Mister Ledger", -1),
    "aunt_marmalade": ("Aunt Marmalade", 0),
    "count_ohm": ("Count Ohm", 1),
    "sister_bell": ("Sister Bell", 0),
    "colonel_whisker": ("Colonel Whisker", 0),
    "dame_pebble": ("Dame Pebble", 0),
    "wee_angus": ("Wee Angus", 0),
    "mister_pane": ("Mister Pane", 0),
    "baker_bunn": ("Baker Bunn", 0),
    "miss_overdue": ("Miss Overdue", 0),
}
# Neighbours whose names or trades are easily taken for one another are kept apart.
ALIKE = (
    ("miss_mildew", "miss_overdue"),
    ("mister_ledger", "mister_pane"),
    ("count_ohm", "countess_cameo"),
    ("chef_soufflet", "baker_bunn"),
    ("doctor_molar", "nurse_nettle"),
    ("sergeant_snooze", "inspector_crumb"),
    ("colonel_whisker", "captain_brine"),
    ("madame_vibrato", "uncle_tuba"),
    ("granny_knott", "aunt_marmalade"),
    ("baron_bolt", "count_ohm"),
    ("lady_hatt", "dame_pebble"),
)


class Town:
    """What `streets_anneal` found: a state for each lattice link, the links of the X's, the ramps' junctions."""

    def __init__(self, text: str) -> None:
        lines = dict(line.split(" ", 1) for line in text.splitlines())
        self.energy = float(lines["energy"])
        self.links = lines["links"]
        self.xs = [int(n) for n in lines["xs"].split()]
        self.gates = [int(n) for n in lines["gates"].split()]
        self.exits = [int(n) for n in lines["exits"].split()]


def compile_tool(name: str, folder: Path) -> Path:
    """Compile one of the C programs into a folder; SystemExit with what to do when there is no compiler."""
    compiler = os.environ.get("CC", "cc")
    out = folder / name
    try:
        subprocess.run([compiler, "-O3", "-o", str(out), str(HERE / f"{name}.c"), "-lm"], check=True)
    except FileNotFoundError:
        raise SystemExit(f"No C compiler '{compiler}': install gcc or clang, or name yours in CC.") from None
    except subprocess.CalledProcessError as failure:
        raise SystemExit(f"{name}.c did not compile (status {failure.returncode}).") from None
    return out


def point_name(x: int, y: int) -> str:
    """The id of a junction: its column's letter and its row's number, from the south-west corner a1."""
    return f"{chr(ord('a') + x)}{y + 1}"


def link_ends(link: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two junctions of a lattice link in the numbering of streets_anneal.c."""
    across = (COLUMNS - 1) * ROWS
    if link < across:
        y, x = divmod(link, COLUMNS - 1)
        return (x, y), (x + 1, y)
    x, y = divmod(link - across, ROWS - 1)
    return (x, y), (x, y + 1)


def middle(link: int) -> tuple[float, float]:
    (ax, ay), (bx, by) = link_ends(link)
    return (ax + bx) / 2, (ay + by) / 2


def house_people(town: Town, seed: int) -> list[str]:
    """Who lives at which X: tastes as in PEOPLE, people who are alike far apart; a short annealing."""
    draw = random.Random(seed)
    places = [middle(link) for link in town.xs]
    ids = list(PEOPLE)
    draw.shuffle(ids)
    outward = [max(abs(x - BASE[0]) / 7, abs(y - BASE[1]) / 5) for x, y in places]

    def cost() -> float:
        at = {name: i for i, name in enumerate(ids)}
        total = sum(-PEOPLE[name][1] * outward[i] * 3 for i, name in enumerate(ids))
        for a, b in ALIKE:
            (ax, ay), (bx, by) = places[at[a]], places[at[b]]
            total += max(0.0, 6 - ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
        return total

    now = cost()
    for _ in range(6000):
        i, k = draw.sample(range(len(ids)), 2)
        ids[i], ids[k] = ids[k], ids[i]
        then = cost()
        if then > now:
            ids[i], ids[k] = ids[k], ids[i]
        else:
            now = then
    return ids


def number(value: float) -> float:
    """A coordinate without a needless fraction."""
    return int(value) if value == int(value) else value


def build_board(town: Town, board_id: str, title: str, seed: int) -> dict[str, object]:
    """The board object of a town, without guides."""
    people = house_people(town, seed)
    points: dict[str, list[float]] = {}
    for x in range(COLUMNS):
        for y in range(ROWS):
            points[point_name(x, y)] = [x, y]
    on_link: dict[int, str] = {}
    lit = [link for link in range(len(town.links)) if town.links[link] == LIT]
    lit.sort(key=lambda link: _reading(middle(link)))
    for i, link in enumerate(lit):
        on_link[link] = f"L{i + 1:02}"
    for i, link in enumerate(town.xs):
        on_link[link] = f"X_{people[i]}"
    for link, name in on_link.items():
        points[name] = [number(c) for c in middle(link)]
    roads = _streets(town, on_link)
    gates = _freeway(town, points, roads)
    destinations = {people[i]: {"name": PEOPLE[people[i]][0], "at": f"X_{people[i]}"} for i in range(len(people))}
    raw = {
        "id": board_id,
        "title": title,
        "points": points,
        "lights": [on_link[link] for link in lit],
        "gates": gates,
        "base": point_name(*BASE),
        "roads": roads,
        "destinations": destinations,
    }
    return parse_board(raw).dump()


def _reading(at: tuple[float, float]) -> tuple[float, float]:
    return -at[1], at[0]


def _streets(town: Town, on_link: dict[int, str]) -> list[dict[str, object]]:
    """The unbroken runs of the lattice as roads, row by row, then column by column."""
    across = (COLUMNS - 1) * ROWS
    lines = [(y in MAJOR_ROWS, list(range(y * (COLUMNS - 1), (y + 1) * (COLUMNS - 1)))) for y in range(ROWS)]
    for x in range(COLUMNS):
        first = across + x * (ROWS - 1)
        lines.append((x in MAJOR_COLUMNS, list(range(first, first + ROWS - 1))))
    roads: list[dict[str, object]] = []
    for major, links in lines:
        via: list[str] = []
        for link in links:
            a, b = (point_name(*end) for end in link_ends(link))
            if town.links[link] not in (OPEN, LIT):
                via = []
                continue
            if not via:
                via = [a]
                roads.append({"kind": "major" if major else "minor", "via": via})
            if link in on_link:
                via.append(on_link[link])
            via.append(b)
    return roads


def _freeway(town: Town, points: dict[str, list[float]], roads: list[dict[str, object]]) -> list[str]:
    """Add the ring, its gates and exits to points and roads; returns the gates' ids, clockwise from the west."""
    west, east, south, north = -RING, COLUMNS - 1 + RING, -RING, ROWS - 1 + RING
    ramps = sorted(((j, True) for j in town.gates), key=lambda r: _clockwise(r[0]))
    ramps += [(j, False) for j in town.exits]
    ring: list[tuple[float, float, str]] = []
    gates: list[str] = []
    ahead: list[dict[str, object]] = []
    exits: list[tuple[int, str, float, float]] = []
    for j, is_gate in ramps:
        x, y = j % COLUMNS, j // COLUMNS
        dx = -1 if x == 0 else 1 if x == COLUMNS - 1 else 0
        dy = 0 if dx else -1 if y == 0 else 1
        at = (x + RING * dx, y + RING * dy)
        ring.append((at[0], at[1], ""))
        if is_gate:
            gate = f"Gate{len(gates) + 1}"
            gates.append(gate)
            points[gate] = [number(x + GATE * dx), number(y + GATE * dy)]
            ahead.append({"kind": "lead_on", "via": [point_name(x, y), gate]})
            ahead.append({"kind": "freeway", "via": [gate, at]})
        else:
            exits.append((_clockwise(j), point_name(x, y), at[0], at[1]))
    for x, y in ((west, south), (west, north), (east, north), (east, south)):
        cut_x, cut_y = (1 if x < 0 else -1), (1 if y < 0 else -1)
        ring += [(x + cut_x, y, ""), (x, y + cut_y, "")]
    ring.sort(key=lambda p: _around(p[0], p[1], west, east, south, north))
    names: dict[tuple[float, float], str] = {}
    for i, (x, y, _) in enumerate(ring):
        names[(x, y)] = f"Ring{i + 1:02}"
        points[names[(x, y)]] = [number(x), number(y)]
    order = list(names.values())
    roads.append({"kind": "freeway", "via": [*order, order[0]]})
    for road in ahead:
        via = road["via"]
        assert isinstance(via, list)
        roads.append({"kind": road["kind"], "via": [names[p] if isinstance(p, tuple) else p for p in via]})
    for _, junction, x, y in sorted(exits):
        roads.append({"kind": "off_ramp", "via": [names[(x, y)], junction]})
    return gates


def _clockwise(junction: int) -> int:
    """Order of perimeter junctions: up the west side, along the north, down the east, back along the south."""
    x, y = junction % COLUMNS, junction // COLUMNS
    if x == 0:
        return y
    if y == ROWS - 1:
        return 100 + x
    if x == COLUMNS - 1:
        return 200 - y
    return 300 - x


def _around(x: float, y: float, west: float, east: float, south: float, north: float) -> float:
    """Position on the ring, clockwise from its south-west; its cut corners sort after their side's end."""
    if x == west:
        return y
    if y == north:
        return 100 + x
    if x == east:
        return 200 - y
    return 300 - x


def distances(board: Board) -> str:
    """The input of guides_anneal.c."""
    streets = street_map(board, {})
    base = board.base
    assert base is not None
    places = [board.destinations[name]["at"] for name in board.destination_ids] + [base]
    rows = []
    for green in (0, len(board.lights)):
        for a in places:
            rows.append(" ".join(str(streets.streets_needed(a, b, green, 0)) for b in places))
    return "\n".join(rows) + "\n"


def guides_from(cycles: list[list[str]]) -> list[list[str]]:
    """Six guides of 30 trips from two cycles of 14 destinations (three forwards, three backwards: rules/S-151)."""
    guides = []
    for start, step in ((0, 1), (4, 1), (8, 1), (1, -1), (5, -1), (9, -1)):
        guide = []
        for cycle in cycles:
            guide += [cycle[(start + step * k) % len(cycle)] for k in range(len(cycle))] + ["base"]
        guides.append(guide)
    return guides


def find_guides(tool: Path, board: Board, seeds: range, proposals: int) -> tuple[float, list[list[str]], str]:
    """The best guides over several seeds: (energy, guides, figures)."""
    text = distances(board)
    best: tuple[float, list[list[str]], str] | None = None
    for seed in seeds:
        run = subprocess.run(
            [str(tool), str(seed), str(proposals)], input=text, capture_output=True, text=True, check=True
        )
        *cycles, figures = run.stdout.splitlines()
        energy = float(figures.split()[1])
        if best is None or energy < best[0]:
            ids = board.destination_ids
            best = energy, guides_from([[ids[int(n)] for n in cycle.split()] for cycle in cycles]), figures
        if energy == 0:
            break
    assert best is not None
    return best


def write_board(board: dict[str, object], path: Path) -> None:
    """Write a board as people like to read it: a road, a destination and a guide a line."""
    lines = []
    for key, value in board.items():
        if isinstance(value, dict) and key == "points":
            items = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
            rows = [", ".join(items[i : i + 8]) for i in range(0, len(items), 8)]
            lines.append(f' "{key}": {{\n  ' + ",\n  ".join(rows) + "}")
        elif isinstance(value, dict):
            rows = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items()]
            lines.append(f' "{key}": {{\n  ' + ",\n  ".join(rows) + "}")
        elif key in ("roads", "guides"):
            assert isinstance(value, list)
            lines.append(f' "{key}": [\n  ' + ",\n  ".join(json.dumps(row) for row in value) + "]")
        else:
            lines.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    path.write_text("{\n" + ",\n".join(lines) + "}\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Anneal towns with several seeds, find guides for each, write those that succeed; exit status 1 if none does."""
    parser = argparse.ArgumentParser(prog="python -m hardware.board_design.design", description="Design a TAXI! board.")
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 12), metavar=("FIRST", "LAST"))
    parser.add_argument("--proposals", type=int, default=400_000, help="of streets, a seed (400000 take about 15 s)")
    parser.add_argument("--guide-proposals", type=int, default=300_000)
    parser.add_argument("--guide-tries", type=int, default=6, help="seeds of guides a town")
    parser.add_argument("--id", default="fumbling")
    parser.add_argument("--title", default="Fumbling-on-the-Dawdle (stand-in)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for ID-SEED.json")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        streets_tool = compile_tool("streets_anneal", Path(folder))
        guides_tool = compile_tool("guides_anneal", Path(folder))

        def one(seed: int) -> bool:
            run = subprocess.run(
                [str(streets_tool), str(seed), str(options.proposals)], capture_output=True, text=True, check=True
            )
            town = Town(run.stdout)
            board = build_board(town, options.id, options.title, seed)
            tries = range(1, options.guide_tries + 1)
            energy, guides, figures = find_guides(guides_tool, parse_board(board), tries, options.guide_proposals)
            board["guides"] = guides
            path = options.out / f"{options.id}-{seed}.json"
            write_board(board, path)
            wrong = [row["check"] for row in check_board(parse_board(board), designed=True) if not row["ok"]]
            verdict = f"fails {', '.join(map(str, wrong))}" if wrong else "passes every check"
            print(
                f"seed {seed}: {run.stderr.strip()}\n  guides: {figures}\n  {path} {verdict}; "
                f"what is wished for is missed by {town.energy:.2f} (streets) and {energy:.2f} (guides)",
                flush=True,
            )
            return not wrong

        found = list(pool.map(one, range(options.seeds[0], options.seeds[1] + 1)))
    print(f"{sum(found)} of {len(found)} towns pass every check; look at them before you choose.")
    return 0 if any(found) else 1


if __name__ == "__main__":
    sys.exit(main())
