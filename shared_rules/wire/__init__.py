"""What a table and its companion say to each other: the messages and their order. Imports nothing of ours."""
