"""The frame of a snapshot, for the applications: how many tags and troubles are between its begin and its end."""


def framed(parts):
    """`parts` are (name, fields) of SNAPSHOT_TAG, SNAPSHOT_SOCKET and SNAPSHOT_DIE; the same for `Device.snapshot`."""
    tags = troubles = 0
    for name, _ in parts:
        tags += name == "SNAPSHOT_TAG"
        troubles += name == "SNAPSHOT_SOCKET"
    counts = {"tags": tags, "troubles": troubles}
    return [("SNAPSHOT_BEGIN", counts)] + parts + [("SNAPSHOT_END", counts)]
