"""Numbers in, numbers out: metrics, calibrators, promised thresholds, and the gate, which alone makes verdicts."""
