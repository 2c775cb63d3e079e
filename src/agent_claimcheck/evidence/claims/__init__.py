"""What a run claims to have done, heard in the agent's own words.

The way through: ``reading`` takes the declared claims, those that a pack's ``patterns`` find and those of the ``finder``, which
asks ``hearing`` about each message. ``clauses`` cuts it into sentences, ``scripts`` tells the language, ``sentence_hearing``
asks ``english`` or ``frames`` for the verbs that claim, the questions of ``verb_reading`` (and ``negation`` for patterns)
take away what is no claim, ``subjects`` reads what it is about, and ``merging`` settles what is left standing at the end.
"""
