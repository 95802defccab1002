"""What packets, fields and event numbers are taken for, as text; runs on both Pythons. JSON question in, list out."""

import binascii
import json
import sys

from shared_rules.wire.message_table import row_named, rows
from shared_rules.wire.messages import WireError, decode, encode
from shared_rules.wire.sequence import EventReceiver, distance


def _plain(value):
    return "b:" + binascii.hexlify(value).decode() if isinstance(value, bytes) else value


def _real(value):
    return binascii.unhexlify(value[2:]) if isinstance(value, str) and value.startswith("b:") else value


def taken_for(packet, direction):
    """A packet's name, numbers and fields in the order of its table, or what is wrong with it."""
    try:
        message = decode(binascii.unhexlify(packet), direction)
    except WireError as error:
        return [type(error).__name__, str(error)]
    fields = [[field[0], _plain(message.fields[field[0]])] for field in row_named(message.name)[3]]
    return [message.name, message.seq, message.ref, message.replayed, message.is_event, fields]


def packed(name, seq, fields):
    """The packet, or what is wrong with its fields."""
    try:
        return binascii.hexlify(encode(name, seq, 0, {key: _real(fields[key]) for key in fields})).decode()
    except WireError as error:
        return str(error)


def received(boot_id, last, steps):
    """What a receiver makes of steps: ["judge" or "behind", number], ["advance"], ["skip", first, lost]."""
    receiver = EventReceiver(boot_id, last)
    return [[getattr(receiver, step[0])(*step[1:]), receiver.last] for step in steps]


def all_of(question):
    return {
        "rows": [[row[0], row[1], row[2]] for row in rows()],
        "packets": [taken_for(*one) for one in question["packets"]],
        "fields": [packed(*one) for one in question["fields"]],
        "received": [received(*one) for one in question["received"]],
        "distances": [distance(*one) for one in question["distances"]],
    }


if __name__ == "__main__":
    print(json.dumps(all_of(json.loads(sys.stdin.read()))))
