package io.rivulet.broker.console;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.http.EventStream;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.topic.Topic;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New records of a topic, sent as they come. It looks a few times a second whether a partition has grown. When there is
 * more than a page can show, or the browser does not keep up, it skips records and says how many.
 *
 * <p>Owned by: the thread of the pages, and while it reads, the read thread.
 */
final class LiveTail {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTail.class);
    private static final int MOST_PARTITIONS = 100;
    /** So many new records of a partition are searched for a text at a time. */
    private static final long MOST_SEARCHED = 10_000;

    private static final long LOOK_MILLIS = 200;
    /** Added for each tail that is open, so that many of them do not take the time of producers. */
    private static final long LOOK_MILLIS_FOR_A_TAIL = 10;

    private static final int LOOKS_OF_SILENCE = 10;

    private final ApiParts parts;
    private final Reads reads;
    private final EventStream stream;
    private final RecordFilter filter;
    private final AtomicInteger tails;
    private final String topic;
    private final int firstPartition;
    private final int[] queueIds;
    private final long[] next;
    /** Records that the page has not been told of. */
    private long skipped;

    private int silentLooks;

    /**
     * @param partition -1 for all, of which the first hundred are shown
     * @param tails how many are open
     */
    LiveTail(
            ApiParts parts,
            Reads reads,
            EventStream stream,
            Topic topic,
            int partition,
            RecordFilter filter,
            AtomicInteger tails) {
        this.tails = tails;
        this.parts = parts;
        this.reads = reads;
        this.stream = stream;
        this.filter = filter;
        this.topic = topic.name();
        this.firstPartition = Math.max(0, partition);
        int count = partition >= 0 ? 1 : Math.min(MOST_PARTITIONS, topic.partitionCount());
        queueIds = new int[count];
        next = new long[count];
        for (int i = 0; i < count; i++) {
            queueIds[i] = topic.queueId(firstPartition + i);
            next[i] = exists(i) ? store().endOffset(queueIds[i]) : 0;
        }
    }

    private Store store() {
        return parts.store();
    }

    private boolean exists(int index) {
        return store().exists(queueIds[index]);
    }

    void start(HttpExchange timer) {
        stream.keepAlive();
        later(timer);
    }

    private void later(HttpExchange timer) {
        timer.later(LOOK_MILLIS + LOOK_MILLIS_FOR_A_TAIL * tails.get(), () -> look(timer));
    }

    private void look(HttpExchange timer) {
        if (!stream.isOpen()) {
            return;
        }
        if (!timer.access().mayTopic(Operation.READ, topic)) {
            stream.close(); // the rules have changed
            return;
        }
        if (!stream.isWritable() || !hasGrown() || !reads.offer(reader -> readAndGoOn(reader, timer))) {
            if (++silentLooks % LOOKS_OF_SILENCE == 0 && stream.isWritable()) {
                stream.keepAlive();
            }
            later(timer);
        }
    }

    private boolean hasGrown() {
        for (int i = 0; i < queueIds.length; i++) {
            if (exists(i) && store().endOffset(queueIds[i]) > next[i]) {
                return true;
            }
        }
        return false;
    }

    private void readAndGoOn(StoreReader reader, HttpExchange timer) {
        try {
            sendNew(reader);
            later(timer);
        } catch (IOException | RuntimeException e) {
            LOG.warn("A live tail has failed", e);
            stream.close();
        }
    }

    private void sendNew(StoreReader reader) throws IOException {
        RecordPage.Bounds left = RecordPage.Bounds.TAIL;
        int count = 0;
        JsonWriter json = new JsonWriter().object().key("rows").array();
        try (RecordReader records = new RecordReader(reader, parts.config().maxDecompressedBytes())) {
            for (int i = 0; i < queueIds.length; i++) {
                List<String> rows = newRows(records, i, left);
                for (String row : rows) {
                    json.json(row);
                    count++;
                    left = left.left(left.rows() - 1, left.rowBytes() - row.length());
                }
            }
        }
        json.endArray().field("skipped", skipped).endObject();
        if (stream.send("", "", json.toString())) {
            skipped = 0;
        } else {
            skipped += count;
        }
    }

    /** The last new records of a partition, as far as there is room. */
    private List<String> newRows(RecordReader records, int index, RecordPage.Bounds left) throws IOException {
        if (!exists(index)) {
            return List.of();
        }
        int queueId = queueIds[index];
        long end = store().endOffset(queueId);
        long before = next[index];
        next[index] = Math.max(before, end);
        if (before >= end) {
            return List.of();
        }
        if (left.rows() <= 0 || left.rowBytes() <= 0) {
            skipped += end - before;
            return List.of();
        }
        long most = filter.isForAll() ? left.rows() : MOST_SEARCHED;
        long from = Math.max(before, Math.max(store().startOffset(queueId), end - most));
        RecordPage page = new RecordPage(records, queueId, firstPartition + index, filter, left);
        page.readForwards(from, end);
        skipped += from - before + Math.max(0, end - page.next());
        return page.rows();
    }
}
