"""Packs and unpacks golden vectors in MicroPython: JSON list in, [packed hex, unpacked] for each out."""

import binascii
import json
import sys

from shared_rules.wire.messages import decode, encode


def raw(value):
    return binascii.hexlify(value).decode() if isinstance(value, bytes) else value


answers = []
for vector in json.loads(sys.stdin.read()):
    fields = {}
    for name in vector["fields"]:
        value = vector["fields"][name]
        fields[name] = binascii.unhexlify(value) if name in ("uid", "device_id", "nonce", "proof", "key") else value
    packet = encode(vector["name"], vector["seq"], vector["ref"], fields)
    message = decode(binascii.unhexlify(vector["hex"]))
    unpacked = {"name": message.name, "seq": message.seq, "ref": message.ref}
    unpacked["fields"] = {name: raw(message.fields[name]) for name in message.fields}
    answers.append([binascii.hexlify(packet).decode(), unpacked])
print(json.dumps(answers))
