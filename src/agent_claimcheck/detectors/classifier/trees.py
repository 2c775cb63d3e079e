"""Gradient-boosted trees evaluated from a file: one walk down each tree, leaves added up.

A reader must not miss: every node holds the value the tree would give if it ended there, so the difference along a path is
what the feature asked at that node contributes. Contributions add up, with the baseline, to the score.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError

LEAF = -1


class Tree(Struct, frozen=True, kw_only=True):
    """One tree in parallel lists, node 0 is the root.

    Node ``k`` asks whether ``x[feature[k]] <= threshold[k]`` and goes ``left[k]`` or ``right[k]``; ``feature[k]`` is -1
    at a leaf. Children stand after their parent. ``value`` is in log-odds.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def check(self, n_features: int, path: str = "$") -> None:
        """Raise ``InputError`` for a tree that names a feature or node it does not have, or whose walk might not end."""
        n = len(self.feature)
        if not n or not len(self.threshold) == len(self.left) == len(self.right) == len(self.value) == n:
            raise InputError(f"{path}: a tree needs lists of one length", slug="artifact")
        for node, feature in enumerate(self.feature):
            if feature == LEAF:
                continue
            children = (self.left[node], self.right[node])
            if not 0 <= feature < n_features or not all(node < child < n for child in children):
                raise InputError(f"{path}: node {node} of the tree is broken", slug="artifact")

    def leaf(self, x: Sequence[float]) -> float:
        """Return the value of the leaf that ``x`` falls into."""
        features, thresholds, left, right = self.feature, self.threshold, self.left, self.right
        node = 0
        while (feature := features[node]) != LEAF:
            node = left[node] if x[feature] <= thresholds[node] else right[node]
        return self.value[node]


class Trees(Struct, frozen=True, kw_only=True, tag="trees", tag_field="kind"):
    """A sum of trees: ``log-odds = baseline + sum of leaves``."""

    baseline: float
    trees: tuple[Tree, ...]

    def check(self, n_features: int, path: str = "$.model") -> None:
        """Raise ``InputError`` for a broken tree."""
        for place, tree in enumerate(self.trees):
            tree.check(n_features, f"{path}.trees[{place}]")

    def log_odds(self, x: Sequence[float]) -> float:
        """Return the log-odds of success for the feature values ``x``."""
        return self.baseline + sum([tree.leaf(x) for tree in self.trees])

    def contributions(self, x: Sequence[float]) -> list[float]:
        """Return what each feature adds to the log-odds, by the values along the paths (Saabas 2014)."""
        added = [0.0] * len(x)
        for tree in self.trees:
            node = 0
            while (feature := tree.feature[node]) != LEAF:
                child = tree.left[node] if x[feature] <= tree.threshold[node] else tree.right[node]
                added[feature] += tree.value[child] - tree.value[node]
                node = child
        return added
