"""The board proof counts rightly and plays whole games; the proof itself is run by `make board-proof`."""

import pytest

from tests.proofs import board


def test_shares_count_the_games_in_which_a_guide_was_dealt():
    games = [([0, 1], [1.0, 0.0]), ([1, 0], [0.5, 0.5]), ([2, 1], [0.0, 1.0])]
    shares = board.shares_of(games)
    assert shares[0] == (0.75, 2)
    assert shares[1] == (0.5, 3)
    assert shares[2] == (0.0, 1)
    assert shares[5] == (0.0, 0)


@pytest.mark.parametrize(("share", "good"), [(0.18, True), (0.19, False)])
def test_a_share_too_far_from_its_part_fails(share, good):
    rest = (1 - share) / 5
    row, holds = board.row_of(("race", 6, 15, 600), [(share, 600), *[(rest, 600)] * 5])
    assert holds is good
    assert ("| yes |" in row) is good


def test_a_chunk_is_the_same_however_it_is_cut():
    series = ("race", 3, 15, 4)
    whole = board.play_chunk((series, 0, 3, 9))
    assert whole == board.play_chunk((series, 0, 1, 9)) + board.play_chunk((series, 1, 2, 9))
    for dealt, parts in whole:
        assert len(set(dealt)) == 3
        assert sum(parts) == pytest.approx(1)


@pytest.mark.parametrize("policy", ["greedy", "strong"])
def test_games_of_bots_end_too(policy):
    [(dealt, parts)] = board.play_chunk(((policy, 2, 15, 1), 0, 1, 9))
    assert len(dealt) == 2
    assert sum(parts) == pytest.approx(1)
