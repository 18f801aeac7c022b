package io.rivulet.broker.group;

import io.rivulet.broker.internal.RecordSink;
import java.util.HexFormat;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a reader of an internal topic knows: the last value of each key. */
final class RecordedState implements RecordSink {
    final TreeMap<String, String> values = new TreeMap<>();
    boolean read;
    int flushes;
    private int asked;

    @Override
    public boolean isRead() {
        return read;
    }

    @Override
    public void put(String id, long millis, byte[] key, byte @Nullable [] value) {
        if (!read) {
            throw new AssertionError("there is no reader");
        }
        String name = HexFormat.of().formatHex(key);
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, HexFormat.of().formatHex(value));
        }
    }

    @Override
    public boolean isFull() {
        return ++asked % 50 == 0;
    }

    @Override
    public void flush() {
        flushes++;
    }
}
