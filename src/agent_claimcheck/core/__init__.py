"""What every room may use and none owns: errors, canonical JSON, text, patterns, packaged files, settings."""
