"""Learned scores: features of the evidence, in tables that never change, and fitted models evaluated from files."""
