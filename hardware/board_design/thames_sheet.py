"""What the layout of `thames` holds beside the places of its words: wiring, names of squares, river, parks, quarters.

Everything here is drawn by hand, in page units: 1366 x 1036, x to the right, y down, the neat line from (44, 44) to
(1322, 992). Where signs and street names stand is found by `companion.titles.destination_london.map.layout_tool`, which
keeps the rest of the layout's file as it is; `python -m hardware.board_design.thames --write` writes this part.
"""

import json

from hardware.board_design import thames_map

FRAME = [44, 44, 1322, 992]
MARGIN_WORDS = ["TO SCOTLAND", "TO ESSEX", "NOT AT NIGHT", "TO FRANCE"]
DIE_LEDS = list(range(12))
FIRST_CONTROLLER = 32

# What people call a square.
PLACES = {
    "BASE": "the Base", "AB1": "Abbey Road", "SJW": "St John’s Wood", "PA1": "Regent’s Canal", "PA2": "London Zoo",
    "CAM": "Camden Lock", "LO1": "Lord’s", "PAD": "Paddington", "EDG": "Edgware Road", "BAK": "Madame Tussauds",
    "GPS": "BT Tower", "EUS": "Euston", "KGX": "King’s Cross", "ANG": "the Angel", "OLD": "Old Street",
    "PB1": "Portobello Road", "NOT": "Notting Hill Gate", "LAN": "Lancaster Gate", "MAR": "Marble Arch",
    "SEL": "Bond Street", "OXC": "Oxford Circus", "TCR": "Centre Point", "HOL": "Holborn", "FAR": "Smithfield",
    "BK1": "221B Baker Street", "GO1": "British Museum", "STP": "St Paul’s", "BNK": "Bank of England",
    "LW1": "Moorgate", "ALD": "The Gherkin", "CO1": "Brick Lane", "HK1": "Columbia Road", "MIL": "Mile End",
    "LIM": "Limehouse", "HSK": "Kensington High Street", "RAH": "Royal Albert Hall", "KNI": "Harrods",
    "SE1": "The Serpentine", "HPC": "Hyde Park Corner", "PI1": "Green Park", "PIC": "Piccadilly Circus",
    "CBC": "Chinatown", "CG1": "Covent Garden", "TRA": "Trafalgar Square", "ALW": "Aldwych", "LUD": "Ludgate Circus",
    "MON": "the Monument", "TOW": "Tower of London", "PW1": "Prospect of Whitby", "EAR": "Earl’s Court",
    "SKN": "South Kensington", "SLO": "Sloane Square", "VIC": "Victoria", "BKP": "Buckingham Palace",
    "ML1": "the Mall", "WA1": "Westminster Abbey", "WES": "Big Ben", "DS1": "10 Downing Street", "KG1": "King’s Road",
    "CHE": "World’s End", "CE1": "Cheyne Walk", "CE2": "Royal Hospital", "CHB": "Grosvenor Road", "VB2": "Millbank",
    "CB1": "Chelsea Bridge", "VX1": "Vauxhall Bridge", "WB1": "Westminster Bridge", "WL1": "Waterloo Bridge",
    "BB1": "Blackfriars Bridge", "LB1": "London Bridge", "TB1": "Tower Bridge", "BAT": "Battersea",
    "NE1": "Battersea Power Station", "NE2": "Nine Elms", "VAU": "Vauxhall Cross", "OVA": "The Oval",
    "ELE": "Elephant and Castle", "LAM": "Lambeth Palace", "EYE": "London Eye", "WAT": "the Garage",
    "BLF": "Stamford Street", "SW1": "Bankside", "BOR": "The Shard", "TBS": "Bermondsey", "JR1": "Rotherhithe",
    "DEP": "Deptford", "OK1": "Bricklayers Arms", "OK2": "New Cross", "WI1": "Westferry", "CAY": "Canary Wharf",
    "FT1": "the Foot Tunnel", "BT1": "the Blackwall Tunnel", "DOM": "The Dome", "PN1": "Blackwall Lane",
    "OBS": "Royal Observatory", "GRE": "Cutty Sark",
}  # fmt: skip

