"""Answers questions about places, a JSON object a line, on either Python; the tests compare what the two print."""

import json
import sys

from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.streets import street_map

for line in sys.stdin:
    question = json.loads(line)
    board = parse_board(question["board"], "board", question["options"].get("freeway_stop") == "allowed")
    streets = street_map(board, question["options"])
    print(json.dumps(streets.reach(*question["reach"])))
    print(json.dumps(streets.distance(question["reach"][0], board.point_ids[-1], 30, 12)))
    print(json.dumps(board.dump()))
