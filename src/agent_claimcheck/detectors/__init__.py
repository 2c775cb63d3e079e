"""Who estimates how likely the claimed success is real: the rules, fitted classifiers, a judge, and ensembles of them."""
