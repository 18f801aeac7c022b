package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;

/**
 * Deletes offsets that are too old or whose topic was deleted, and groups that are empty and without offsets. It works
 * in slices, so requests do not wait for it.
 *
 * <pre>
 *  group                                    its offsets expire
 *  with members, in Stable                  the retention time after their commit, if no member subscribes to the topic
 *  with members, otherwise                  never
 *  that had members                         all together, the retention time after the last member left
 *  that only committed offsets              the retention time after their commit
 * </pre>
 *
 * An offset whose client has sent a retention time expires by that time instead.
 *
 * A group with entries in flight, or with offsets of an open transaction, is skipped until the next round: these
 * offsets must not be deleted.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupExpiry {
    private static final int ROWS_PER_SLICE = 4096;
    private static final long PAUSE_MILLIS = 1;

    private final GroupCoordinator groups;
    private final GroupOffsets offsets;
    private final GroupTable table;
    private final GroupContext context;
    private final TopicCatalogue topics;
    private final Timers.Timer timer;

    private List<String> ids = List.of();
    private int next;
    private int row;

    GroupExpiry(
            GroupCoordinator groups,
            GroupOffsets offsets,
            GroupTable table,
            GroupContext context,
            TopicCatalogue topics) {
        this.groups = groups;
        this.offsets = offsets;
        this.table = table;
        this.context = context;
        this.topics = topics;
        this.timer = context.timers().timer(this::slice);
    }

    void start() {
        timer.set(context.clock().nanosIn(context.settings().expiryIntervalMillis()));
    }

    private void slice() {
        if (next == ids.size()) {
            ids = table.ids();
            next = 0;
            row = 0;
        }
        long beforeMillis = context.clock().expiryMillis() - context.settings().offsetsRetentionMillis();
        int work = 0;
        while (next < ids.size() && work < ROWS_PER_SLICE) {
            GroupSlot slot = table.find(ids.get(next));
            boolean skipped = slot == null || slot.entriesUnderWay > 0 || slot.pending != null;
            work += 1;
            if (slot != null && !skipped) {
                work += slice(slot, ROWS_PER_SLICE - work, beforeMillis);
            }
            if (slot == null || skipped || row >= slot.offsets.limit()) {
                next++;
                row = 0;
            }
        }
        boolean roundEnded = next == ids.size();
        timer.set(context.clock().nanosIn(roundEnded ? context.settings().expiryIntervalMillis() : PAUSE_MILLIS));
    }

    /** Returns the number of rows that it has checked. */
    private int slice(GroupSlot slot, int maxRows, long beforeMillis) {
        Group group = groups.groupIn(slot);
        long latestMillis = context.clock().stampMillis();
        long emptySince = group.emptySinceMillis(latestMillis);
        boolean allExpired = emptySince >= 0 && emptySince < beforeMillis && !slot.offsets.haveOwnExpiry();
        if (allExpired || (group.isIdle() && slot.offsets.count() == 0)) {
            groups.append(slot, GroupEntryLayout.groupDeleted(slot.id), failure -> {});
            row = slot.offsets.limit();
            return 0;
        }
        CommittedOffsets rows = slot.offsets;
        int limit = Math.min(rows.limit(), row + Math.max(1, maxRows));
        int checked = limit - row;
        OffsetsEntry entry = OffsetsEntry.deleted(slot.id);
        for (; row < limit; row++) {
            if (rows.exists(row)) {
                Topic topic = topics.find(rows.topicId(row));
                long sinceMillis = emptySince >= 0 ? emptySince : rows.commitMillisUpTo(row, latestMillis);
                boolean expired = topic == null
                        || (group.offsetsMayExpire()
                                && isExpired(rows.ownExpiryMillis(row), sinceMillis, beforeMillis)
                                && !group.isSubscribedTo(topic.name()));
                if (expired) {
                    entry.delete(rows.topicId(row), rows.partition(row));
                }
            }
        }
        offsets.store(slot.id, entry.entries(), failure -> {});
        return checked;
    }

    private boolean isExpired(long ownExpiryMillis, long sinceMillis, long beforeMillis) {
        return ownExpiryMillis == CommittedOffsets.BY_RETENTION
                ? sinceMillis < beforeMillis
                : ownExpiryMillis <= context.clock().expiryMillis();
    }
}
