"""The page of a simulation: whole in one file, well formed, with the figures of the games in words and pictures."""

import re
from html.parser import HTMLParser

import pytest
from simulated import game, plan

from companion.simulation import charts
from companion.simulation.page import page

EMPTY = {"meta", "br"}


class Checked(HTMLParser):
    """Every element is closed; links and sources are collected."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def read(text):
    checked = Checked()
    checked.feed(text)
    assert checked.open == []
    return checked


def games(count=40):
    return [
        game(
            n, (1 if n % 4 else 2,), lengths={"turns a game": 20 + n % 7}, half={"wealth": (n * 10.0, 100.0)},
            money={"bonus": 12000, "between players: stakes lost": 100}, totals=(n * 100, 900),
        )
        for n in range(count)
    ]  # fmt: skip


def test_it_needs_nothing_from_elsewhere():
    text = page([plan(games=40)], [games()], "cabstand simulate --games 40")
    checked = read(text)
    assert checked.links == []
    assert "http" not in text.replace("http-equiv", "")
    assert not re.search(r"url\((?!data:)", text)
    assert "<script" not in text


def test_it_says_what_the_games_say():
    said = " ".join(read(page([plan(games=40)], [games()], "cabstand simulate --games 40")).text)
    assert "TAXI!" in said
    assert "Is the seat fair?" in said
    assert re.search(r"Seat [12]\s+wins\s+75.0 %|Seat 2\s+wins\s+25.0 %", said)
    assert "greedy" in said
    assert "stakes lost 50" in said
    assert "cabstand simulate --games 40" in said
    for question in ("How long is a game?", "Where does it come from?", "What decides?", "When is it decided?"):
        assert question in said


def test_a_fair_seat_is_not_called_unfair():
    fair = [game(n, (1 + n % 2,)) for n in range(40)]
    said = " ".join(read(page([plan(games=40, bots=("random",))], [fair], "x")).text)
    assert said.count("Nothing speaks against it") == 2


def test_one_game_is_a_page_too():
    said = " ".join(read(page([plan(games=1)], [games(1)], "x")).text)
    assert "What decides?" not in said


def test_names_are_no_markup():
    odd = [game(n, (1,), bots=("<b>", "&"), sides=("<i>", "2")) for n in range(8)]
    text = page([plan(games=8, bots=("<b>", "&"))], [odd], "x --bots '<b>'")
    assert "<b></b>" not in text
    assert "&lt;b&gt;" in text
    read(text)


def test_a_tournament_has_strengths_and_pairs():
    pairs = [plan(bots=("greedy", "random")), plan(bots=("greedy", "strong")), plan(bots=("random", "strong"))]
    played = [[game(n, (1 + (n % 3 == 0),), bots=pair.bots) for n in range(12)] for pair in pairs]
    said = " ".join(read(page(pairs, played, "cabstand simulate")).text)
    assert "Who is the strongest?" in said
    assert "greedy against strong" in said
    assert "cabstand simulate --tournament" in said


@pytest.mark.parametrize(("rough", "step"), [(1, 1), (1.01, 2), (0.03, 0.05), (2300, 5000), (0.2, 0.2), (7, 10)])
def test_axes_have_round_steps(rough, step):
    assert charts._round_step(rough) == pytest.approx(step)


def test_pictures_lie_within_their_frame():
    rows = [charts.Whisker("a", 5, 1, 12, "5"), charts.Whisker("b", 120, 100, 130, "120")]
    pictures = [
        charts.whiskers(rows, str, "x", 50.0),
        charts.bars([("a", -3.0, ""), ("b", 900.0, "")], str, "x"),
        charts.boxes([charts.Box("a", (1, 2, 3, 4, 5), "")], str, "x"),
        charts.histogram([1, 2, 2, 90], str, "x"),
        charts.histogram([3.0], str, "x"),
        charts.histogram([0.5, 0.7], str, "x"),
        charts.steps([charts.Whisker("1", 0.5, 0.1, 0.9, "")] * 3, str, "x", "x", 0.5),
    ]
    for picture in pictures:
        width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups())
        for name, value in re.findall(r" (x1|x2|cx|x|y1|y2|cy|y)=\"([\d.-]+)\"", picture):
            assert 0 <= float(value) <= (width if "x" in name else height), (name, value)
