package io.rivulet.broker.acl;

import org.jspecify.annotations.Nullable;

/**
 * A sorted map from texts to values that never changes. A change makes a new map, which shares all but some 20 nodes
 * with the old one. An empty map is null.
 *
 * <p>It is a weight-balanced tree: neither side of a node weighs more than three times as much as the other. So it is
 * low whatever the keys are. Rotations as in Hirai and Yamamoto, "Balancing weight-balanced trees", 2011.
 *
 * <p>Each node also has the bits of all values below it, so that a search can leave out what can't matter.
 *
 * <p>Immutable.
 */
final class SortedTree<V extends SortedTree.Value> {
    private static final int MOST_WEIGHT = 3;
    private static final int SINGLE_ROTATION = 2;

    /** What a map has for a key. Immutable. */
    interface Value {
        /** Those of {@link OperationBits}, of everything in the value. */
        long bits();
    }

    /** Gets one key after the other. */
    @FunctionalInterface
    interface Visitor<V> {
        /** False to stop. */
        boolean visit(String key, V value);
    }

    private final String key;
    private final V value;
    private final @Nullable SortedTree<V> left;
    private final @Nullable SortedTree<V> right;
    private final int size;
    private final long bits;

    private SortedTree(String key, V value, @Nullable SortedTree<V> left, @Nullable SortedTree<V> right) {
        this.key = key;
        this.value = value;
        this.left = left;
        this.right = right;
        this.size = size(left) + 1 + size(right);
        this.bits = bits(left) | value.bits() | bits(right);
    }

    // ---- reading ----

    static int size(@Nullable SortedTree<?> tree) {
        return tree == null ? 0 : tree.size;
    }

    /** The bits of all values together. */
    static long bits(@Nullable SortedTree<?> tree) {
        return tree == null ? 0 : tree.bits;
    }

    static <V extends Value> @Nullable V get(@Nullable SortedTree<V> tree, String key) {
        SortedTree<V> node = tree;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** Visits all keys whose values may have some of the bits, in order. False if the visitor has stopped. */
    static <V extends Value> boolean forEach(@Nullable SortedTree<V> tree, long bits, Visitor<V> visitor) {
        SortedTree<V> node = tree;
        while (node != null && (node.bits & bits) != 0) {
            if (!forEach(node.left, bits, visitor)
                    || ((node.value.bits() & bits) != 0 && !visitor.visit(node.key, node.value))) {
                return false;
            }
            node = node.right;
        }
        return true;
    }

    /** Visits the keys with which the text begins, and the text itself. False if the visitor has stopped. */
    static <V extends Value> boolean forEachPrefix(@Nullable SortedTree<V> tree, String text, Visitor<V> visitor) {
        return forEachPrefix(tree, text, 1, text.length(), 0, visitor);
    }

    /**
     * Finds the prefixes of some lengths. All keys of the tree have {@code min(least - 1, common)} characters in common
     * with the text, because they lie between two keys that have. So these are not compared again.
     */
    private static <V extends Value> boolean forEachPrefix(
            @Nullable SortedTree<V> tree, String text, int least, int most, int common, Visitor<V> visitor) {
        SortedTree<V> node = tree;
        int from = least;
        int commonWithNext = common;
        while (node != null && from <= most) {
            String key = node.key;
            int same = same(key, text, Math.min(from - 1, commonWithNext));
            if (same == key.length()) {
                if (!forEachPrefix(node.left, text, from, same - 1, same, visitor) || !visitor.visit(key, node.value)) {
                    return false;
                }
                from = same + 1;
                node = node.right;
            } else if (same == text.length() || key.charAt(same) > text.charAt(same)) {
                commonWithNext = same;
                node = node.left;
            } else {
                if (!forEachPrefix(node.left, text, from, same, same, visitor)) {
                    return false;
                }
                from = same + 1;
                node = node.right;
            }
        }
        return true;
    }

    /** How many characters two texts have in common. */
    private static int same(String a, String b, int known) {
        int end = Math.min(a.length(), b.length());
        int same = known;
        while (same < end && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        return same;
    }

    // ---- changes ----

    static <V extends Value> SortedTree<V> with(@Nullable SortedTree<V> tree, String key, V value) {
        if (tree == null) {
            return new SortedTree<>(key, value, null, null);
        }
        int order = key.compareTo(tree.key);
        if (order == 0) {
            return new SortedTree<>(tree.key, value, tree.left, tree.right);
        }
        return order < 0
                ? balanced(tree, with(tree.left, key, value), tree.right)
                : balanced(tree, tree.left, with(tree.right, key, value));
    }

    /** The key must be there. */
    static <V extends Value> @Nullable SortedTree<V> without(SortedTree<V> tree, String key) {
        int order = key.compareTo(tree.key);
        if (order == 0) {
            return joined(tree.left, tree.right);
        }
        SortedTree<V> side = order < 0 ? tree.left : tree.right;
        if (side == null) {
            throw new IllegalArgumentException("the key is not there");
        }
        return order < 0
                ? balanced(tree, without(side, key), tree.right)
                : balanced(tree, tree.left, without(side, key));
    }

    private static <V extends Value> @Nullable SortedTree<V> joined(
            @Nullable SortedTree<V> left, @Nullable SortedTree<V> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        if (left.size > right.size) {
            SortedTree<V> last = left;
            while (last.right != null) {
                last = last.right;
            }
            return balanced(last, without(left, last.key), right);
        }
        SortedTree<V> first = right;
        while (first.left != null) {
            first = first.left;
        }
        return balanced(first, left, without(right, first.key));
    }

    /** A tree with the key of the node and these sides, one of which has one key more or less than was balanced. */
    private static <V extends Value> SortedTree<V> balanced(
            SortedTree<V> node, @Nullable SortedTree<V> left, @Nullable SortedTree<V> right) {
        if (right != null && weight(right) > MOST_WEIGHT * weight(left)) {
            SortedTree<V> inner = right.left;
            if (inner == null || weight(inner) < SINGLE_ROTATION * weight(right.right)) {
                return node(right, node(node, left, inner), right.right);
            }
            return node(inner, node(node, left, inner.left), node(right, inner.right, right.right));
        }
        if (left != null && weight(left) > MOST_WEIGHT * weight(right)) {
            SortedTree<V> inner = left.right;
            if (inner == null || weight(inner) < SINGLE_ROTATION * weight(left.left)) {
                return node(left, left.left, node(node, inner, right));
            }
            return node(inner, node(left, left.left, inner.left), node(node, inner.right, right));
        }
        return node(node, left, right);
    }

    private static <V extends Value> SortedTree<V> node(
            SortedTree<V> of, @Nullable SortedTree<V> left, @Nullable SortedTree<V> right) {
        return new SortedTree<>(of.key, of.value, left, right);
    }

    private static int weight(@Nullable SortedTree<?> tree) {
        return size(tree) + 1;
    }

    // ---- for tests ----

    static int height(@Nullable SortedTree<?> tree) {
        return tree == null ? 0 : 1 + Math.max(height(tree.left), height(tree.right));
    }
}
