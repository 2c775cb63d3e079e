"""The documented plan: 300 runs of three domains, balanced cell by cell."""
