"""Draws up `thames`, the London of DESTINATION LONDON: python -m hardware.board_design.thames [--write].

London is not annealed but drawn by hand: squares are put down where their street would have them, on a sheet of
1366 x 1036 units (x to the right, y down) whose neat line begins at (44, 44); this module turns them into the board's
millimetres (x east, y north), deals the fares out and writes `boards/thames.json`, with the part of its layout that
`thames_sheet` holds. Without `--write` it says whether the files are as designed. Our own map, fares and one-way roads.
"""

import argparse
import json
import sys
from pathlib import Path
from textwrap import wrap

BOARD_FILE = Path(__file__).parents[2] / "shared_rules/games/destination_london/boards/thames.json"
LAYOUT_FILE = BOARD_FILE.with_name("thames.layout.json")

UNITS_PER_MM = 1.8
LEFT, BOTTOM = 44.0, 992.0

BASE, GARAGE = "BASE", "WAT"

# Squares from west to east, quarter by quarter: the letters that a dispatcher would call out, and where they lie.
SQUARES = {
    # Marylebone, St John's Wood, Camden, and the way to the City along the New Road
    "BASE": (102, 150), "AB1": (178, 98), "SJW": (268, 100), "PA1": (372, 86), "PA2": (478, 86), "CAM": (590, 105),
    "LO1": (268, 168), "PAD": (172, 262), "EDG": (268, 238), "BAK": (378, 226), "GPS": (478, 220), "EUS": (592, 212),
    "KGX": (700, 200), "ANG": (812, 208), "OLD": (922, 242),
    # Notting Hill to Mile End along Oxford Street
    "PB1": (112, 328), "NOT": (88, 410), "LAN": (205, 378), "MAR": (322, 352), "SEL": (398, 342), "OXC": (478, 334),
    "TCR": (592, 329), "HOL": (700, 326), "FAR": (800, 330), "BK1": (392, 284), "GO1": (660, 270), "STP": (860, 396),
    "BNK": (940, 390), "LW1": (932, 316), "ALD": (1040, 372), "CO1": (1000, 292), "HK1": (1040, 240),
    "MIL": (1142, 320), "LIM": (1192, 428),
    # Kensington to the Tower along Piccadilly and the Strand
    "HSK": (92, 540), "RAH": (188, 530), "KNI": (268, 515), "SE1": (200, 452), "HPC": (348, 494), "PI1": (424, 474),
    "PIC": (502, 450), "CBC": (592, 412), "CG1": (652, 384), "TRA": (592, 501), "ALW": (702, 448), "LUD": (800, 450),
    "MON": (945, 485), "TOW": (1045, 492), "PW1": (1116, 484),
    # Chelsea, Victoria and Westminster
    "EAR": (86, 655), "SKN": (205, 628), "SLO": (325, 640), "VIC": (422, 622), "BKP": (446, 548), "ML1": (518, 525),
    "WA1": (508, 668), "WES": (592, 664), "DS1": (597, 572), "KG1": (225, 705), "CHE": (118, 768), "CE1": (205, 795),
    "CE2": (295, 790), "CHB": (385, 770), "VB2": (532, 724),
    # bridges, and what lies beyond them
    "CB1": (395, 842), "VX1": (588, 772), "WB1": (651, 650), "WL1": (740, 545), "BB1": (826, 542), "LB1": (962, 570),
    "TB1": (1050, 588), "BAT": (402, 915), "NE1": (488, 895), "NE2": (570, 868), "VAU": (640, 822), "OVA": (735, 885),
    "ELE": (815, 775), "LAM": (690, 735), "EYE": (713, 645), "WAT": (785, 643), "BLF": (855, 632), "SW1": (918, 636),
    "BOR": (980, 655), "TBS": (1052, 682), "JR1": (1048, 770), "DEP": (1078, 858), "OK1": (905, 808),
    "OK2": (992, 836),
    # Docklands and Greenwich
    "WI1": (1188, 536), "CAY": (1182, 648), "FT1": (1178, 758), "BT1": (1268, 512), "DOM": (1296, 652),
    "PN1": (1292, 768), "OBS": (1268, 884), "GRE": (1176, 886),
}  # fmt: skip

