package io.rivulet.store.entry;

import io.rivulet.store.BatchGate;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import java.nio.ByteBuffer;

/** Walks over the entries of a group's body. Owned by: its creator; reused for one group after another. */
public final class EntryWalk {
    private final StreamRecordHeader header = new StreamRecordHeader();
    private ByteBuffer body = ByteBuffer.allocate(0);
    private int next;
    private int to;

    /** Calls the visitor for each entry in {@code [from, to)}. */
    public void walk(ByteBuffer groupBody, int from, int end, EntryVisitor visitor) {
        body = groupBody;
        next = from;
        to = end;
        while (next < to) {
            int entryAt = next;
            byte type = body.get(next++);
            switch (type) {
                case EntryLayout.BATCH -> batch(visitor);
                case EntryLayout.HUGE_BATCH -> hugeBatch(visitor);
                case EntryLayout.QUEUES_CREATED -> visitor.queuesCreated(id(), count(), count());
                case EntryLayout.QUEUES_DELETED -> visitor.queuesDeleted(id(), count());
                case EntryLayout.TRIMMED -> visitor.trimmed(id(), number());
                case EntryLayout.STATE -> state(visitor);
                case EntryLayout.QUEUES_CLASSED -> visitor.queuesClassed(id(), count(), count());
                default -> throw malformed("type " + type, entryAt);
            }
        }
    }

    private void batch(EntryVisitor visitor) {
        int queueId = id();
        long baseOffset = number();
        int recordAt = next;
        if (!header.decode(body, recordAt, to)
                || header.isReference()
                || header.isHole()
                || header.recordBytes() > to - recordAt) {
            throw malformed("a batch with an incomplete record", recordAt);
        }
        next = recordAt + header.recordBytes();
        visitor.batch(queueId, baseOffset, header, body, recordAt);
    }

    private void hugeBatch(EntryVisitor visitor) {
        int queueId = id();
        long baseOffset = number();
        int recordAt = next;
        if (!header.decode(body, recordAt, to)
                || !header.isReference()
                || header.recordBytes() + BatchGate.HUGE_HEAD_BYTES > to - recordAt
                || !StreamRecord.isHuge(header.referenceLsn(body, recordAt))) {
            throw malformed("a huge batch without its reference", recordAt);
        }
        next = recordAt + header.recordBytes() + BatchGate.HUGE_HEAD_BYTES;
        visitor.batch(queueId, baseOffset, header, body, recordAt);
    }

    private void state(EntryVisitor visitor) {
        int viewId = id();
        int length = count();
        int at = next;
        if (length > to - at) {
            throw malformed("incomplete state bytes", at);
        }
        next = at + length;
        visitor.state(viewId, body, at, length);
    }

    private int id() {
        return count();
    }

    private int count() {
        long value = number();
        if (value > Integer.MAX_VALUE) {
            throw malformed("a number out of range", next);
        }
        return (int) value;
    }

    private long number() {
        long value = 0;
        for (int shift = 0; shift < 64 && next < to; shift += 7) {
            byte b = body.get(next++);
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                if (value < 0) {
                    break;
                }
                return value;
            }
        }
        throw malformed("an incomplete number", next);
    }

    private static MalformedEntryException malformed(String what, int at) {
        return new MalformedEntryException(
                "entry with " + what + " at byte " + at + " of a group whose checksum holds");
    }
}
