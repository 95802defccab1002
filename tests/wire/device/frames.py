"""Frames packets, reads them back and swallows noise in MicroPython: JSON in, JSON out."""

import binascii
import json
import sys

from shared_rules.wire.serial_frames import FrameReader, encode_frame

question = json.loads(sys.stdin.read())
reader = FrameReader()
frames = [encode_frame(binascii.unhexlify(packet)) for packet in question["packets"]]
read = []
for frame in frames:
    read += reader.feed(frame)
noisy = FrameReader()
for piece in question["noise"]:
    noisy.feed(binascii.unhexlify(piece))
print(json.dumps({
    "frames": [binascii.hexlify(frame).decode() for frame in frames],
    "read": [binascii.hexlify(packet).decode() for packet in read],
    "counters": [noisy.frames, noisy.damaged, noisy.oversized],
}))
