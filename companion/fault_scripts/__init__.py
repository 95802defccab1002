"""What goes wrong at a table, as data: scripts that say what hands do and what the companion must hear.

`script` reads and checks them, `player` plays one on a target of `targets`, `recorder` writes one down, `command` is
`cabstand fault`. docs/fault_scripts.md describes the format.
"""
