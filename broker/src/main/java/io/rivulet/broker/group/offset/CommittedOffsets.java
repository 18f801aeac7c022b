package io.rivulet.broker.group.offset;

import io.rivulet.protocol.wire.Uuid;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one group has committed: for each topic id and partition an offset, the leader epoch, when, and a text if the
 * client gave one. A row takes 24 bytes in arrays, 5 to 11 of index and its share of {@link TopicNumbers}.
 *
 * <p>Row numbers are stable as long as the row exists, so that a walk may be interrupted and meet each row that was
 * there all the while.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class CommittedOffsets extends RowIndex {
    /** Instead of a row. */
    public static final int NONE = NO_ROW;

    private static final long NO_KEY = -1;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final long MAX_SECONDS = (1L << 32) - 1;

    private final TopicNumbers topics;
    /** Topic number 32 | partition 32. */
    private long[] keys = {};

    private long[] offsets = {};
    private int[] leaderEpochs = {};
    private int[] commitSeconds = {};
    private @Nullable Map<Integer, String> texts;
    private long textChars;

    public CommittedOffsets(TopicNumbers topics) {
        this.topics = topics;
    }

    // ---- changes ----

    /** @param text null or empty for none */
    public void put(Uuid topic, int partition, long offset, int leaderEpoch, @Nullable String text, long millis) {
        int row = row(topic, partition);
        if (row == NONE) {
            row = newRow();
            if (row == keys.length) {
                grow();
            }
            keys[row] = key(topics.used(topic), partition);
            link(row);
        }
        offsets[row] = offset;
        leaderEpochs[row] = leaderEpoch;
        commitSeconds[row] = seconds(millis);
        setText(row, text);
    }

    /** Unsigned; a clock may say any time. */
    private static int seconds(long millis) {
        return (int) Math.max(0, Math.min(MAX_SECONDS, millis / MILLIS_PER_SECOND));
    }

    private void grow() {
        int length = grown(keys.length);
        keys = Arrays.copyOf(keys, length);
        offsets = Arrays.copyOf(offsets, length);
        leaderEpochs = Arrays.copyOf(leaderEpochs, length);
        commitSeconds = Arrays.copyOf(commitSeconds, length);
    }

    private void setText(int row, @Nullable String text) {
        String before;
        if (text == null || text.isEmpty()) {
            before = texts == null ? null : texts.remove(row);
        } else {
            texts = texts == null ? new HashMap<>() : texts;
            before = texts.put(row, text);
        }
        textChars += length(text) - length(before);
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Forgets the row, if there is one. */
    public void remove(Uuid topic, int partition) {
        int row = row(topic, partition);
        if (row != NONE) {
            remove(row);
        }
    }

    public void remove(int row) {
        unlink(row);
        topics.released(topicNumber(row));
        setText(row, null);
        keys[row] = NO_KEY;
    }

    /** Releases what it holds of what all groups share. It must not be used afterwards. */
    public void clear() {
        for (int row = 0; row < rowLimit(); row++) {
            if (exists(row)) {
                remove(row);
            }
        }
    }

    // ---- rows ----

    public int count() {
        return size();
    }

    /** Above the number of every row. */
    public int limit() {
        return rowLimit();
    }

    /** How much heap it takes, about. */
    public long heapBytes() {
        return 64L * keys.length + 2 * textChars + (texts == null ? 0 : 64L * texts.size());
    }

    /** The row, or {@link #NONE}. */
    public int row(Uuid topic, int partition) {
        int number = topics.find(topic);
        if (number == NO_ROW) {
            return NONE;
        }
        long key = key(number, partition);
        return find(key, key, 0);
    }

    @Override
    public boolean exists(int row) {
        return keys[row] != NO_KEY;
    }

    public int topicNumber(int row) {
        return (int) (keys[row] >>> 32);
    }

    public Uuid topicId(int row) {
        return topics.id(topicNumber(row));
    }

    public int partition(int row) {
        return (int) keys[row];
    }

    public long offset(int row) {
        return offsets[row];
    }

    public int leaderEpoch(int row) {
        return leaderEpochs[row];
    }

    /** When it was committed, to the second. */
    public long commitMillis(int row) {
        return Integer.toUnsignedLong(commitSeconds[row]) * MILLIS_PER_SECOND;
    }

    /** If it was committed at a later time than this, the clock was set back, and it counts as committed at this. */
    public long commitMillisUpTo(int row, long latestMillis) {
        if (commitMillis(row) > latestMillis) {
            commitSeconds[row] = seconds(latestMillis);
        }
        return commitMillis(row);
    }

    public String text(int row) {
        return texts == null ? "" : texts.getOrDefault(row, "");
    }

    private static long key(int topicNumber, int partition) {
        return (long) topicNumber << 32 | partition;
    }

    @Override
    long hash(int row) {
        return keys[row];
    }

    @Override
    boolean matches(int row, long keyHigh, long keyLow) {
        return keys[row] == keyHigh;
    }
}
