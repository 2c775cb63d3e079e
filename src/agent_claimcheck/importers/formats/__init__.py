"""The formats: one file each, by the name under which ``catalog`` lists it."""
