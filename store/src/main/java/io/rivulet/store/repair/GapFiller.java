package io.rivulet.store.repair;

import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Creates the content of gaps: the records that the log still has, and holes for the rest, which readers skip like
 * those of a compaction. Memory: {@link #MAX_BYTES} of records; further gaps wait for the next round. Owned by: one
 * repair.
 */
final class GapFiller {
    /** Of records that are held at the same time. */
    private static final long MAX_BYTES = 256L << 20;

    /** A record of the log, encoded as in a stream. */
    @SuppressWarnings("ArrayRecordComponent") // they are never compared
    private record Found(long endOffset, byte[] bytes) {}

    private final CommitLog log;
    private final RepairAdvice advice;
    private final RepairNotes notes;
    private final Map<Integer, List<Gap>> gapsOf = new HashMap<>();
    private final Map<Gap, NavigableMap<Long, Found>> found = new HashMap<>();
    private long foundBytes;
    private long fromLog;

    GapFiller(CommitLog log, RepairAdvice advice, RepairNotes notes) {
        this.log = log;
        this.advice = advice;
        this.notes = notes;
    }

    /** The content of these gaps, or of the first ones if the log has too much for one round. */
    List<SalvagedStream> fill(List<Gap> gaps) throws IOException {
        for (Gap gap : gaps) {
            gapsOf.computeIfAbsent(gap.queueId(), id -> new ArrayList<>()).add(gap);
            found.put(gap, new TreeMap<>());
        }
        readLog();
        List<SalvagedStream> pieces = new ArrayList<>();
        for (Gap gap : gaps) {
            if (found.containsKey(gap)) {
                pieces.add(piece(gap));
            }
        }
        pieces.sort(Comparator.comparingInt(SalvagedStream::queueId).thenComparingLong(SalvagedStream::baseOffset));
        if (fromLog > 0) {
            notes.done("%,d offsets were read from the log", fromLog);
        }
        return pieces;
    }

    private void readLog() throws IOException {
        try {
            LogEntries.replay(log, log.firstLsn(), group -> new LogEntries() {
                @Override
                public void batch(int queueId, long base, StreamRecordHeader header, ByteBuffer bytes, int recordAt) {
                    keep(group.lsn(), queueId, base, header, bytes, recordAt);
                }
            });
        } catch (DamagedLogException e) {
            notes.progress("log/%s, byte %d: %s; the rest of the log is not searched", e.file(), e.address(), e.what());
        }
    }

    private void keep(
            long lsn, int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        long endOffset = baseOffset + header.recordCount();
        for (Gap gap : gapsOf.getOrDefault(queueId, List.of())) {
            NavigableMap<Long, Found> records = found.get(gap);
            if (records != null && endOffset > gap.from() && endOffset <= gap.to()) {
                byte[] bytes = record(lsn, header, body, recordAt);
                records.put(baseOffset, new Found(endOffset, bytes));
                foundBytes += bytes.length;
                if (foundBytes > MAX_BYTES && found.size() > 1) {
                    leaveForNextRound(gap);
                }
            }
        }
    }

    /** Gaps without content yet are filled later; the current one is kept. */
    private void leaveForNextRound(Gap underWay) {
        found.entrySet()
                .removeIf(entry ->
                        !entry.getKey().equals(underWay) && entry.getValue().isEmpty());
        if (found.size() > 1) {
            NavigableMap<Long, Found> given = found.remove(underWay);
            foundBytes -= given == null
                    ? 0
                    : given.values().stream().mapToLong(f -> f.bytes().length).sum();
        }
    }

    private static byte[] record(long lsn, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        if (header.payloadLength() < StreamRecord.REFERENCE_FROM_BYTES) {
            byte[] bytes = new byte[header.recordBytes()];
            body.get(recordAt, bytes);
            return bytes;
        }
        ByteBuffer reference = ByteBuffer.allocate(StreamRecord.MAX_HEADER_BYTES + StreamRecord.REFERENCE_BYTES);
        int length = StreamRecord.putReferenceTo(reference, header, lsn, body, recordAt + header.headerBytes());
        return Arrays.copyOf(reference.array(), length);
    }

    /** A gap at the start of a queue may begin inside a batch, which a trim has cut: then the piece begins with it. */
    private SalvagedStream piece(Gap gap) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        NavigableMap<Long, Found> records = found.getOrDefault(gap, new TreeMap<>());
        long first = records.isEmpty() ? gap.from() : Math.min(gap.from(), records.firstKey());
        long next = first;
        for (Map.Entry<Long, Found> record : records.entrySet()) {
            if (record.getKey() < next) {
                continue;
            }
            putHole(stream, gap, next, record.getKey());
            stream.writeBytes(record.getValue().bytes());
            next = record.getValue().endOffset();
            fromLog += next - record.getKey();
        }
        putHole(stream, gap, next, gap.to());
        return new SalvagedStream(gap.queueId(), first, gap.to(), ByteBuffer.wrap(stream.toByteArray()));
    }

    private void putHole(ByteArrayOutputStream stream, Gap gap, long from, long to) {
        for (long next = from; next < to; ) {
            int count = (int) Math.min(to - next, Integer.MAX_VALUE);
            ByteBuffer hole = ByteBuffer.allocate(StreamRecord.holeBytes(count));
            StreamRecord.putHole(hole, 0, count);
            stream.writeBytes(hole.array());
            next += count;
        }
        if (to > from) {
            notes.lost("%s: offsets %d to %d", advice.queueName(gap.queueId()), from, to - 1);
        }
    }
}
