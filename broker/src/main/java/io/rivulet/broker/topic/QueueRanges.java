package io.rivulet.broker.topic;

import java.util.ArrayList;
import java.util.List;

/**
 * Ranges of queue ids. Adjacent ranges, as of topics that were created together, are merged. Confined to one thread.
 */
final class QueueRanges {
    /** First queue id and count. */
    private final List<int[]> ranges = new ArrayList<>();

    void add(int first, int count) {
        int[] last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
        if (last != null && last[0] + last[1] == first) {
            last[1] += count;
        } else {
            ranges.add(new int[] {first, count});
        }
    }

    void forEach(Topic.RangeVisitor visitor) {
        ranges.forEach(range -> visitor.range(range[0], range[1]));
    }
}
