"""Numbers with a fraction as decimal figures and back, exactly: MicroPython's own are off in the last of 17 figures."""

import math

# Whole numbers below this, and powers of ten up to this one, are floats without loss.
_EXACT = 1 << 53
_EXACT_TEN = 18
# Beyond these powers of ten a number is no float any more, or 0.
_LARGEST = 310
_SMALLEST = -330


def read(text: str) -> float:
    """The float of figures with a fraction, an exponent or both, without a sign; infinity beyond all floats."""
    mantissa, _, exponent = text.replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    return nearest(int(whole + fraction), int(exponent or "0") - len(fraction))


def nearest(digits: int, ten: int) -> float:
    """The float nearest to digits * 10 ** ten, of two equally near ones the even; infinity beyond all floats."""
    if digits < _EXACT and -_EXACT_TEN <= ten <= _EXACT_TEN:
        # One operation on two exact numbers rounds once.
        return digits * float(10**ten) if ten >= 0 else digits / float(10**-ten)
    if digits == 0:
        return 0.0
    size = len(str(digits)) + ten
    if size > _LARGEST:
        return math.inf
    if size < _SMALLEST:
        return 0.0
    above = digits * 10 ** max(0, ten)
    below = 10 ** max(0, -ten)
    two = max(_bits(above) - _bits(below) - 53, -1074)
    whole, rest, unit = _divided(above, below, two)
    if whole >= _EXACT:
        two += 1
        whole, rest, unit = _divided(above, below, two)
    if 2 * rest > unit or (2 * rest == unit and whole % 2):
        whole += 1
    if _bits(whole) + two > 1024:
        return math.inf
    return math.ldexp(float(whole), two)


def shortest(value: float) -> "tuple[int, int]":
    """(digits, ten): this number, at least 0, rounded to the fewest figures that read back as the same number."""
    for places in range(7):
        digits = int(value * 10**places + 0.5) if value < 1e9 else _EXACT
        if digits < _EXACT and nearest(digits, -places) == value:
            return digits, -places
    part, two = math.frexp(value)
    two -= 53
    above = int(part * _EXACT) << max(0, two)
    below = 1 << max(0, -two)
    size = len(str(above // below)) if above >= below else 1 - len(str(below // above))
    figures = 1
    while True:
        ten = size - figures
        digits = _rounded(above, below, ten)
        if digits >= 10**figures:
            ten += 1
            digits = _rounded(above, below, ten)
        elif digits < 10 ** (figures - 1):
            ten -= 1
            digits = _rounded(above, below, ten)
        # 17 figures tell all floats apart.
        if figures == 17 or nearest(digits, ten) == value:
            return digits, ten
        figures += 1


def _bits(number: int) -> int:
    return len(bin(number)) - 2


def _divided(above: int, below: int, two: int) -> "tuple[int, int, int]":
    """(whole, rest, unit): above / below in units of 2 ** two."""
    if two > 0:
        below <<= two
    else:
        above <<= -two
    whole, rest = divmod(above, below)
    return whole, rest, below


def _rounded(above: int, below: int, ten: int) -> int:
    """above / below in units of 10 ** ten, to the nearest, of two equally near ones the even."""
    if ten > 0:
        below *= 10**ten
    else:
        above *= 10**-ten
    whole, rest = divmod(above, below)
    if 2 * rest > below or (2 * rest == below and whole % 2):
        whole += 1
    return whole
