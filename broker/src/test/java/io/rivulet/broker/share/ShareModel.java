package io.rivulet.broker.share;

import io.rivulet.broker.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A queue and the states of a group's records in it, one by one. */
final class ShareModel {
    /** A record. */
    static final class Item {
        byte state = RecordState.AVAILABLE;
        byte pending = RecordState.NONE;
        byte cause = DeadCause.NONE;
        int deliveries;
        /** How many records were acquired together with it the last time. */
        int together;

        @Nullable
        String owner;

        long deadline;

        boolean isUntouched() {
            return state == RecordState.AVAILABLE && deliveries == 0;
        }
    }

    final int queueId;
    long logStart;
    long start;
    private final Item[] items;
    /** The number of the batch of each offset; negative for batches without records to deliver. */
    private final int[] batches;

    ShareModel(int queueId, int offsets, Random random) {
        this.queueId = queueId;
        this.items = new Item[offsets];
        this.batches = new int[offsets];
        int number = 0;
        for (int offset = 0; offset < offsets; ) {
            number++;
            int sign = random.nextInt(5) == 0 ? -1 : 1;
            for (int left = random.nextInt(3) == 0 ? 1 + random.nextInt(15) : 1; left > 0 && offset < offsets; left--) {
                batches[offset++] = sign * number;
            }
        }
        reset(0);
    }

    Item at(long offset) {
        return items[(int) offset];
    }

    void reset(long offset) {
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item();
        }
        start = offset;
    }

    void trim(long offset) {
        logStart = Math.max(logStart, offset);
        start = Math.max(start, logStart);
    }

    boolean isTrimmed() {
        return start == logStart;
    }

    /** The start offset of the group: it moves over finished records. */
    void settle(long groupStart) {
        for (; start < groupStart; start++) {
            if (!RecordState.isFinal(at(start).state)) {
                throw new AssertionError("the group forgot offset " + start);
            }
        }
    }

    long firstAvailable() {
        long offset = start;
        while (offset < items.length && at(offset).state != RecordState.AVAILABLE) {
            offset++;
        }
        return offset;
    }

    /** Reads whole batches. Returns the offset behind the last one. */
    long read(long from, long until, Spans spans) {
        long offset = from;
        while (offset > 0 && batches[(int) offset - 1] == batches[(int) offset]) {
            offset--;
        }
        while (offset < until) {
            int batch = batches[(int) offset];
            long first = offset;
            while (offset < items.length && batches[(int) offset] == batch) {
                offset++;
            }
            if (batch > 0) {
                spans.add(first, offset - 1);
            }
        }
        return offset;
    }

    List<Long> acquire(long from, long until, long most, String member, long deadline, Limits limits) {
        List<Long> offsets = new ArrayList<>();
        int often = -1;
        long allowed = Long.MAX_VALUE;
        for (long offset = from; offset < until && offsets.size() < most; offset++) {
            Item item = at(offset);
            if (item.state != RecordState.AVAILABLE) {
                continue;
            }
            if (batches[(int) offset] < 0) {
                item.state = RecordState.ARCHIVED;
                item.deliveries = 0;
            } else {
                boolean isOften = limits.throttles(item.deliveries);
                if (isOften && offsets.isEmpty()) {
                    often = item.deliveries;
                    allowed = limits.together(item.deliveries, item.together);
                }
                if (offsets.size() == allowed || often != (isOften ? item.deliveries : -1)) {
                    break;
                }
                item.state = RecordState.ACQUIRED;
                item.deliveries++;
                item.owner = member;
                item.deadline = deadline;
                offsets.add(offset);
            }
        }
        while (start < items.length && RecordState.isFinal(at(start).state)) {
            start++;
        }
        return offsets;
    }

    void acquired(List<Acquired> ranges) {
        for (Acquired range : ranges) {
            for (long offset = range.firstOffset(); offset <= range.lastOffset(); offset++) {
                at(offset).together = (int) (range.lastOffset() - range.firstOffset() + 1);
            }
        }
    }

    void undo(List<Long> offsets) {
        for (long offset : offsets) {
            at(offset).together *= 2;
            at(offset).state = RecordState.AVAILABLE;
            at(offset).deliveries--;
        }
    }

    ErrorCode acknowledge(List<AckBatch> acks, String member, Limits limits, long now, long next) {
        for (AckBatch ack : acks) {
            ErrorCode error = check(ack, member, limits, next);
            if (error != ErrorCode.NONE) {
                return error;
            }
        }
        for (AckBatch ack : acks) {
            for (long offset = Math.max(start, ack.firstOffset()); offset <= ack.lastOffset(); offset++) {
                Item item = at(offset);
                if (item.state == RecordState.ACQUIRED) {
                    switch (ack.typeOf(offset)) {
                        case AckType.RENEW -> item.deadline = now + limits.lockNanos();
                        case AckType.ACCEPT -> item.pending = RecordState.ACKNOWLEDGED;
                        case AckType.RELEASE -> give(item, limits.deliveryCount());
                        case AckType.REJECT -> archive(item, DeadCause.REJECTED);
                        default -> archive(item, DeadCause.NONE);
                    }
                }
            }
        }
        return ErrorCode.NONE;
    }

    private ErrorCode check(AckBatch ack, String member, Limits limits, long next) {
        if (next == start || ack.lastOffset() < start) {
            return ErrorCode.INVALID_RECORD_STATE;
        }
        if (ack.lastOffset() >= next) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (!limits.renew() && ack.has(AckType.RENEW)) {
            return ErrorCode.INVALID_RECORD_STATE;
        }
        for (long offset = Math.max(start, ack.firstOffset()); offset <= ack.lastOffset(); offset++) {
            Item item = at(offset);
            boolean isHole = item.state == RecordState.ARCHIVED && item.deliveries == 0;
            boolean isHeld =
                    item.state == RecordState.ACQUIRED && item.pending == RecordState.NONE && member.equals(item.owner);
            if (!isHole && !isHeld) {
                return ErrorCode.INVALID_RECORD_STATE;
            }
        }
        return ErrorCode.NONE;
    }

    private static void give(Item item, int deliveryLimit) {
        if (item.deliveries < deliveryLimit) {
            item.pending = RecordState.AVAILABLE;
        } else {
            archive(item, DeadCause.EXHAUSTED);
        }
    }

    private static void archive(Item item, byte cause) {
        item.pending = RecordState.ARCHIVED;
        item.cause = cause;
    }

    void expire(long now, int deliveryLimit, long groupStart) {
        for (long offset = Math.max(start, groupStart); offset < items.length; offset++) {
            Item item = at(offset);
            if (item.state == RecordState.ACQUIRED && item.pending == RecordState.NONE && now - item.deadline >= 0) {
                give(item, deliveryLimit);
            }
        }
    }

    void release(String member, int deliveryLimit) {
        for (Item item : items) {
            if (item.state == RecordState.ACQUIRED && item.pending == RecordState.NONE && member.equals(item.owner)) {
                give(item, deliveryLimit);
            }
        }
    }

    /** An entry is durable, or was refused. */
    void end(RowImage.Part part, boolean durable, long deadline) {
        for (long offset = Math.max(start, part.first()); offset <= part.last(); offset++) {
            Item item = at(offset);
            item.pending = RecordState.NONE;
            item.cause = DeadCause.NONE;
            if (durable) {
                item.state = part.state();
            } else {
                item.deadline = deadline;
            }
        }
    }
}
