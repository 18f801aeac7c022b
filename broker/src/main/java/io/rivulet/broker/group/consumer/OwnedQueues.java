package io.rivulet.broker.group.consumer;

import java.util.HashMap;
import java.util.Map;

/**
 * The queues that have an owner in the group: one bit each, in pages that exist only where needed. So the cost of a
 * change depends on the queues that move, not on all queues of the group.
 *
 * <p>Owned by: the coordinator thread.
 */
final class OwnedQueues {
    private static final int PAGE_SHIFT = 10;
    private static final int PAGE_QUEUES = 1 << PAGE_SHIFT;
    private static final int PAGE_WORDS = PAGE_QUEUES / Long.SIZE;

    private final Map<Integer, Page> pages = new HashMap<>();

    private static final class Page {
        final long[] words = new long[PAGE_WORDS];
        int count;
    }

    /** @throws IllegalStateException if one has an owner already: two members must never have the same queue */
    void add(QueueSet queues) {
        queues.forEachRange((first, count) -> forEachWord(first, count, this::set));
    }

    void remove(QueueSet queues) {
        queues.forEachRange((first, count) -> forEachWord(first, count, this::clear));
    }

    /** Those of the set that have an owner. */
    QueueSet among(QueueSet queues) {
        QueueSet.Builder owned = new QueueSet.Builder();
        queues.forEachRange((first, count) -> forEachWord(first, count, (page, word, mask) -> {
            Page at = pages.get(page);
            long bits = at == null ? 0 : at.words[word] & mask;
            int base = (page << PAGE_SHIFT) + word * Long.SIZE;
            while (bits != 0) {
                int from = Long.numberOfTrailingZeros(bits);
                int run = Math.min(Long.SIZE - from, Long.numberOfTrailingZeros(~(bits >>> from)));
                owned.addRange(base + from, run);
                bits &= run == Long.SIZE ? 0 : ~(((1L << run) - 1) << from);
            }
        }));
        return owned.build();
    }

    private interface WordVisitor {
        void word(int page, int word, long mask);
    }

    private static void forEachWord(int first, int count, WordVisitor visitor) {
        int end = first + count;
        for (int at = first; at < end; ) {
            int bit = at & Long.SIZE - 1;
            int bits = Math.min(Long.SIZE - bit, end - at);
            long mask = (bits == Long.SIZE ? -1L : (1L << bits) - 1) << bit;
            visitor.word(at >>> PAGE_SHIFT, (at & PAGE_QUEUES - 1) / Long.SIZE, mask);
            at += bits;
        }
    }

    private void set(int page, int word, long mask) {
        Page at = pages.computeIfAbsent(page, number -> new Page());
        if ((at.words[word] & mask) != 0) {
            throw new IllegalStateException("a queue near " + (page << PAGE_SHIFT) + " has two owners");
        }
        at.words[word] |= mask;
        at.count += Long.bitCount(mask);
    }

    private void clear(int page, int word, long mask) {
        Page at = pages.get(page);
        if (at == null || (at.words[word] & mask) != mask) {
            throw new IllegalStateException("a queue near " + (page << PAGE_SHIFT) + " has no owner");
        }
        at.words[word] &= ~mask;
        at.count -= Long.bitCount(mask);
        if (at.count == 0) {
            pages.remove(page);
        }
    }
}
