"""The injection check: text from outside that gives the agent orders, and whether the agent followed them."""
