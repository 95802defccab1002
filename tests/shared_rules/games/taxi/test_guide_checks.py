"""Every check of the guides holds for the shipped ones and fails where just that is spoilt."""

import copy

import pytest

from shared_rules import library
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.board_checks import BoardJudge
from shared_rules.games.taxi.guide_checks import bonus_shares, check_guides, guide_totals, throws_needed, value_spread


@pytest.fixture(scope="module")
def judge():
    return BoardJudge(library.parsed_board("fumbling"))


def spoilt(judge, change):
    """The faults by check after `change` has spoilt a copy of the guides."""
    board = copy.deepcopy(library.board("fumbling"))
    change(board["guides"])
    rows = check_guides(parse_board(board), judge.plain(), judge.green())
    return {name: faults for name, _, _, faults, _ in rows}


def swap(guide, i, k):
    guide[i], guide[k] = guide[k], guide[i]


def test_the_shipped_guides_are_fair(judge):
    assert [name for name, _, _, faults, _ in check_guides(judge.board, judge.plain(), judge.green()) if faults] == []


def test_five_guides_are_not_six(judge):
    assert spoilt(judge, lambda guides: guides.pop())["GD-01"]


def test_a_character_twice(judge):
    def twice(guides):
        guides[2][0] = guides[2][1]

    assert "Guide 3" in spoilt(judge, twice)["GD-01"][0]


def test_the_base_at_another_time(judge):
    assert "Guide 1" in spoilt(judge, lambda guides: swap(guides[0], 13, 14))["GD-01"][0]


def test_other_characters_in_a_half(judge):
    assert spoilt(judge, lambda guides: swap(guides[4], 0, 20))["GD-02"]


def test_two_at_one_place(judge):
    faults = spoilt(judge, lambda guides: swap(guides[0], 0, guides[0].index(guides[1][0])))
    assert faults["GD-03"] == ["Two guides have the same destination in trip 1", *faults["GD-03"][1:]]


def test_two_guides_on_one_way(judge):
    def same(guides):
        guides[1][:] = guides[0]

    faults = spoilt(judge, same)
    assert any("same leg" in fault for fault in faults["GD-04"])
    assert any("share 13 legs" in fault for fault in faults["GD-04"])


def test_unequal_legs(judge):
    """A guide that visits its half by distance from the base has short and long legs at other times than the rest."""

    def by_distance(guides):
        half = guides[0][:14]
        half.sort(key=lambda name: judge.plain()[(judge.board.base, judge.board.destinations[name]["at"])])
        guides[0][:14] = half

    faults = spoilt(judge, by_distance)
    assert faults["GD-07"]
    assert faults["GD-08"]
    assert faults["GD-09"]


def legs_of(numbers):
    return [[n] * 30 for n in numbers]


def test_a_short_leg(judge):
    near = dict.fromkeys(judge.plain(), 2)
    rows = {name: faults for name, _, _, faults, _ in check_guides(judge.board, near, near)}
    assert rows["GD-05"] == ["A leg is only 2 streets long"]


def test_totals_that_lie_apart(judge):
    board = judge.board
    first = board.destinations[board.guides[0][0]]["at"]
    second = board.destinations[board.guides[0][1]]["at"]
    uneven = dict(judge.plain())
    uneven[(first, second)] += 9
    rows = {name: faults for name, _, _, faults, _ in check_guides(board, uneven, judge.green())}
    assert "Totals of a half" in rows["GD-06"][0]
    rows = {name: faults for name, _, _, faults, _ in check_guides(board, judge.plain(), uneven)}
    assert "With green tablets" in rows["GD-06"][0]


def test_a_leg_that_cannot_be_driven(judge):
    cut = dict(judge.plain())
    cut[(judge.board.base, judge.board.destinations[judge.board.guides[0][0]]["at"])] = None
    rows = check_guides(judge.board, cut, judge.green())
    assert rows[-1][3] == ["some leg cannot be driven"]


@pytest.mark.parametrize(
    ("streets", "expected"), [(1, 1), (2, 1.1667), (6, 2.1614), (7, 2.5216), (8, 2.7752), (10, 3.3237), (12, 3.9064)]
)
def test_throws_needed(streets, expected):
    chances = throws_needed(streets)
    assert sum(chances) == pytest.approx(1)
    assert sum(t * p for t, p in enumerate(chances)) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        ([5, 6, 6, 6, 6, 6], [1631.49, *[873.70] * 5]),
        ([4, 6, 6, 6, 6, 6], [2246.29, *[750.74] * 5]),
        ([6, 6, 6, 6, 6, 8], [*[1149.67] * 5, 251.67]),
        ([5, 7], [4356.91, 1643.09]),
        ([1, 7], [6000, 0]),
        ([7] * 4, [1500] * 4),
    ],
)
def test_shares_of_the_bonus(distances, expected):
    assert bonus_shares(distances) == pytest.approx(expected, abs=0.006)


def test_equal_guides_have_no_spread():
    assert value_spread(legs_of([7, 7, 7]), [0, 1, 2], 15) == pytest.approx(0)
    assert value_spread(legs_of([5, 7]), [0, 1], 15) == pytest.approx((4356.91 - 1643.09) / 3000, abs=1e-5)


def test_s_151_and_152_six_guides_from_one_cycle(judge):
    """Guides 4 to 6 drive the cycle backwards; begun at an even place, one meets a guide that drives forwards."""
    cycle = judge.board.guides[0][:14]

    def backwards(first):
        def change(guides):
            guides[3][:14] = [cycle[(first - k) % 14] for k in range(14)]

        return change

    assert spoilt(judge, backwards(1))["GD-03"] == []
    assert "Two guides have the same destination in trip 2" in spoilt(judge, backwards(2))["GD-03"]


def test_s_153_totals():
    legs = [[5, *[8] * 13, 5] * 2 for _ in range(6)]
    assert [sum(row[:15]) for row in legs] == [114] * 6
    assert guide_totals(legs) == [0, 0]
    legs[1][0] = 7
    assert guide_totals(legs) == [2, 0]