MAJOR, MINOR, ONE_WAY = "major", "minor", "one way"

# Every road: its name, its kind and its squares; a one-way road is driven in the order listed.
ROADS = (
    ("Abbey Road", MINOR, "BASE AB1 SJW"),
    ("Warwick Avenue", MINOR, "BASE PAD"),
    ("Prince Albert Road", MINOR, "SJW PA1 PA2 CAM"),
    ("Lisson Grove", MINOR, "SJW LO1 EDG"),
    ("York Way", MINOR, "CAM KGX"),
    ("Marylebone Road", MAJOR, "PAD EDG BAK GPS"),
    ("Euston Road", MAJOR, "GPS EUS KGX"),
    ("City Road", MAJOR, "KGX ANG OLD"),
    ("Portobello Road", MINOR, "PAD PB1 NOT"),
    ("Westbourne Terrace", MINOR, "PAD LAN"),
    ("Edgware Road", MAJOR, "EDG MAR"),
    ("Bayswater Road", MAJOR, "NOT LAN MAR"),
    ("Oxford Street", MAJOR, "MAR SEL OXC TCR"),
    ("High Holborn", MAJOR, "TCR HOL FAR"),
    ("Cheapside", MAJOR, "FAR STP BNK"),
    ("Leadenhall Street", MAJOR, "BNK ALD"),
    ("Whitechapel Road", MAJOR, "ALD MIL"),
    ("Baker Street", ONE_WAY, "BAK BK1 SEL"),
    ("Portland Place", MINOR, "GPS OXC"),
    ("Tottenham Court Road", MINOR, "EUS TCR"),
    ("Gower Street", ONE_WAY, "EUS GO1 HOL"),
    ("Rosebery Avenue", MINOR, "ANG FAR"),
    ("Moorgate", MINOR, "OLD LW1 BNK"),
    ("Commercial Street", ONE_WAY, "OLD CO1 ALD"),
    ("Hackney Road", MINOR, "OLD HK1 MIL"),
    ("Burdett Road", MINOR, "MIL LIM"),
    ("Kensington Church Street", MINOR, "NOT HSK"),
    ("Kensington Road", MAJOR, "HSK RAH KNI HPC"),
    ("Serpentine Road", ONE_WAY, "LAN SE1 RAH"),
    ("Park Lane", MAJOR, "MAR HPC"),
    ("Piccadilly", MAJOR, "HPC PI1 PIC"),
    ("Regent Street", MINOR, "OXC PIC"),
    ("Shaftesbury Avenue", MINOR, "PIC CBC"),
    ("Charing Cross Road", MINOR, "TCR CBC TRA"),
    ("Haymarket", ONE_WAY, "PIC TRA"),
    ("Long Acre", MINOR, "CBC CG1 HOL"),
    ("Kingsway", MINOR, "HOL ALW"),
    ("Strand", MAJOR, "TRA ALW"),
    ("Fleet Street", MAJOR, "ALW LUD"),
    ("Ludgate Hill", MINOR, "LUD STP"),
    ("Farringdon Street", MINOR, "FAR LUD"),
    ("King William Street", MINOR, "BNK MON"),
    ("Lower Thames Street", ONE_WAY, "MON TOW"),
    ("Minories", MINOR, "ALD TOW"),
    ("The Highway", MAJOR, "TOW PW1 LIM"),
    ("Westferry Road", MINOR, "LIM WI1 CAY"),
    ("Manchester Road", ONE_WAY, "CAY FT1"),
    ("Greenwich Foot Tunnel", ONE_WAY, "FT1 GRE"),
    ("East India Dock Road", MINOR, "LIM BT1"),
    ("Blackwall Tunnel", MINOR, "BT1 DOM"),
    ("Peninsula Way", MINOR, "DOM PN1 OBS GRE"),
    ("Warwick Road", MINOR, "HSK EAR CHE"),
    ("Cromwell Road", MINOR, "EAR SKN"),
    ("Exhibition Road", ONE_WAY, "SKN RAH"),
    ("Brompton Road", MINOR, "SKN KNI"),
    ("Sloane Street", MINOR, "KNI SLO"),
    ("Eccleston Street", MINOR, "SLO VIC"),
    ("King’s Road", MINOR, "SLO KG1 CHE"),
    ("Chelsea Embankment", MINOR, "CHE CE1 CE2 CHB"),
    ("Chelsea Bridge Road", MINOR, "SLO CHB"),
    ("Constitution Hill", MINOR, "HPC BKP VIC"),
    ("The Mall", MINOR, "TRA ML1 BKP"),
    ("Victoria Street", MINOR, "VIC WA1 WES"),
    ("Whitehall", MAJOR, "TRA DS1 WES"),
    ("Millbank", MINOR, "WES VB2"),
    ("Vauxhall Bridge Road", MAJOR, "VIC VB2 VX1 VAU"),
    ("Westminster Bridge", MAJOR, "WES WB1 EYE"),
    ("Albert Embankment", MINOR, "EYE LAM VAU"),
    ("York Road", MINOR, "EYE WAT BLF"),
    ("Waterloo Bridge", MAJOR, "ALW WL1 WAT"),
    ("Blackfriars Bridge", MINOR, "LUD BB1 BLF"),
    ("Southwark Street", MINOR, "BLF SW1 BOR"),
    ("London Bridge", MAJOR, "MON LB1 BOR"),
    ("Tooley Street", MINOR, "BOR TBS"),
    ("Tower Bridge", MAJOR, "TOW TB1 TBS"),
    ("Blackfriars Road", MINOR, "BLF ELE"),
    ("Lambeth Road", MINOR, "LAM ELE"),
    ("Kennington Road", MINOR, "ELE OVA"),
    ("Harleyford Road", ONE_WAY, "OVA VAU"),
    ("Old Kent Road", MAJOR, "ELE OK1 OK2 DEP"),
    ("Jamaica Road", MINOR, "TBS JR1 DEP"),
    ("Creek Road", MAJOR, "DEP GRE"),
    ("Chelsea Bridge", MINOR, "CHB CB1 BAT"),
    ("Nine Elms Lane", MINOR, "BAT NE1 NE2 VAU"),
)

