"""`cabstand record`: records of games in files and in the data folder, shown, replayed, exchanged, checked, told."""
