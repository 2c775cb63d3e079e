"""Reports over any number of results."""