# Lights at squares that are nothing else, and at attractions (L-074).
LIGHTS = (
    "EDG MAR OXC HOL OLD HPC VIC LUD VAU BLF TBS LIM HSK DEP",
    "BAK KGX PIC ALD WES ELE",
)

# In five fare bands of nine, from those in the thick of it to those that are a drive away from everything else.
FARES = (40, 60, 80, 100, 120)
ATTRACTIONS = (
    ("nelsons_column", "Nelson’s Column", "TRA"),
    ("national_gallery", "National Gallery", "TRA"),
    ("downing_street", "10 Downing Street", "DS1"),
    ("big_ben", "Big Ben", "WES"),
    ("london_eye", "London Eye", "EYE"),
    ("piccadilly_circus", "Piccadilly Circus", "PIC"),
    ("chinatown", "Chinatown", "CBC"),
    ("st_pauls", "St Paul’s", "STP"),
    ("elephant_and_castle", "Elephant and Castle", "ELE"),
    ("covent_garden", "Covent Garden", "CG1"),
    ("buckingham_palace", "Buckingham Palace", "BKP"),
    ("westminster_abbey", "Westminster Abbey", "WA1"),
    ("british_museum", "British Museum", "GO1"),
    ("kings_cross", "King’s Cross", "KGX"),
    ("bank_of_england", "Bank of England", "BNK"),
    ("tate_modern", "Tate Modern", "SW1"),
    ("globe", "Shakespeare’s Globe", "SW1"),
    ("oval", "The Oval", "OVA"),
    ("bt_tower", "BT Tower", "GPS"),
    ("madame_tussauds", "Madame Tussauds", "BAK"),
    ("camden_lock", "Camden Lock", "CAM"),
    ("harrods", "Harrods", "KNI"),
    ("gherkin", "The Gherkin", "ALD"),
    ("tower_of_london", "Tower of London", "TOW"),
    ("tower_bridge", "Tower Bridge", "TB1"),
    ("shard", "The Shard", "BOR"),
    ("columbia_road", "Columbia Road", "HK1"),
    ("baker_street", "221B Baker Street", "BK1"),
    ("london_zoo", "London Zoo", "PA2"),
    ("brick_lane", "Brick Lane", "CO1"),
    ("prospect_of_whitby", "Prospect of Whitby", "PW1"),
    ("albert_hall", "Royal Albert Hall", "RAH"),
    ("natural_history_museum", "Natural History Museum", "SKN"),
    ("victoria_and_albert", "V&A Museum", "SKN"),
    ("kings_road", "King’s Road", "KG1"),
    ("power_station", "Battersea Power Station", "NE1"),
    ("lords", "Lord’s", "LO1"),
    ("abbey_road", "Abbey Road", "AB1"),
    ("portobello_road", "Portobello Road", "PB1"),
    ("serpentine", "The Serpentine", "SE1"),
    ("royal_hospital", "Royal Hospital", "CE2"),
    ("canary_wharf", "Canary Wharf", "CAY"),
    ("dome", "The Dome", "DOM"),
    ("cutty_sark", "Cutty Sark", "GRE"),
    ("royal_observatory", "Royal Observatory", "OBS"),
)


