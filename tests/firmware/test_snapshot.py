"""A snapshot says how much is in it, so that a companion notices a torn one."""

from firmware.device_link.snapshot import framed

TAG = ("SNAPSHOT_TAG", {"socket": 3, "uid": b"\x04\x01\x02\x03"})
SOCKET = ("SNAPSHOT_SOCKET", {"socket": 4, "state": 1})
DIE = ("SNAPSHOT_DIE", {"state": 0, "face": 0, "map_id": 0, "roll": 0})


def test_tags_and_troubles_are_counted_and_nothing_else():
    for parts, tags, troubles in (([], 0, 0), ([DIE], 0, 0), ([TAG, TAG, SOCKET, DIE], 2, 1), ([SOCKET, SOCKET], 0, 2)):
        counts = {"tags": tags, "troubles": troubles}
        assert framed(parts) == [("SNAPSHOT_BEGIN", counts), *parts, ("SNAPSHOT_END", counts)]
