"""Question and answer of a test script: JSON in, one line of JSON out."""

import json
import sys


def question():
    return json.loads(sys.stdin.read())


def answer(value):
    print(json.dumps(value))
