"""What one result shows on an HTML page: the report and the review page share it."""
