"""A task that fails costs a restart and no event."""

from shared_rules.wire.messages import RESET_CAUSES


def test_failures_and_starts(micropython, tmp_path):
    told = micropython("mishaps", str(tmp_path))
    assert told["first start"] == [RESET_CAUSES.index("power on"), True, []]
    assert told["failure"] == "reset"
    assert told["files"] == ["fault.txt", "outbox.bin"]
    # events 2 and 3 and the FAULT go on under the same boot id
    assert told["second start"] == [RESET_CAUSES.index("fault"), True, 3, 2, "FAULT", 1]
    assert told["error"] == "ValueError"
    assert told["trace"] == [True, True]
    assert told["third start"] == [RESET_CAUSES.index("hard reset"), True, 0]
    assert told["watchdog start"] == RESET_CAUSES.index("watchdog")
    assert told["odd start"] == RESET_CAUSES.index("unknown")
    assert told["rubbish file"] == [True, 0, False]
    assert told["fed"] == 6
    assert told["full ring"] == [5, 512, 89, True]
