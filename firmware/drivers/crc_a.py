"""The checksum of ISO/IEC 14443-3 type A frames (CRC_A), for the reader driver."""


def crc_a(data: bytes | bytearray, length: int) -> int:
    """CRC_A of the first `length` bytes of `data`, sent low byte first; of b"\\x50\\x00" (HLTA) it is 0xCD57."""
    crc = 0x6363
    for i in range(length):
        byte = data[i] ^ (crc & 0xFF)
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return crc & 0xFFFF
