"""The page of a simulation: one HTML file with everything in it, for whoever wants to see how a game plays.

It needs no network and no script; fonts, style and pictures are inside. What is measured is said in words above each
picture, the numbers stand beside it, and the foot says how to play the same games again.
"""

from __future__ import annotations

import base64
import statistics
from collections.abc import Sequence
from html import escape
from pathlib import Path

import companion
from companion.simulation import charts, figures
from companion.simulation.charts import Box, Whisker
from companion.simulation.figures import Spread, Tells, Wins
from companion.simulation.games import board_title
from companion.simulation.intervals import wilson
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.report import about, amount, decimal, percent
from companion.simulation.titles import BETWEEN, part
from companion.simulation.tournament import Strength, strengths
from shared_rules import games as titles

STYLE = Path(__file__).with_name("page.css")
FONTS = Path(companion.__file__).parent / "web" / "static" / "fonts"
FACES = (
    ("Barlow Condensed", 500, "barlow-condensed-latin-500-normal"),
    ("Barlow Condensed", 700, "barlow-condensed-latin-700-normal"),
    ("Besley", 600, "besley-latin-600-normal"),
)
GROUPS = 8
"""Points of the curve that shows how a lead at half time tells the winner."""
LEAST_IN_GROUP = 12


def page(plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]], again: str) -> str:
    """The whole page for the games of a plan, or of the pairs of a tournament; `again` is the command for them."""
    plan = plans[0]
    games = [game for each in played for game in each]
    sections = _tournament(plans, played) if len(plans) > 1 else _fairness(plan, games)
    sections += [_lengths(games), _money(plan, games)]
    sections += _deciding(plan, games)
    title = str(getattr(titles.meta(plan.game), "TITLE", plan.game))
    return _DOCUMENT.format(
        title=escape(title),
        style=_fonts() + STYLE.read_text("utf-8"),
        kicker="A tournament of bots" if len(plans) > 1 else "Games played by bots",
        played=" ".join(escape(line) for line in _about(plans, played)),
        tiles=_tiles(games),
        sections="\n".join(section for section in sections if section),
        again=escape(again + (" --tournament" if len(plans) > 1 else "")),
    )


def _about(plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]]) -> list[str]:
    if len(plans) == 1:
        return about(plans[0], played[0])
    bots = sorted({bot for plan in plans for bot in plan.bots})
    one, many = part(plans[0].game).about(plans[0])
    return [
        f"Every two of {', '.join(bots)} met in {len(played[0])} {many if len(played[0]) != 1 else one} on "
        f"{board_title(plans[0].board)} with {plans[0].players} players, seed {plans[0].seed}."
    ]


def _tiles(games: Sequence[PlayedGame]) -> str:
    lengths = {row.name: row for row in figures.lengths(games)}
    totals = figures.totals(games)
    shared = sum(len(game.winners) > 1 for game in games)
    tiles = [
        (f"{len(games):,}", "games"),
        (f"{lengths['turns a game'].mean:,.1f}", "turns a game"),
        (amount(totals.mean), "at the end, a player"),
        (f"{shared:,}", "shared wins"),
    ]
    return "".join(f'<div class="tile"><b>{value}</b><span>{words}</span></div>' for value, words in tiles)


def _fairness(plan: Plan, games: Sequence[PlayedGame]) -> list[str]:
    side = part(plan.game).SIDE
    out = [
        _shares("Is the seat fair?", "seat", figures.wins_by_seat(games), games),
        _shares(f"Is the {side} fair?", side, figures.wins_by_side(games), games),
    ]
    if len(set(plan.bots)) > 1:
        rows = figures.wins_by_bot(games)
        best = max(rows, key=lambda row: row.share - row.even)
        words = f"<strong>{escape(best.name)}</strong> wins {percent(best.share)} ({_range(best)}) of its games"
        even = "" if len({row.even for row in rows}) > 1 else f", where {percent(best.even)} would be even"
        marks = [Whisker(row.name, row.share, row.low, row.high, _numbers(row), _better(row)) for row in rows]
        picture = charts.whiskers(marks, _share, "Share of wins by bot", _fair(rows), (0, 0.5))
        out.append(_section("Who plays better?", words + even + ".", picture))
        lying = [
            Box(name, _percentiles(values), amount(statistics.median(values)))
            for name, values in figures.totals_by_bot(games)
        ]
        said = f"{part(plan.game).UNIT.capitalize()} at the end: half of all lie in the box, nine of ten on the line."
        out.append(_section("What they end with", said, charts.boxes(lying, amount, "Totals by bot")))
    return out


