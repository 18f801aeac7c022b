package io.rivulet.broker.group.offset;

import io.rivulet.protocol.wire.Uuid;
import java.util.Arrays;

/**
 * Small numbers for topics with committed offsets, so that an offset need not store 16 bytes of topic id. A topic takes
 * 20 bytes and its part of the index, once for all groups. It is removed with its last offset.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class TopicNumbers extends RowIndex {
    private long[] ids = {};
    private int[] uses = {};

    /** The topic's number, or {@link #NONE}. */
    int find(Uuid id) {
        return find(
                hash(id.mostSignificantBits(), id.leastSignificantBits()),
                id.mostSignificantBits(),
                id.leastSignificantBits());
    }

    /** The topic's number. It is valid until {@link #released} has been called as often as this method. */
    int used(Uuid id) {
        int number = find(id);
        if (number == NONE) {
            number = newRow();
            if (number == uses.length) {
                uses = Arrays.copyOf(uses, grown(number));
                ids = Arrays.copyOf(ids, 2 * uses.length);
            }
            ids[2 * number] = id.mostSignificantBits();
            ids[2 * number + 1] = id.leastSignificantBits();
            link(number);
        }
        uses[number]++;
        return number;
    }

    void released(int number) {
        if (--uses[number] == 0) {
            unlink(number);
        }
    }

    public Uuid id(int number) {
        return new Uuid(ids[2 * number], ids[2 * number + 1]);
    }

    private static long hash(long high, long low) {
        return high ^ low;
    }

    @Override
    long hash(int row) {
        return hash(ids[2 * row], ids[2 * row + 1]);
    }

    @Override
    public boolean exists(int row) {
        return uses[row] > 0;
    }

    @Override
    boolean matches(int row, long keyHigh, long keyLow) {
        return ids[2 * row] == keyHigh && ids[2 * row + 1] == keyLow;
    }
}
