"""Many workers: the input in parts, an engine that does them here, in processes or on a cluster, and a job to resume."""
