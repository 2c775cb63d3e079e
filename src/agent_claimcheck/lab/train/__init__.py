"""Training on labelled runs: ``fit`` is the way in. numpy is imported inside the functions that compute."""
