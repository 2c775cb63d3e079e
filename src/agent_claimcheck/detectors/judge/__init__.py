"""The judge: a prompt made of the case file, a strict reading of the answer, and records that can be replayed."""
