"""What the review page keeps: results, traces and decisions, in one SQLite file."""