def _shares(title: str, column: str, rows: Sequence[Wins], games: Sequence[PlayedGame]) -> str:
    off = [row for row in rows if not row.low <= row.even <= row.high]
    if off:
        worst = max(off, key=lambda row: abs(row.share - row.even))
        words = (
            f'<span class="bad">{escape(column.capitalize())} {escape(worst.name)}</span> wins '
            f"<strong>{percent(worst.share)}</strong> ({_range(worst)}) instead of {percent(worst.even)}. Of twenty "
            "such intervals one misses by chance."
        )
    else:
        words = f"<strong>Nothing speaks against it</strong>: each {escape(column)}'s interval holds the even share."
    marks = [
        Whisker(
            f"{column} {row.name}" if row.name.isdigit() else row.name,
            row.share, row.low, row.high, _numbers(row), "off" if row in off else "",
        )
        for row in rows
    ]  # fmt: skip
    return _section(title, words, charts.whiskers(marks, _share, f"Share of wins by {column}", _fair(rows)))


def _fair(rows: Sequence[Wins]) -> float | None:
    even = {round(row.even, 6) for row in rows}
    return even.pop() if len(even) == 1 else None


def _better(row: Wins) -> str:
    return "good" if row.low > row.even else "off" if row.high < row.even else ""


def _numbers(row: Wins) -> str:
    return f"{percent(row.share)}  ({_range(row)})"


