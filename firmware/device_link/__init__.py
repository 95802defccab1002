"""The table's end of the link to its companion.

Whatever carries the packets tells the session what happened by one of these.
"""

CONNECTED = 1
GONE = 2
WRITTEN = 3
