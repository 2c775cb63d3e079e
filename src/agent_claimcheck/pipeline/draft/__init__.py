"""Drafts of rule packs, from tool definitions, from runs, or from both; a person edits what comes out."""
