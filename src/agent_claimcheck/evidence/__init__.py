"""The case file of one trace: what was claimed, what was done, and what the record shows of both.

The way through: ``case`` holds it all, each part computed on first use. ``claims`` hears what the agent said; ``effects`` says
what each call was meant to change, ``receipts`` what came of it, ``writes`` both; ``coverage`` which deed could be which claim;
``values`` compares; ``findings`` are what then catches the eye.
"""
