"""What a state probe says of a claim: ``reading`` by the pack's rule, ``refuting`` where no call proves it."""