# Shorter forms of road names for stretches where the whole name does not fit, longest first.
SHORT = {
    "Warwick Avenue": ("Warwick Av",),
    "Baker Street": ("Baker St",),
    "Gower Street": ("Gower St",),
    "Regent Street": ("Regent St",),
    "Prince Albert Road": ("Prince Albert Rd",),
    "Marylebone Road": ("Marylebone Rd",),
    "Portobello Road": ("Portobello Rd",),
    "Westbourne Terrace": ("Westbourne Ter",),
    "Edgware Road": ("Edgware Rd",),
    "Bayswater Road": ("Bayswater Rd", "Bayswater"),
    "Oxford Street": ("Oxford St",),
    "Leadenhall Street": ("Leadenhall St", "Leadenhall"),
    "Whitechapel Road": ("Whitechapel Rd", "Whitechapel"),
    "Portland Place": ("Portland Pl",),
    "Tottenham Court Road": ("Tottenham Ct Rd",),
    "Rosebery Avenue": ("Rosebery Av",),
    "Commercial Street": ("Commercial St", "Comm’l St"),
    "Hackney Road": ("Hackney Rd",),
    "Burdett Road": ("Burdett Rd",),
    "Kensington Church Street": ("Church Street", "Church St"),
    "Kensington Road": ("Kensington Rd", "Kens Rd"),
    "Serpentine Road": ("Serpentine Rd", "Serpentine"),
    "Shaftesbury Avenue": ("Shaftesbury Av", "Shaftesbury"),
    "Charing Cross Road": ("Charing Cross Rd", "Charing Cross", "Charing X Rd"),
    "Farringdon Street": ("Farringdon St", "Farringdon"),
    "King William Street": ("King William St", "King William"),
    "Lower Thames Street": ("Lr Thames St",),
    "Westferry Road": ("Westferry Rd", "Westferry"),
    "Manchester Road": ("Manchester Rd",),
    "Greenwich Foot Tunnel": ("Foot Tunnel",),
    "East India Dock Road": ("E India Dock Rd", "East India"),
    "Blackwall Tunnel": ("Blackwall",),
    "Exhibition Road": ("Exhibition Rd",),
    "Brompton Road": ("Brompton Rd",),
    "Sloane Street": ("Sloane St",),
    "Eccleston Street": ("Eccleston St", "Eccleston"),
    "Chelsea Embankment": ("Chelsea Emb",),
    "Chelsea Bridge Road": ("Chelsea Br Rd",),
    "Constitution Hill": ("Constitution",),
    "Victoria Street": ("Victoria St",),
    "Vauxhall Bridge Road": ("Vauxhall Br Rd",),
    "Westminster Bridge": ("Westm Bridge",),
    "Albert Embankment": ("Albert Emb",),
    "Southwark Street": ("Southwark St", "Southwark"),
    "Blackfriars Road": ("Blackfriars Rd",),
    "Blackfriars Bridge": ("Blackfriars Br", "Blackfriars"),
    "Waterloo Bridge": ("Waterloo Br", "Waterloo"),
    "London Bridge": ("London Br",),
    "Tower Bridge": ("Tower Br",),
    "Kennington Road": ("Kennington Rd",),
    "Harleyford Road": ("Harleyford Rd", "Harleyford"),
    "Old Kent Road": ("Old Kent Rd",),
    "Jamaica Road": ("Jamaica Rd",),
}
TUNNELS = ("Greenwich Foot Tunnel", "Blackwall Tunnel")

RIVER = {
    "name": "River Thames",
    "width": 40,
    "through": [
        [20, 905], [110, 893], [210, 872], [300, 858], [395, 842], [480, 826], [548, 796], [588, 772], [618, 722],
        [644, 682], [652, 646], [667, 600], [700, 562], [745, 548], [800, 547], [850, 558], [905, 572], [962, 577],
        [1050, 589], [1086, 606], [1104, 645], [1104, 710], [1112, 770], [1140, 812], [1178, 828], [1214, 812],
        [1234, 765], [1236, 700], [1236, 640], [1246, 602], [1280, 582], [1350, 574],
    ],
}  # fmt: skip

