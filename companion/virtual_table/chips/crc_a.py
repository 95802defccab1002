"""CRC_A of ISO/IEC 14443-3 (annex B), for the tags' own sums and for the reader's coprocessor."""

PRESET_A = 0x6363


def crc_16(data: bytes, preset: int = PRESET_A, msb_first: bool = False) -> int:
    """Sum of `data` with the polynomial x^16 + x^12 + x^5 + 1, low byte to be sent first; 0x1EA0 for b"\\x00\\x00"."""
    crc = preset
    if msb_first:
        for byte in data:
            crc ^= byte << 8
            for _ in range(8):
                crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
            crc &= 0xFFFF
        return crc
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return crc


def crc_a(data: bytes) -> bytes:
    """The two bytes that follow `data` in the air."""
    return crc_16(data).to_bytes(2, "little")
