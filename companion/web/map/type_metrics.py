"""How wide the map's words are: advance widths of the four fonts, so that labels can be placed without a browser.

Widths are in thousandths of the type size, read from the `hmtx` tables of the font files in `static/fonts`
(both under the Open Font License 1.1). Characters beyond these count as wide as a capital M.
"""

from __future__ import annotations

from functools import lru_cache

_CHARACTERS = "".join(map(chr, range(32, 127))) + "’–é×"

_SIGN_700 = (
    "200 279 346 616 444 766 603 170 311 311 361 438 211 331 223 415 453 284 438 436 484 439 440 407 440 435 275 "
    "232 438 438 438 437 759 482 470 464 476 438 421 467 480 230 452 491 426 548 514 473 465 461 471 444 468 479 "
    "488 689 475 474 412 345 415 345 422 421 220 446 445 434 445 436 298 441 447 219 217 449 209 675 447 442 448 "
    "448 324 412 291 447 436 613 439 423 373 344 186 344 490 188 380 436 399"
)
_PRINT_500_ITALIC = (
    "300 328 400 660 673 1018 877 214 450 447 638 530 260 460 214 520 603 536 590 542 556 534 566 535 546 566 198 "
    "215 560 560 560 558 1072 916 760 807 838 740 733 880 909 422 614 873 728 1041 906 847 702 849 794 663 750 "
    "844 856 1188 867 788 742 336 520 336 545 560 395 658 590 561 667 548 391 556 641 331 318 616 316 913 656 585 "
    "616 586 498 502 380 713 532 910 604 688 542 283 300 283 688 257 716 548 508"
)

_TABLES: dict[str, dict[str, int]] = {
    name: dict(zip(_CHARACTERS, map(int, row.split()), strict=True))
    for name, row in (("sign", _SIGN_700), ("print", _PRINT_500_ITALIC))
}

CAP_HEIGHT = {"sign": 0.70, "print": 0.75}  # height of capitals, of the type size
DESCENT = {"sign": 0.2, "print": 0.26}  # how far g and y hang below the line
WIDEST = 0.76


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, voice: str = "sign", spacing: float = 0.0) -> float:
    """Return the width of ``text`` in page units.

    ``voice`` is ``"sign"`` (Barlow Condensed 700) or ``"print"`` (Besley 500 italic); ``spacing`` is the letter
    spacing in ems, which browsers add after every letter, the last one included.
    """
    table = _TABLES[voice]
    thousandths = sum(table.get(character, round(WIDEST * 1000)) for character in text)
    return size * (thousandths / 1000 + spacing * len(text))
