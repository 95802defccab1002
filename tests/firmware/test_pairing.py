"""The device's HMAC is the one that everybody else computes."""

import hmac
import random


def test_hmac_is_that_of_the_standard_library_and_of_rfc_4231(micropython):
    chance = random.Random(5)
    pairs = [(chance.randbytes(16), chance.randbytes(chance.randint(0, 90))) for _ in range(50)]
    pairs += [(b"\x0b" * 20, b"Hi There"), (b"Jefe", b"what do ya want for nothing?"), (bytes(64), bytes(200))]
    told = micropython("proofs", [[key.hex(), text.hex()] for key, text in pairs])
    assert told == [hmac.digest(key, text, "sha256").hex() for key, text in pairs]
    assert told[50] == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"  # RFC 4231, case 1
    assert told[51] == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"  # case 2
