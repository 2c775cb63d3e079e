"""The bench: detectors measured against labels, from records that anyone can replay."""
