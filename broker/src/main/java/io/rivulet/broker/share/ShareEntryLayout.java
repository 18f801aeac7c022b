package io.rivulet.broker.share;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The entries of {@link ShareGroups} in the log and in its snapshots. Numbers are big-endian.
 *
 * <pre>
 * | type 1 | group text |
 *   RESULTS 1         count 4, for each row: | queue id 4 | start offset 8 | count 4 |
 *                       for each run: | first offset 8 | number of records 8 | state 1 | deliveries 2 |
 *   RESET 2           count 4, for each row: | queue id 4 | start offset 8 |
 *   ROWS_REMOVED 3    count 4, for each row: | queue id 4 |
 *   GROUP_DELETED 4
 * </pre>
 *
 * A text is its length in two bytes and UTF-8. States are those of {@link RecordState}, without ACQUIRED.
 *
 * <p>Crash policy: durable and checksummed with its group. To apply the entries of a time again, in their order,
 * changes nothing.
 */
final class ShareEntryLayout {
    static final byte RESULTS = 1;
    static final byte RESET = 2;
    static final byte ROWS_REMOVED = 3;
    static final byte GROUP_DELETED = 4;

    /** With so many runs and rows an entry is full. It is far below the size of a log group. */
    static final int FULL_PARTS = 8192;

    private static final int ROW_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;
    private static final int RUN_BYTES = Long.BYTES + Long.BYTES + 1 + Short.BYTES;

    private ShareEntryLayout() {}

    /**
     * The results of runs, which are pending. Those of one row should be side by side. The lock of the group is held.
     */
    static ByteBuffer results(ShareGroup group, List<Run> results) {
        int rows = 0;
        for (int from = 0; from < results.size(); from = endOfRow(results, from)) {
            rows++;
        }
        ByteBuffer entry = begin(RESULTS, group.id(), Integer.BYTES + rows * ROW_BYTES + results.size() * RUN_BYTES)
                .putInt(rows);
        for (int from = 0; from < results.size(); ) {
            int end = endOfRow(results, from);
            int queueId = results.get(from).queueId;
            entry.putInt(queueId).putLong(group.startOffset(queueId)).putInt(end - from);
            while (from < end) {
                Run run = results.get(from++);
                putRun(entry, run.first, run.last, run.pending, run.deliveries);
            }
        }
        return entry.flip();
    }

    private static int endOfRow(List<Run> results, int from) {
        int end = from + 1;
        while (end < results.size() && results.get(end).queueId == results.get(from).queueId) {
            end++;
        }
        return end;
    }

    private static void putRun(ByteBuffer entry, long first, long last, byte state, int deliveries) {
        entry.putLong(first).putLong(last - first + 1).put(state).putShort((short) deliveries);
    }

    static ByteBuffer results(String groupId, List<RowImage> rows) {
        int bytes = rows.size() * ROW_BYTES;
        for (RowImage row : rows) {
            bytes += row.parts().size() * RUN_BYTES;
        }
        ByteBuffer entry = begin(RESULTS, groupId, Integer.BYTES + bytes).putInt(rows.size());
        for (RowImage row : rows) {
            entry.putInt(row.queueId())
                    .putLong(row.startOffset())
                    .putInt(row.parts().size());
            for (RowImage.Part part : row.parts()) {
                putRun(entry, part.first(), part.last(), part.state(), part.deliveries());
            }
        }
        return entry.flip();
    }

    /** Applies the next row of {@link #RESULTS}, if its queue may exist. */
    static void applyRow(ByteBuffer entry, ShareGroup group, IntPredicate mayExist) {
        int queueId = entry.getInt();
        long startOffset = entry.getLong();
        int count = entry.getInt();
        if (!mayExist.test(queueId)) {
            entry.position(entry.position() + count * RUN_BYTES);
            return;
        }
        int slot = group.beginRow(queueId, startOffset);
        for (int left = count; left > 0; left--) {
            long first = entry.getLong();
            long last = first + entry.getLong() - 1;
            group.set(slot, first, last, entry.get(), entry.getShort());
        }
        group.endRow(slot);
    }

    /** @param startOffsets one for each queue */
    static ByteBuffer reset(String groupId, int[] queueIds, long[] startOffsets) {
        ByteBuffer entry = begin(RESET, groupId, Integer.BYTES + queueIds.length * (Integer.BYTES + Long.BYTES))
                .putInt(queueIds.length);
        for (int i = 0; i < queueIds.length; i++) {
            entry.putInt(queueIds[i]).putLong(startOffsets[i]);
        }
        return entry.flip();
    }

    static ByteBuffer rowsRemoved(String groupId, int[] queueIds) {
        ByteBuffer entry = begin(ROWS_REMOVED, groupId, Integer.BYTES + queueIds.length * Integer.BYTES)
                .putInt(queueIds.length);
        for (int queueId : queueIds) {
            entry.putInt(queueId);
        }
        return entry.flip();
    }

    static ByteBuffer groupDeleted(String groupId) {
        return begin(GROUP_DELETED, groupId, 0).flip();
    }

    private static ByteBuffer begin(byte type, String groupId, int moreBytes) {
        ByteBuffer entry =
                ByteBuffer.allocate(1 + EntryText.maxBytes(groupId) + moreBytes).put(type);
        EntryText.put(entry, groupId);
        return entry;
    }
}
