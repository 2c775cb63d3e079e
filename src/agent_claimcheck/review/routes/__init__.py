"""The addresses of the review page, one file per subject."""
