"""How each provider wants to be asked and what its answers look like, one file a wire format."""
