"""One fact for what happened on a socket, however unsteady the single reads are."""

import random

import pytest

CLEAR, UNREADABLE, MUTE = 0, 1, 2
RED, BLUE = "RED1", "BLU1"


@pytest.fixture
def watch(micropython):
    def run(polls):
        return micropython("watch_tags", [polls])[0]

    return run


def seen(pattern, socket=0, tag=RED, wait=300):
    return [[wait, socket, CLEAR, [tag] if hit == "1" else []] for hit in pattern]


def test_every_second_read_missing_is_one_placement(watch):
    told = watch(seen("1010101010101010"))
    assert told["events"] == [["TAG_APPEARED", 0]]
    assert told["there"][0] == [RED]


def test_place_lift_place_are_three_events(watch):
    told = watch(seen("11100001111"))
    assert told["events"] == [["TAG_APPEARED", 0], ["TAG_GONE", 0], ["TAG_APPEARED", 0]]


def test_two_misses_are_no_removal(watch):
    assert watch(seen("1100110011"))["events"] == [["TAG_APPEARED", 0]]
    assert watch(seen("11000"))["events"] == [["TAG_APPEARED", 0], ["TAG_GONE", 0]]


def test_a_single_read_is_nothing(watch):
    told = watch(seen("1000"))
    assert told["events"] == []
    assert told["restless"] == [True, True, True, False]


def test_two_reads_at_once_are_one_read(watch):
    assert watch([[0, 0, CLEAR, [RED]], [20, 0, CLEAR, [RED]], [0, 0, CLEAR, []]])["events"] == []


def test_two_taxis_on_one_socket(watch):
    polls = [[300, 0, CLEAR, [RED, BLUE]]] * 3 + [[300, 0, CLEAR, [BLUE]]] * 3
    told = watch(polls)
    assert told["events"] == [["TAG_APPEARED", 0], ["TAG_APPEARED", 0], ["TAG_GONE", 0]]
    assert told["there"][0] == [BLUE]


def test_a_slide_over_four_sockets_is_one_move(watch):
    """Socket 0 to 3 in 800 ms, so at most one sweep of a restless bank (300 ms) finds it on each coil between."""
    polls = []
    for at in (0, 0, 0, 1, 2, 3, 3, 3):
        polls += [[75, socket, CLEAR, [RED] if socket == at else []] for socket in range(4)]
    assert watch(polls)["events"] == [["TAG_APPEARED", 0], ["TAG_GONE", 0], ["TAG_APPEARED", 3]]


def test_a_move_is_gone_first_then_there(watch):
    polls = seen("11")
    for _ in range(2):
        polls += [[300, 0, CLEAR, []], [0, 5, CLEAR, [RED]]]
    assert watch(polls)["events"] == [["TAG_APPEARED", 0], ["TAG_GONE", 0], ["TAG_APPEARED", 5]]


def two_coils(first, second, wait=300):
    """One tag that lies on socket 0 and is read on socket 1 as well, by patterns of hits and misses."""
    polls = []
    for hit, other in zip(first, second, strict=True):
        polls += [[wait, 0, CLEAR, [RED] if hit == "1" else []], [0, 1, CLEAR, [RED] if other == "1" else []]]
    return polls


def test_one_tag_on_two_coils_is_crosstalk_told_once(watch):
    told = watch(two_coils("1" * 40, "1" * 40))
    assert told["events"] == [["TAG_APPEARED", 0], ["CROSSTALK", 0, 1]]
    assert told["there"][:2] == [[RED], []]
    assert told["crosstalk"][:2] == [0, 1]
    assert not any(told["restless"][20:])


@pytest.mark.parametrize("pattern", ["10" * 30, "110" * 20, "1001" * 15, "1111000" * 9])
def test_a_tag_that_a_neighbour_reads_now_and_then_stays(watch, pattern):
    told = watch(two_coils("1" * len(pattern), pattern))
    assert told["events"] == [["TAG_APPEARED", 0], ["CROSSTALK", 0, 1]]
    assert told["there"][:2] == [[RED], []]


@pytest.mark.parametrize("pattern", ["11" + "01" * 30, "11" + "011" * 20])
def test_a_tag_goes_once_to_the_socket_that_never_misses_it(watch, pattern):
    told = watch(two_coils(pattern, "1" * len(pattern)))
    assert told["events"] == [["TAG_APPEARED", 0], ["CROSSTALK", 0, 1], ["TAG_GONE", 0], ["TAG_APPEARED", 1]] + (
        [["CROSSTALK", 1, 0]]
    )
    assert told["there"][:2] == [[], [RED]]


def test_two_sockets_that_both_miss_do_not_fight_over_a_tag(watch):
    for seed in range(8):
        rng = random.Random(seed)
        first, second = ["11" + "".join(rng.choice(("1", "01", "001")) for _ in range(200))[:300] for _ in range(2)]
        told = watch(two_coils(first, second))
        assert len([event for event in told["events"] if event[0] == "TAG_APPEARED"]) == 1, seed


def test_a_tag_that_really_moves_between_crossing_coils_is_told(watch):
    told = watch(two_coils("1" * 10 + "0" * 4, "1" * 14))
    assert told["events"] == [
        ["TAG_APPEARED", 0],
        ["CROSSTALK", 0, 1],
        ["TAG_GONE", 0],
        ["TAG_APPEARED", 1],
    ]


def test_a_taxi_taken_from_a_socket_that_can_tell_nothing_arrives(watch):
    polls = seen("11")
    for _ in range(5):
        polls += [[300, 0, UNREADABLE, []], [0, 1, CLEAR, [RED]]]
    assert watch(polls)["events"][-2:] == [["TAG_GONE", 0], ["TAG_APPEARED", 1]]


def test_a_tag_is_doubted_before_it_is_gone(watch):
    assert watch(seen("111001000"))["doubts"] == [False, False, False, False, True, False, False, True, False]


def test_damaged_reads_remove_nobody(watch):
    told = watch(seen("11") + [[300, 0, UNREADABLE, []]] * 20)
    assert told["events"] == [["TAG_APPEARED", 0], ["SEVERAL_UNREADABLE", 0]]
    assert told["there"][0] == [RED]


def test_several_are_told_once_and_resolved_once(watch):
    polls = [[300, 2, UNREADABLE, [RED]]] * 5 + [[300, 2, CLEAR, [RED]], [300, 2, UNREADABLE, [RED]]] * 3
    told = watch(polls + [[300, 2, CLEAR, [RED]]] * 4)
    assert told["events"] == [["TAG_APPEARED", 2], ["SEVERAL_UNREADABLE", 2], ["SEVERAL_RESOLVED", 2]]


def test_a_mute_reader_keeps_its_tags_and_comes_back(watch):
    told = watch(seen("11") + [[300, 0, MUTE, []]] * 9 + seen("11") + [[300, 0, MUTE, []]] + seen("11"))
    assert told["events"] == [["TAG_APPEARED", 0], ["READER_MUTE", 0], ["READER_BACK", 0]]
    assert told["there"][0] == [RED]
