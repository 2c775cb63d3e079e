"""The result record, what a whole run of them comes to, and how both are written, read back and explained."""
