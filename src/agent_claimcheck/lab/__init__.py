"""Where the product is measured and fitted: the benchmark generator, training and the benchmark itself."""
