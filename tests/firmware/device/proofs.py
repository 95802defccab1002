"""HMACs and comparisons of the pairing in MicroPython: JSON list of [key, text] in hex in, their HMACs in hex out."""

import binascii

from answer import answer, question

from firmware.device_link.pairing import hmac_sha256, same

pairs = [(binascii.unhexlify(key), binascii.unhexlify(text)) for key, text in question()]
assert same(b"abc", b"abc")
assert not same(b"abc", b"abd")
assert not same(b"abc", b"ab")
assert not same(b"bbc", b"abc")
answer([binascii.hexlify(hmac_sha256(key, text)).decode() for key, text in pairs])
