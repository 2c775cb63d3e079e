"""What was asked for: by the user in the request, and by text that tools brought in."""
