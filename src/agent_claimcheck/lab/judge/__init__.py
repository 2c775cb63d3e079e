"""The judge held against people, and examples from which a judge of one's own can be trained."""
