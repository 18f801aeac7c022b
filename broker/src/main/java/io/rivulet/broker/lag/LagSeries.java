package io.rivulet.broker.lag;

import java.util.ArrayList;
import java.util.List;

/**
 * The lag of a group in a topic: of all partitions for which it has committed an offset.
 *
 * <p>Owned by: the round that makes it. Afterwards it does not change.
 */
public final class LagSeries {
    /** In place of a name: all that have no series of their own. */
    public static final String OTHER = "(other)";

    /** A group id may have 32,767 characters. So long ones have no series. */
    public static final int MAX_GROUP_CHARS = 256;

    /** The lag in seconds considers so many partitions of a topic: those with the largest lag. */
    private static final int MAX_LATE = 16;

    /** A partition with lag. */
    static final class Late {
        final int queueId;
        final long offset;
        final long lag;
        /** The timestamp of the first record that is not consumed. */
        long millis = FirstTime.UNKNOWN;

        Late(int queueId, long offset, long lag) {
            this.queueId = queueId;
            this.offset = offset;
            this.lag = lag;
        }
    }

    private final String group;
    private final String topic;
    private final List<Late> late = new ArrayList<>(0);
    private long offsets;
    private long lag;

    LagSeries(String group, String topic) {
        this.group = group;
        this.topic = topic;
    }

    void add(int queueId, long offset, long lagOfPartition) {
        offsets += offset;
        lag += lagOfPartition;
        if (lagOfPartition > 0 && !topic.equals(OTHER)) {
            addLate(new Late(queueId, offset, lagOfPartition));
        }
    }

    private void addLate(Late added) {
        if (late.size() < MAX_LATE) {
            late.add(added);
            return;
        }
        int least = 0;
        for (int i = 1; i < MAX_LATE; i++) {
            if (late.get(i).lag < late.get(least).lag) {
                least = i;
            }
        }
        if (late.get(least).lag < added.lag) {
            late.set(least, added);
        }
    }

    List<Late> late() {
        return late;
    }

    /** Takes over what an earlier round has read. */
    void reuseTimes(LagSeries earlier) {
        for (Late here : late) {
            for (Late before : earlier.late) {
                if (before.queueId == here.queueId && before.offset == here.offset) {
                    here.millis = before.millis;
                }
            }
        }
    }

    public String group() {
        return group;
    }

    public String topic() {
        return topic;
    }

    /** The sum of the committed offsets. */
    public long offsets() {
        return offsets;
    }

    /** The records between the committed offsets and the ends of the partitions. */
    public long lag() {
        return lag;
    }

    /** The age of the oldest record that is not consumed, in seconds; 0 without lag, negative if it is not known. */
    public double lagSeconds(long nowMillis) {
        if (lag == 0) {
            return 0;
        }
        long oldest = Long.MAX_VALUE;
        for (Late each : late) {
            if (each.millis >= 0) {
                oldest = Math.min(oldest, each.millis);
            }
        }
        return oldest == Long.MAX_VALUE ? FirstTime.UNKNOWN : Math.max(0, nowMillis - oldest) / 1e3;
    }
}
