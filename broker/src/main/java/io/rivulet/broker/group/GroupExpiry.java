package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;

/**
 * Finds offsets that are too old or whose topic is gone, and groups that are nothing any more, and has the log delete them. It walks
 * round a slice at a time, so that nobody waits for it.
 *
 * <pre>
 *  group                                    its offsets expire
 *  with members, in Stable                  when nobody is subscribed to their topic, so long after they were committed
 *  with members, otherwise                  never
 *  that had members                         all together, so long after the last has left
 *  that only ever committed offsets         so long after they were committed
 * </pre>
 *
 * A group with entries on their way, or with offsets of a transaction that is not over, is passed over until the next round: what they say must not be deleted unread.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class GroupExpiry {
    private static final int ROWS_PER_SLICE = 4096;
    private static final long PAUSE_MILLIS = 1;

    private final GroupCoordinator groups;
    private final GroupOffsets offsets;
    private final GroupTable table;
    private final GroupContext around;
    private final TopicCatalogue topics;
    private final Timers.Timer timer;

    private List<String> ids = List.of();
    private int next;
    private int row;

    GroupExpiry(
            GroupCoordinator groups,
            GroupOffsets offsets,
            GroupTable table,
            GroupContext around,
            TopicCatalogue topics) {
        this.groups = groups;
        this.offsets = offsets;
        this.table = table;
        this.around = around;
        this.topics = topics;
        this.timer = around.timers().timer(this::slice);
    }

    void begin() {
        timer.set(around.clock().nanosIn(around.settings().expiryIntervalMillis()));
    }

    private void slice() {
        if (next == ids.size()) {
            ids = table.ids();
            next = 0;
            row = 0;
        }
        long beforeMillis = around.clock().expiryMillis() - around.settings().offsetsRetentionMillis();
        int work = 0;
        while (next < ids.size() && work < ROWS_PER_SLICE) {
            GroupSlot slot = table.find(ids.get(next));
            boolean looksInto = slot != null && slot.entriesUnderWay == 0 && slot.pending == null;
            work += 1;
            if (slot != null && looksInto) {
                work += slice(slot, ROWS_PER_SLICE - work, beforeMillis);
            }
            if (slot == null || !looksInto || row >= slot.offsets.limit()) {
                next++;
                row = 0;
            }
        }
        boolean roundEnded = next == ids.size();
        timer.set(around.clock().nanosIn(roundEnded ? around.settings().expiryIntervalMillis() : PAUSE_MILLIS));
    }

    /** Answers how many rows it has looked at. */
    private int slice(GroupSlot slot, int maxRows, long beforeMillis) {
        Group group = groups.groupIn(slot);
        long latestMillis = around.clock().stampMillis();
        long emptySince = group.emptySinceMillis(latestMillis);
        boolean allExpired = emptySince >= 0 && emptySince < beforeMillis;
        if (allExpired || (group.isIdle() && slot.offsets.count() == 0)) {
            groups.append(slot, GroupEntryLayout.groupDeleted(slot.id), failure -> {});
            row = slot.offsets.limit();
            return 0;
        }
        CommittedOffsets rows = slot.offsets;
        int limit = Math.min(rows.limit(), row + Math.max(1, maxRows));
        int looked = limit - row;
        OffsetsEntry entry = OffsetsEntry.deleted(slot.id);
        for (; row < limit; row++) {
            if (rows.exists(row)) {
                Topic topic = topics.find(rows.topicId(row));
                boolean expired = topic == null
                        || (emptySince < 0
                                && group.offsetsMayExpire()
                                && rows.commitMillisUpTo(row, latestMillis) < beforeMillis
                                && !group.isSubscribedTo(topic.name()));
                if (expired) {
                    entry.delete(rows.topicId(row), rows.partition(row));
                }
            }
        }
        offsets.store(slot.id, entry.entries(), failure -> {});
        return looked;
    }
}
