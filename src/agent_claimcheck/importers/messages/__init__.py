"""Messages of a model, in every dialect: ``parser`` is the way in."""