PARKS = (
    {
        "lines": ["Hyde", "Park"],
        "fixed": [300, 420],
        "area": [[122, 402], [205, 378], [322, 352], [336, 424], [348, 494], [268, 515], [188, 530], [122, 537]],
        "water": {"width": 17, "through": [[146, 418], [170, 440], [200, 452], [236, 460], [272, 470], [306, 460]]},
    },
    {
        "lines": ["Regent’s Park"],
        "area": [
            [300, 112], [372, 88], [478, 88], [546, 98], [548, 150], [520, 196], [462, 208], [392, 212], [322, 202],
            [292, 164],
        ],
        "water": {"width": 13, "through": [[338, 150], [362, 166], [392, 168], [412, 184]]},
    },
    {"lines": ["Green", "Park"], "fixed": [408, 503], "area": [[362, 495], [424, 477], [474, 464], [446, 542]]},
    {
        "lines": ["St James’s", "Park"],
        "area": [[456, 552], [518, 529], [578, 512], [586, 570], [580, 640], [448, 616]],
        "water": {"width": 12, "through": [[486, 580], [520, 572], [552, 580]]},
    },
    {"lines": ["Battersea", "Park"], "area": [[176, 912], [290, 888], [384, 874], [394, 912], [352, 962], [206, 968]]},
    {"lines": ["Greenwich", "Park"], "area": [[1196, 906], [1262, 894], [1312, 920], [1312, 984], [1180, 984]]},
    {"lines": ["Victoria", "Park"], "area": [[1150, 132], [1222, 108], [1300, 150], [1298, 226], [1172, 234]]},
    {"lines": ["Kennington", "Park"], "area": [[744, 908], [812, 876], [834, 928], [790, 966], [742, 954]]},
)  # fmt: skip

# Quarters, with a tint where they are more than a name.
QUARTERS = (
    {"lines": ["The", "City"], "tint": 2, "area": [[800, 336], [932, 318], [1040, 340], [1052, 490], [1046, 560],
                                                 [962, 552], [812, 520]]},
    {"lines": ["Mayfair"], "tint": 3, "area": [[322, 356], [402, 348], [488, 342], [516, 440], [434, 468], [350, 490]]},
    {"lines": ["Soho"], "tint": 2, "area": [[488, 342], [592, 338], [592, 415], [516, 440]]},
    {"lines": ["Isle", "of Dogs"], "tint": 3, "area": [[1130, 600], [1220, 600], [1220, 800], [1130, 800]]},
    {"lines": ["Chelsea"], "tint": 2, "area": [[118, 768], [225, 705], [325, 640], [385, 770], [295, 790], [205, 795]]},
    {"lines": ["Bloomsbury"], "tint": 3, "area": [[592, 212], [700, 200], [700, 334], [592, 338]]},
    {"lines": ["South", "Bank"], "tint": 2, "area": [[690, 600], [780, 580], [900, 600], [980, 655], [855, 632],
                                                    [708, 640]]},
    {"lines": ["Marylebone"], "tint": 2, "area": [[378, 226], [485, 220], [488, 342], [402, 348]]},
    {"lines": ["Islington"], "tint": None, "area": [[700, 60], [900, 60], [900, 190], [700, 190]]},
    {"lines": ["Stepney"], "tint": None, "area": [[1050, 380], [1180, 340], [1180, 440], [1050, 480]]},
    {"lines": ["Notting", "Hill"], "tint": None, "area": [[60, 280], [200, 280], [200, 390], [60, 400]]},
    {"lines": ["Pimlico"], "tint": None, "area": [[390, 640], [530, 640], [530, 780], [390, 770]]},
    {"lines": ["Lambeth"], "tint": None, "area": [[640, 740], [800, 700], [800, 800], [650, 850]]},
    {"lines": ["Southwark"], "tint": None, "area": [[830, 660], [1040, 690], [1030, 800], [830, 770]]},
)  # fmt: skip

