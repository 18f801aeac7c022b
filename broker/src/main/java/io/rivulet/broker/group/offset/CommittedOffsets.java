package io.rivulet.broker.group.offset;

import io.rivulet.protocol.wire.Uuid;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The committed offsets of one group: for each topic id and partition the offset, the leader epoch, the time, and the
 * metadata text if the client sent one. A row takes 24 bytes in arrays, 5 to 11 of index, and its part of {@link
 * TopicNumbers}. Old clients may also send how long an offset is kept.
 *
 * <p>A row keeps its number as long as it exists. So an iteration in slices meets each row that exists all the time.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class CommittedOffsets extends RowIndex {
    /** The offset is kept for the retention time of the broker. */
    public static final long BY_RETENTION = -1;

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
    /** When offsets expire whose clients have said so. */
    private @Nullable Map<Integer, Long> ownExpiryMillis;

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
        forgetOwnExpiry(row);
    }

    /** Sets when the offset expires, regardless of the retention time, until the next commit. */
    public void expireAt(Uuid topic, int partition, long millis) {
        ownExpiryMillis = ownExpiryMillis == null ? new HashMap<>() : ownExpiryMillis;
        ownExpiryMillis.put(row(topic, partition), millis);
    }

    private void forgetOwnExpiry(int row) {
        if (ownExpiryMillis != null) {
            ownExpiryMillis.remove(row);
        }
    }

    /** Unsigned, because a clock may have any time. */
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

    /** Removes the row, if there is one. */
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
        forgetOwnExpiry(row);
        keys[row] = NO_KEY;
    }

    /** Removes all rows and releases their topic numbers. It must not be used afterwards. */
    public void clear() {
        for (int row = 0; row < limit(); row++) {
            if (exists(row)) {
                remove(row);
            }
        }
    }

    // ---- rows ----

    /** Receives the fields of one row. */
    @FunctionalInterface
    public interface Visitor {
        void row(Uuid topic, int partition, long offset, int leaderEpoch, @Nullable String text, long millis);
    }

    public void forEach(Visitor visitor) {
        for (int row = 0; row < limit(); row++) {
            if (exists(row)) {
                visitor.row(
                        topicId(row), partition(row), offsets[row], leaderEpochs[row], text(row), commitMillis(row));
            }
        }
    }

    /** The approximate heap bytes. */
    public long heapBytes() {
        return 64L * keys.length
                + 2 * textChars
                + (texts == null ? 0 : 64L * texts.size())
                + (ownExpiryMillis == null ? 0 : 64L * ownExpiryMillis.size());
    }

    /** The row, or {@link #NONE}. */
    public int row(Uuid topic, int partition) {
        int number = topics.find(topic);
        if (number == NONE) {
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

    /** The commit time, in whole seconds. */
    public long commitMillis(int row) {
        return Integer.toUnsignedLong(commitSeconds[row]) * MILLIS_PER_SECOND;
    }

    /** The commit time. If it is later than this, the clock was set back, and it is set to this. */
    public long commitMillisUpTo(int row, long latestMillis) {
        if (commitMillis(row) > latestMillis) {
            commitSeconds[row] = seconds(latestMillis);
        }
        return commitMillis(row);
    }

    /** When the offset expires, or {@link #BY_RETENTION}. */
    public long ownExpiryMillis(int row) {
        return ownExpiryMillis == null ? BY_RETENTION : ownExpiryMillis.getOrDefault(row, BY_RETENTION);
    }

    public boolean haveOwnExpiry() {
        return ownExpiryMillis != null && !ownExpiryMillis.isEmpty();
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
