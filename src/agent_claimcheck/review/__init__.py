"""The local review page: what is unsure is put before a person, and every decision becomes a labelled trace."""
