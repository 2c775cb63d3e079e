"""Money that changes booked, and money that the agent told of."""
