package io.rivulet.broker.topic;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The sorted names of all topics at one moment, four bytes each: their places in the arena. A merge sort by hand,
 * because the library sorts ints only by value. Immutable.
 */
final class SortedNames {
    private final NameArena names;
    private final int[] places;

    /** @param places {@code count} places; the caller must not use the array any more */
    SortedNames(NameArena names, int[] places, int count) {
        this.names = names;
        int[] from = count == places.length ? places : Arrays.copyOf(places, count);
        int[] to = new int[count];
        for (int run = 1; run < count; run *= 2) {
            for (int at = 0; at < count; at += 2 * run) {
                merge(from, to, at, Math.min(at + run, count), Math.min(at + 2 * run, count));
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        this.places = from;
    }

    private void merge(int[] from, int[] to, int start, int middle, int end) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean takesLeft = left < middle && (right == end || names.compare(from[left], from[right]) <= 0);
            to[at] = takesLeft ? from[left++] : from[right++];
        }
    }

    int count() {
        return places.length;
    }

    String name(int index) {
        return names.text(places[index]);
    }

    /** The index of the first name that is equal or greater. */
    int from(String name) {
        byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
        int low = 0;
        int high = places.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (names.compare(places[middle], wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
