"""The rules core: what every game shares. It knows no title; `game` is the way in."""

# The revision of rules that have not changed yet. A title whose rules change says its own in `meta.REVISION`; the
# revision is stored with every game and every record, and old ones are played on by it (docs/records.md).
RULES_REVISION = 1
