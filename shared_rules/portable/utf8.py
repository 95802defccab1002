"""Strict UTF-8 on both Pythons. MicroPython's own decoding lets half surrogate pairs and overlong forms pass."""


def decode(data: bytes) -> str:
    """The text of UTF-8 bytes; ValueError if they are none."""
    at = 0
    size = len(data)
    while at < size:
        byte = data[at]
        if byte < 0x80:
            at += 1
            continue
        if 0xC2 <= byte <= 0xDF:
            more, low, high = 1, 0x80, 0xBF
        elif 0xE0 <= byte <= 0xEF:
            # The second byte tells overlong forms (E0) and surrogates (ED).
            more, low, high = 2, 0xA0 if byte == 0xE0 else 0x80, 0x9F if byte == 0xED else 0xBF
        elif 0xF0 <= byte <= 0xF4:
            more, low, high = 3, 0x90 if byte == 0xF0 else 0x80, 0x8F if byte == 0xF4 else 0xBF
        else:
            raise ValueError("no UTF-8")
        for i in range(1, more + 1):
            if at + i >= size or not low <= data[at + i] <= high:
                raise ValueError("no UTF-8")
            low, high = 0x80, 0xBF
        at += more + 1
    return str(bytes(data), "utf-8")
