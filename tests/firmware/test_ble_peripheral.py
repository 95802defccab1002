"""The radio's stack may refuse anything at any time: nothing is lost but what is sent again anyway."""

import pytest

from shared_rules.wire.messages import SERVICE_UUID


@pytest.fixture(scope="module")
def told(micropython):
    return micropython("radio_days")


def test_the_advertisement_says_service_and_device(told):
    data, response, name, times = told["advertisement"]
    raw = bytes.fromhex(data)
    assert len(raw) == 31
    assert raw[:3] == b"\x02\x01\x06"
    assert raw[3:5] == b"\x11\x07"
    assert raw[5:21] == bytes.fromhex(SERVICE_UUID.replace("-", ""))[::-1]
    assert raw[21:] == b"\x09\xff\xff\xff\x01\x02\x03\x04\x05\x06"
    assert response == name == "Cabstand B1E0"
    assert times == 1


def test_a_failing_notify_is_an_answer_and_no_crash(told):
    # no room: again later; not connected, radio off: the connection is over, whatever the interrupts have said
    assert told["notify"] == [[False, False, None, None], True, True]


def test_every_order_of_connect_and_disconnect_leaves_it_advertising(told):
    assert told["advertised again"] is True


def test_advertising_is_started_anew_for_ever(told):
    assert told["advertised by the clock"] == 3


def test_a_flood_of_writes_loses_writes_but_never_the_disconnect(told):
    taken, lost = told["writes"]
    assert taken == [*range(14), -2]
    assert lost == 6
    assert told["oversized"] == 7
