"""Who is who: keys, proofs, strangers, and what is shown of them."""

import asyncio

import pytest
from paper_companion import Companion, in_virtual_time, met
from paper_devices import DIE, PaperDevice
from paper_radio import PaperRadio

from companion.devices import facts, pairing
from companion.devices.device_state import DeviceError

MINE = "d1ce00000001"


def die_with(key=b""):
    return PaperDevice(MINE, DIE, key=key)


def test_a_proof_is_hmac_sha256_as_the_protocol_has_it():
    key, theirs, mine = bytes(range(16)), b"\x11" * 12, b"\x22" * 12
    proof = pairing.proof(key, pairing.COMPANION, theirs, mine, 0x01020304, 0x0A0B0C0D)
    assert proof.hex() == "2a8a09ac4008dcf9f77f2e19"
    assert pairing.proof(key, pairing.DEVICE, theirs, mine, 0x01020304, 0x0A0B0C0D) != proof
    assert len(pairing.new_key()) == 16
    assert pairing.new_key() != pairing.new_key()


def test_a_paired_device_is_met_again_and_proves_itself():
    async def work():
        die = die_with()
        async with met(die) as companion:
            radio = companion.radio
            await companion.hub.pair(MINE)
            with pytest.raises(DeviceError):
                await companion.hub.pair(MINE)
            paired = companion.hub.devices()[0].paired
        async with Companion(radio, companion.desk) as later:
            await later.until_connected(die)
            return paired, die, companion.desk.rows[MINE], later.hub.known[MINE].dialogue.proved

    paired, die, row, proved = in_virtual_time(work)
    assert paired
    assert die.proofs == 1
    assert proved
    assert len(die.key) == 16
    assert (row["key"], row["paired"]) == (die.key.hex(), 1)


def test_the_key_is_on_disk_before_the_device_has_it():
    """The answer to PAIR gets lost, and the companion dies: the device is not locked out."""

    async def work():
        die = die_with()
        async with met(die) as companion:
            radio = companion.radio
            original = die._command

            def lost(message):
                if message.name == "PAIR":
                    die.key = bytes(message.fields["key"])
                    radio.drop(MINE)
                    raise ConnectionResetError
                original(message)

            die._command = lost
            with pytest.raises(DeviceError) as caught:
                await companion.hub.pair(MINE)
            die._command = original
        async with Companion(radio, companion.desk) as later:
            await later.until_connected(die)
            return str(caught.value), later.hub.devices()[0].paired, die.proved

    sentence, paired, proved = in_virtual_time(work)
    assert "again" in sentence
    assert paired
    assert proved


def test_a_device_that_never_took_its_key_is_used_as_before():
    async def work():
        die = die_with()
        async with met(die) as companion:
            die.statuses["PAIR"] = 3
            with pytest.raises(DeviceError):
                await companion.hub.pair(MINE)
            await companion.reconnected(die)
            return companion.hub.devices()[0].paired, companion.desk.rows[MINE]["key"]

    assert in_virtual_time(work) == (False, "")


@pytest.mark.parametrize("how", ["another key", "no key", "a wrong proof"])
def test_a_device_that_cannot_prove_itself_is_refused_and_shown(how):
    async def work():
        die = die_with()
        async with met(die) as companion:
            radio = companion.radio
            await companion.hub.pair(MINE)
            if how == "another key":
                die.key = bytes(16)
            elif how == "no key":
                die.key = b""
            else:
                die.proves_wrongly = True
            radio.drop(MINE)
            die.report("DIE_PLACED", {"face": 3})
            await companion.until(lambda: companion.state(die) == "refused")
            await asyncio.sleep(30)
            return companion.desk.of(facts.DiePlaced), companion.hub.devices()[0], companion.hub.notes()

    taken, state, (note,) = in_virtual_time(work)
    assert taken == []
    assert state.state == "refused"
    assert "pair it again" in state.error
    assert note.kind == "refused"


def test_a_device_of_another_companion_is_left_in_peace():
    async def work():
        stranger = die_with(bytes(16))
        table = PaperDevice("000000000001")
        async with Companion(PaperRadio(stranger, table)) as companion:
            await companion.until_connected(table)
            await companion.until(lambda: companion.state(stranger) == "refused")
            await asyncio.sleep(30)
            return companion.hub.devices(), companion.link, stranger.resumes

    devices, link, resumes = in_virtual_time(work)
    assert "paired with another companion" in next(one.error for one in devices if one.id == MINE)
    assert (link.state, link.error) == ("connected", "")
    assert resumes <= 5


def test_unpairing_works_even_when_its_answer_is_lost():
    async def work():
        die = die_with()
        async with met(die) as companion:
            await companion.hub.pair(MINE)
            die.key = b""  # it has unpaired itself, and its answer never came
            die.deaf = True
            with pytest.raises(DeviceError):
                await companion.hub.unpair(MINE)
            die.deaf = False
            await companion.reconnected(die)
            return companion.hub.devices()[0]

    state = in_virtual_time(work)
    assert not state.paired


def test_a_stranger_at_a_device_is_shown_once():
    async def work():
        die = die_with()
        async with met(die) as companion:
            die.report("ACCESS_REFUSED", {"command": 0x2A})
            await companion.until(lambda: companion.hub.notes())
            (note,) = companion.hub.notes()
            companion.hub.understood(MINE, "access")
            return note, companion.hub.notes()

    note, later = in_virtual_time(work)
    assert note.kind == "access"
    assert "restart it" in note.sentence
    assert later == []