# Words for what room is left; each belongs somewhere, so each has a middle near which it is to stand.
ASIDES = (
    (["Penguins", "(resting)"], [430, 130]),
    (["Here be", "bankers"], [1180, 590]),
    (["Plague pit", "(full)"], [860, 290]),
    (["Lost:", "one river", "(Fleet)"], [760, 390]),
    (["To Essex,", "if you must"], [1240, 330]),
    (["Tea hut", "(closed)"], [150, 200]),
    (["Spies,", "allegedly"], [680, 860]),
    (["Nearly", "Brixton"], [600, 960]),
    (["Marsh,", "formerly"], [1020, 940]),
    (["Sloane", "Rangers"], [370, 690]),
    (["Football", "(elsewhere)"], [780, 110]),
    (["Fish, chips,", "regret"], [1000, 150]),
    (["Foxes"], [480, 960]),
    (["Brunel", "dug here"], [1000, 745]),
    (["Putney,", "eventually"], [84, 838]),
    (["Cricket", "(slow)"], [690, 960]),
    (["Home for", "cats (full)"], [300, 985]),
    (["Kippers,", "overland"], [1130, 920]),
    (["Wet dogs"], [300, 400]),
    (["Parrots", "(escaped)"], [330, 150]),
    (["Jellied", "eels"], [1100, 400]),
    (["Lions", "(stone)"], [850, 720]),
    (["Left-handed", "quarter"], [150, 730]),
)

# On which side of its post a sign is to stand, where it matters.
LEANS = {
    "westminster_abbey": "n", "big_ben": "se", "buckingham_palace": "sw", "national_gallery": "sw",
    "nelsons_column": "e", "downing_street": "e", "chinatown": "nw", "tate_modern": "n", "globe": "s",
    "tower_bridge": "e", "bank_of_england": "nw", "st_pauls": "s",
}  # fmt: skip

CARTOUCHE = {"at": [910, 940], "lines": ["London", "by the Meter"]}
COMPASS = [1252, 318]
BOATS = [[246, 866], [872, 563], [1109, 756]]


def wiring() -> dict[str, object]:
    """Readers and lamps: the Base and the Garage, then attraction squares from west to east, so that the cables of the
    second controller all lie in the east; LEDs at the lights, from west to east, too."""
    spots = thames_map.SQUARES
    at = sorted({square for _, _, square in thames_map.ATTRACTIONS}, key=lambda name: (spots[name], name))
    sockets: dict[str, object] = {}
    for number, name in enumerate([thames_map.BASE, thames_map.GARAGE, *at]):
        controller, socket = divmod(number, FIRST_CONTROLLER)
        sockets[name] = {"controller": controller, "socket": socket} if controller else socket
    lights = sorted(" ".join(thames_map.LIGHTS).split(), key=lambda name: (spots[name], name))
    return {
        "sockets": sockets,
        "leds": {name: number for number, name in enumerate(lights)},
        "die_leds": DIE_LEDS,
        "tags": 6,
    }


def sheet() -> dict[str, object]:
    """The hand-made part of the layout."""
    streets = []
    for name, kind, via in thames_map.ROADS:
        looks = "tunnel" if name in TUNNELS else thames_map.MINOR if kind == thames_map.ONE_WAY else kind
        streets.append({"name": name, "short": list(SHORT.get(name, ())), "kind": looks, "via": via.split()})
    return {
        "board": "thames",
        "version": 1,
        "block_mm": 1,
        **wiring(),
        "page": {"width": 1366, "height": 1036, "frame": FRAME, "joins": MARGIN_WORDS},
        "sheet": {"unit": thames_map.UNITS_PER_MM, "origin": [thames_map.LEFT, thames_map.BOTTOM]},
        "places": PLACES,
        "streets": streets,
        "river": RIVER,
        "parks": list(PARKS),
        "quarters": list(QUARTERS),
        "asides": [{"lines": lines, "near": near} for lines, near in ASIDES],
        "leans": LEANS,
        "cartouche": CARTOUCHE,
        "compass": COMPASS,
        "boats": BOATS,
    }


# What the layout tool finds, by the list or table that it is in.
FOUND = {"streets": ("label",), "parks": ("at", "trees"), "quarters": ("at",), "asides": ("at",)}


def hand_made(layout: dict[str, object] | None = None) -> dict[str, object]:
    """A layout without what the layout tool found, for comparing; names in one line, since the tool breaks them."""
    made = json.loads(json.dumps(layout or sheet()))
    made.pop("attractions", None)
    made["river"].pop("labels", None)
    for key, found in FOUND.items():
        for thing in made[key]:
            for word in found:
                thing.pop(word, None)
            if "lines" in thing:
                thing["lines"] = " ".join(thing["lines"])
    return dict(made)
