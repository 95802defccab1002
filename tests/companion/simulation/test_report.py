"""The report says what the games say: sums, shares and intervals of hand-made games."""

import io

from rich.console import Console
from simulated import game, plan

from companion.simulation.report import amount, print_report


def printed(games, **more):
    output = io.StringIO()
    print_report(Console(file=output, width=100), plan(games=len(games), **more), games)
    return output.getvalue()


def row(text, name, after):
    """The cells of the first row called `name` below a headline."""
    lines = text[text.index(after) :].splitlines()
    found = next(line for line in lines if line.strip().startswith(name + " "))
    return found.strip()[len(name) :].split()


def test_a_shared_win_counts_half_for_each():
    text = printed([game(1, (1,)), game(2, (1, 2)), game(3, (2,)), game(4, (1,))])
    assert row(text, "1", "Wins by seat")[:4] == ["4", "2.5", "62.5", "%"]
    assert row(text, "2", "Wins by seat")[:4] == ["4", "1.5", "37.5", "%"]
    assert "A shared win counts in parts: 1 of them." in text


def test_wins_follow_the_guide_and_the_bot_not_the_seat():
    text = printed([game(1, (1,)), game(2, (2,), sides=("2", "1"), bots=("greedy", "random"))])
    assert row(text, "1", "Wins by guide")[:4] == ["2", "2", "100.0", "%"]
    assert row(text, "random", "Wins by bot")[:4] == ["2", "2", "100.0", "%"]
    assert row(text, "greedy", "Wins by bot")[:4] == ["2", "0", "0.0", "%"]


def test_a_guide_that_lay_in_the_box_is_not_counted_as_played():
    text = printed([game(1, (1,)), game(2, (1,), sides=("1", "6"))])
    assert row(text, "6", "Wins by guide")[0] == "1"


def test_lengths_and_money_are_means_with_their_extremes():
    text = printed([game(n, (1,), lengths={"turns a game": 10 * n}, money={"bonus": 6000 * n}) for n in (1, 2, 3, 4)])
    turns = row(text, "turns a game", "Length")
    assert turns[0] == "25"
    assert turns[-3:] == ["10", "25", "40"]
    bonus = row(text, "bonus", "Where it comes from")
    assert bonus[0] == "7,500"
    assert bonus[-2:] == ["3,000", "12,000"]
    assert row(text, "total at the end", "Where it comes from")[0] == "15,000"


def test_few_games_have_no_interval():
    text = printed([game(1, (1,))])
    assert row(text, "turns a game", "Length")[1] == "–"
    assert "1 short game of 15 trips on Fumbling-on-the-Dawdle" in text


def test_what_went_otherwise_is_said():
    text = printed(
        [game(1, (1,), reason="last_player"), game(2, (1,))], first=17, long=True, options={"tie_break": "x"}
    )
    assert "Ended by: last_player 1, trips_done 1." in text
    assert "Games 17 to 18 of that seed." in text
    assert "2 long games of 30 trips" in text
    assert "House rules: tie_break x" in text


def test_what_tells_the_winner_is_what_winners_had():
    games = [game(n, (1 + n % 2,), half={"wealth": (5.0 * (n % 2 == 0), 5.0 * (n % 2)), "luck": (1.0, 0.0)})
             for n in range(1, 21)]  # fmt: skip
    text = printed(games)
    assert row(text, "wealth", "What tells")[0] == "+1.00"
    assert row(text, "wealth", "What tells")[-2:] == ["100.0", "%"]
    assert row(text, "luck", "What tells")[0] in ("+0.00", "-0.00")
    assert row(text, "luck", "What tells")[-2:] == ["50.0", "%"]


def test_amounts_are_as_exact_as_they_are_worth():
    assert [amount(value) for value in (0.0, -0.04, 3.0, 3.25, -12.0, 12345.6)] == [
        "0",
        "0.0",
        "3",
        "3.2",
        "−12",
        "12,346",
    ]