def _range(row: Wins) -> str:
    return f"{100 * row.low:.0f} – {100 * row.high:.0f}"


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _percentiles(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    ranked = sorted(values)
    low, lower, middle, upper, high = (
        ranked[round(share * (len(ranked) - 1))] for share in (0.05, 0.25, 0.5, 0.75, 0.95)
    )
    return low, lower, middle, upper, high


def _lengths(games: Sequence[PlayedGame]) -> str:
    rows = figures.lengths(games)
    turns = next(row for row in rows if row.name == "turns a game")
    span = f"from {decimal(turns.least)} to {decimal(turns.most)}"
    words = f"<strong>{turns.mean:,.1f} turns</strong> on the mean, {span}."
    reasons = sorted({game.reason for game in games})
    if len(reasons) > 1:
        ends = [(reason, sum(game.reason == reason for game in games)) for reason in reasons]
        words += " Ended by " + ", ".join(f"{escape(_spaced(reason))} ({count:,})" for reason, count in ends) + "."
    picture = charts.histogram([game.lengths["turns a game"] for game in games], decimal, "How many turns games took")
    return _section("How long is a game?", words, picture + _table(rows, decimal))


def _money(plan: Plan, games: Sequence[PlayedGame]) -> str:
    rows = figures.money(games)
    if not rows:
        return ""
    own = [row for row in rows if not row.name.startswith(BETWEEN)]
    passed = [row for row in rows if row.name.startswith(BETWEEN)]
    words = f"{part(plan.game).UNIT.capitalize()} a player and game, from the table's stock (blue) or back to it (red)."
    pictures = charts.bars([(row.name, row.mean, amount(row.mean)) for row in own], amount, "Sums by reason")
    if passed:
        named = ", ".join(f"{escape(row.name.removeprefix(BETWEEN))} {amount(row.mean)}" for row in passed)
        words += f" From one player to another: {named}."
    return _section("Where does it come from?", words, pictures + _table([*rows, figures.totals(games)], amount))


def _deciding(plan: Plan, games: Sequence[PlayedGame]) -> list[str]:
    tells = figures.what_tells(games) if len(games) > 3 else []
    if not tells:
        return []
    first = tells[0]
    words = "How what a seat has at half time, beyond its table's mean, goes with winning (point-biserial correlation)."
    if first.ahead is not None:
        words += f" Who leads in <strong>{escape(first.name)}</strong> then wins {percent(first.ahead)} of the games."
    marks = [
        Whisker(row.name, row.correlation, row.low, row.high, _told(row), "off" if row.high < 0 else "")
        for row in tells
    ]
    picture = charts.whiskers(marks, lambda value: f"{value:+.1f}", "Correlation with winning", 0.0)
    out = [_section("What decides?", words, picture)]
    points = _curve(first.name, games)
    if points:
        even = statistics.fmean(1 / len(game.bots) for game in games)
        curve = charts.steps(
            points, _share, f"{first.name} at half time, beyond the best of the others (groups of equal size)",
            "Share of wins by lead at half time", even,
        )  # fmt: skip
        said = (
            f"Share of wins by the lead in <strong>{escape(first.name)}</strong> at half time; dotted: an even share."
        )
        out.append(_section("When is it decided?", said, curve))
    return out


def _told(row: Tells) -> str:
    return f"{row.correlation:+.2f}" + ("" if row.ahead is None else f"  (led and won {100 * row.ahead:.0f} %)")


def _curve(name: str, games: Sequence[PlayedGame]) -> list[Whisker]:
    """Leads of all seats in groups of equal size, and how often each group won."""
    cases = []
    for game in games:
        values = game.half[name]
        for seat, value in enumerate(values, 1):
            others = max(other for place, other in enumerate(values, 1) if place != seat)
            cases.append((value - others, game.won_by(seat)))
    groups = min(GROUPS, len(cases) // LEAST_IN_GROUP)
    if groups < 2:
        return []
    cases.sort()
    out = []
    for index in range(groups):
        these = cases[index * len(cases) // groups : (index + 1) * len(cases) // groups]
        won = sum(part for _, part in these)
        low, high = wilson(won, len(these))
        lead = statistics.fmean(lead for lead, _ in these)
        words = f"lead {amount(lead)}: {percent(won / len(these))} of {len(these)}"
        out.append(Whisker(f"{'+' if lead > 0 else ''}{amount(lead)}", won / len(these), low, high, words))
    return out


def _tournament(plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]]) -> list[str]:
    table = strengths(plans, played)
    marks = [
        Whisker(row.bot, row.points, row.points - row.error, row.points + row.error, _points(row)) for row in table
    ]
    words = f"<strong>{escape(table[0].bot)}</strong> leads. Bradley–Terry in Elo's points: 400 points are ten to one."
    out = [_section("Who is the strongest?", words, charts.whiskers(marks, amount, "Strengths", 1500.0))]
    pairs = []
    for plan, games in zip(plans, played, strict=True):
        for row in figures.wins_by_bot(games):
            if row.name == plan.bots[0]:
                label = f"{plan.bots[0]} against {plan.bots[1]}"
                pairs.append(Whisker(label, row.share, row.low, row.high, _numbers(row), _better(row)))
    picture = charts.whiskers(pairs, _share, "Shares of wins by pair", 0.5, (0, 1))
    out.append(_section("Pair by pair", "Wins of the first named, with Wilson intervals.", picture))
    return out


def _points(row: Strength) -> str:
    return f"{row.points:.0f}  (± {row.error:.0f})"


def _table(rows: Sequence[Spread], says: charts.Says) -> str:
    lines = []
    for row in rows:
        interval = f"{says(row.interval[0])} – {says(row.interval[1])}" if row.interval else "–"
        cells = (says(row.mean), interval, says(row.least), says(row.median), says(row.most))
        lines.append(f"<tr><td>{escape(row.name)}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    heads = ("mean", "95 %", "least", "median", "most")
    return (
        '<details><summary>All figures</summary><div class="scroll"><table><thead><tr><th></th>'
        + "".join(f"<th>{head}</th>" for head in heads)
        + "</tr></thead><tbody>"
        + "".join(lines)
        + "</tbody></table></div></details>"
    )


def _section(title: str, words: str, picture: str) -> str:
    head = f'<h2>{escape(title)}</h2><p class="verdict">{words}</p>'
    return f'<section>{head}<div class="scroll">{picture}</div></section>'


def _spaced(reason: str) -> str:
    return reason.replace("_", " ")


def _fonts() -> str:
    out = []
    for family, weight, name in FACES:
        data = base64.b64encode((FONTS / f"{name}.woff2").read_bytes()).decode()
        out.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};'
            f'src:url(data:font/woff2;base64,{data}) format("woff2")}}\n'
        )
    return "".join(out)


_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: games played by bots</title>
<style>
{style}</style>
</head>
<body>
<header>
<p class="kicker">{kicker}</p>
<h1>{title}</h1>
<p class="played">{played}</p>
<div class="tiles">{tiles}</div>
</header>
<main>
{sections}
</main>
<footer>
<p>Shares: Wilson intervals. Means: Student's t over games. Correlations: Fisher's transformation. All 95 %, two-sided.
A shared win counts in parts. The same games again, for any number of processes:</p>
<p><code>{again}</code></p>
</footer>
</body>
</html>
"""
