"""Records of games, for every title: canonical lines of JSON, a notation for people, replaying, checking, the story.

Formats: docs/records.md. Everything here works on both Pythons and knows no title; the words of a title's notation are
a table in its folder.
"""
