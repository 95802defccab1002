"""Event numbers: in order, once, and never from the past or the future."""

from hypothesis import given
from hypothesis import strategies as st

from shared_rules.wire.sequence import GAP, NEXT, REFUSED, REPEAT, WINDOW, EventReceiver, distance

numbers = st.integers(0, 0xFFFF)


@given(numbers, st.integers(-0x8000, 0x7FFF))
def test_distance_undoes_addition(start, step):
    assert distance((start + step) & 0xFFFF, start) == step


@given(st.integers(0, 200000), st.integers(-40000, 40000))
def test_each_number_has_one_meaning(last, step):
    receiver = EventReceiver(1, last)
    meaning = receiver.judge((last + step) & 0xFFFF)
    around = (step + 0x8000) % 0x10000 - 0x8000
    if around == 1:
        assert meaning == NEXT
    elif -WINDOW < around <= 0:
        assert meaning == REPEAT
    elif 1 < around <= WINDOW:
        assert meaning == GAP
    else:
        assert meaning == REFUSED


@given(st.integers(0, 70000), st.randoms(use_true_random=False))
def test_a_link_that_loses_and_repeats_still_delivers_each_event_once_in_order(first, rng):
    receiver = EventReceiver(7, first)
    newest = first + 40
    taken = []
    send = first + 1
    while receiver.last < newest:
        if send > newest:
            send = receiver.last + 1  # a heartbeat showed the number of the newest: REPLAY
        if rng.random() < 0.7:
            for _ in range(rng.choice((1, 1, 2))):
                meaning = receiver.judge(send & 0xFFFF)
                if meaning == NEXT:
                    taken.append(receiver.advance())
                elif meaning == GAP:
                    send = receiver.last
        send += 1
    assert taken == list(range(first + 1, newest + 1))


def test_gap_moves_only_when_it_joins_on():
    receiver = EventReceiver(7, 10)
    assert not receiver.skip(13, 5)  # 11 and 12 are missing, too
    assert receiver.last == 10
    assert receiver.skip(11, 700)
    assert receiver.last == 710
    assert not receiver.skip(11, 700)  # the same gap once more
    assert receiver.skip(700, 20)  # some of these had come
    assert receiver.last == 719


def test_behind():
    receiver = EventReceiver(7, 65530)
    assert receiver.behind(2) == 8
    assert receiver.behind(65530) == 0
    assert receiver.behind(65000) == 0