def design() -> dict[str, object]:
    """The board object of `thames`, as `spec` of the game has it."""
    band = len(ATTRACTIONS) // len(FARES)
    return {
        "id": "thames",
        "title": "London by the Meter (stand-in)",
        "squares": {
            name: [round((x - LEFT) / UNITS_PER_MM), round((BOTTOM - y) / UNITS_PER_MM)]
            for name, (x, y) in SQUARES.items()
        },
        "base": BASE,
        "garages": [GARAGE],
        "lights": sorted(" ".join(LIGHTS).split()),
        "roads": [{"via": via.split(), "one_way": kind == ONE_WAY} for _, kind, via in ROADS],
        "attractions": {key: {"name": name, "square": square} for key, name, square in ATTRACTIONS},
        "cards": {
            f"D{number + 1:02d}": {"attraction": key, "fare": FARES[number // band]}
            for number, (key, _, _) in enumerate(ATTRACTIONS)
        },
    }


def as_text(board: dict[str, object]) -> str:
    """The board as the file holds it: one road, attraction and card a line, squares as many as fit."""
    parts = []
    for key, value in board.items():
        name = json.dumps(key)
        if key == "squares" and isinstance(value, dict):
            words = [f"{json.dumps(square)}:_[{x},_{y}]" for square, (x, y) in value.items()]
            rows = [row.replace("_", " ") for row in wrap(", ".join(words), 110, break_on_hyphens=False)]
            parts.append(f" {name}: {{\n  " + "\n  ".join(rows) + "\n }")
        elif isinstance(value, dict):
            rows = [f"{json.dumps(one)}: {json.dumps(what, ensure_ascii=False)}" for one, what in value.items()]
            parts.append(f" {name}: {{\n  " + ",\n  ".join(rows) + "\n }")
        elif key == "roads" and isinstance(value, list):
            parts.append(f" {name}: [\n  " + ",\n  ".join(json.dumps(road) for road in value) + "\n ]")
        else:
            parts.append(f" {name}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the board and its layout, or say whether those that are there are these; 0 when they are."""
    from hardware.board_design import thames_sheet

    first_line = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m hardware.board_design.thames", description=first_line)
    parser.add_argument("--write", action="store_true", help="write both files; words must then be placed anew")
    if parser.parse_args(arguments).write:
        BOARD_FILE.write_text(as_text(design()), encoding="utf-8")
        LAYOUT_FILE.write_text(json.dumps(thames_sheet.sheet(), ensure_ascii=False, indent=1), encoding="utf-8")
        print(f"{BOARD_FILE.name} and the hand-made part of {LAYOUT_FILE.name} are written. Now place its words:")
        print(f"python -m companion.titles.destination_london.map.layout_tool {BOARD_FILE}")
        return 0
    differ = []
    if BOARD_FILE.read_text(encoding="utf-8") != as_text(design()):
        differ.append(BOARD_FILE.name)
    if thames_sheet.hand_made(json.loads(LAYOUT_FILE.read_text(encoding="utf-8"))) != thames_sheet.hand_made():
        differ.append(LAYOUT_FILE.name)
    print(f"{' and '.join(differ)}: not as designed; write anew with --write." if differ else "Both are as designed.")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
