"""The full profile: many domains, tools drawn anew for every run, dialogues, twelve languages besides English."""
