"""Readers that fall silent, forget or go deaf are told of, set up again, and hold nobody up."""


def test_a_long_run(micropython):
    told = micropython("bank_hours")
    assert told["start"] == [["READER_MUTE", 3], ["TAG_APPEARED", 0]]
    assert told["falls silent"] == [["READER_MUTE", 0]]
    assert told["is back"] == [["READER_BACK", 0]]  # its tag never went
    assert told["forgot its set-up"] == [["TAG_APPEARED", 1]]  # mended within the sweep, nobody needs to know
    assert told["a reader is plugged in"] == [["READER_BACK", 3]]
    assert told["went deaf"] == []  # set up anew before its tag was believed to be gone
    assert told["restarts"] == [2, 1, 0, 0]  # fell silent, was deaf; forgot; was never there
    assert told["sweep ms"] < 100
