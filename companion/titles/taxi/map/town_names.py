"""What things are called in and around Fumbling-on-the-Dawdle: streets, quarters, parks and the asides of the map.

All invented for this town. The layout tool takes from these lists in order, so the same board gets the same names.
"""

from __future__ import annotations

MAJOR_ROWS = ("Marmalade Road", "Great Kettle Road", "Long Way Round", "Grudge Road", "Lesser Kettle Road")
MAJOR_COLUMNS = ("Mustard Avenue", "Trombone Hill", "Biscuit Boulevard", "Gaiter Avenue", "Fiddle Hill")

MINOR = (
    "Ferret Walk", "Left Sock Street", "Right Sock Street", "Upper Crust Parade", "Treacle Street", "Umbrella Lane",
    "Hiccup Street", "Pudding Row", "Teacup Terrace", "Snore Street", "Nib Street", "Glue Lane", "Bib Lane",
    "Napkin Street", "Vest Street", "Crumpet Close", "Dither Street", "Mumble Lane", "Gherkin Gardens", "Elbow Row",
    "Wobble Street", "Thimble Lane", "Cardigan Walk", "Second Best Street", "Lost Glove Lane", "Custard Cut",
    "Bramble Rise", "Button Street", "Bobbin Row", "Whistle Street", "Kipper Lane", "Half Crown Street",
    "Tuppenny Lane", "Old Cough Lane", "New Cough Lane", "Sneeze Alley", "Porridge Row", "Ladle Lane", "Spoon Street",
    "Fork Road", "Tiptoe Lane", "Yawn Street", "Hush Street", "Pickle Row", "Radish Rise", "Parsnip Place",
    "Sprout Street", "Gravy Lane", "Doily Row", "Draughty Row", "Quite Street", "Rather Lane", "Perhaps Street",
    "Maybe Mews", "Backward Steps", "Bowler Street", "Brolly Row", "Galosh Lane", "Puddle Street", "Drizzle Row",
    "Mizzle Street", "Damp Street", "Fog Lane", "Dock Leaf Row", "Badger Street", "Hedgehog Mews", "Otter Row",
    "Newt Street", "Wren Walk", "Goose Walk", "Pigeon Steps", "Weasel Row", "Ham Street", "Jam Street", "Rusk Street",
    "Rhubarb Row", "Tart Street", "Bun Lane", "Scone Street", "Scon Street", "This Street", "That Street",
    "Other Street", "Pot Lane", "Lid Lane", "Pea Row", "Bean Row", "Eel Lane", "Cod Lane", "Hat Row", "Cat Walk",
    "Mat Row", "Tea Row", "Tin Row", "Hen Lane", "Egg Row", "Oat Lane", "Toad Row", "Moth Row", "Hop Row",
    "Elm Lane", "Yew Row", "Fig Row", "Wick Lane", "Soap Row", "Tub Lane", "Mop Row", "Nap Lane", "Ink Row", "Pip Row",
    "Fib Lane", "Gap Row", "Odd Lane", "Even Row", "Ant Row", "Bat Lane", "Ox Lane", "Jug Row", "Sofa Street",
    "Clutch Street", "Choke Lane", "Axle Row", "Spoke Lane", "Tyre Row", "Horn Lane", "Bonnet Street", "Boot Lane",
)  # fmt: skip

SHORT = {
    "Street": "St", "Lane": "La", "Road": "Rd", "Walk": "Wk", "Terrace": "Ter", "Parade": "Pde", "Gardens": "Gdns",
    "Close": "Cl", "Avenue": "Av", "Boulevard": "Bvd", "Place": "Pl", "Alley": "Al", "Steps": "Stps",
}  # fmt: skip

PARKS = (
    ("The Croquet", "Bog"), ("Dogs’", "Opinions"), ("Duck", "Parliament"), ("Picnic", "(bring both)"),
    ("Keep On", "The Grass"),
)  # fmt: skip

QUARTERS = (
    ("Nether", "Fumbling"), ("Much", "Haggling"), ("Upper", "Dithering"), ("Little", "Wobble"), ("Great", "Misgiving"),
)  # fmt: skip

ASIDES = (
    ("School of", "Parking"), ("Town Hall", "(closed)"), ("Museum of", "Lost Umbrellas"), ("Bus Depot", "(rivals)"),
    ("Home for", "Old Meters"), ("Mount", "Doubtful", "(14 m)"), ("Gasworks", "& Tearoom"), ("Mild", "Peril"),
    ("Institute of", "Second Thoughts"), ("Left Luggage", "(all of it)"), ("Statue of", "Nobody Yet"),
    ("Pigeon Court", "of Appeal"), ("Ministry of", "Wet Paint"), ("View", "(obstructed)"), ("Free Air", "(used)"),
    ("Bandstand", "(sitting)"), ("Site of the", "Big Sneeze"), ("Reserved", "for Fog"), ("Small", "Talk Works"),
    ("Academy", "of U-Turns"), ("Shed of", "Industry"), ("Ask", "Again"), ("Nearly", "There"),
)  # fmt: skip

RIVER = "River Dawdle"
FREEWAY = "F3"
JOINS = ("MAP 29", "MAP 30", "MAP 53", "NO FARES")


def shortened(name: str) -> str:
    """Return a street's name with its last word cut as on maps: ``Snore St``."""
    words = name.split()
    return " ".join([*words[:-1], SHORT.get(words[-1], words[-1])])
