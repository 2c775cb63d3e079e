"""Values, wherever they stand: in arguments, in outputs, in text; and whether two of them are the same."""
