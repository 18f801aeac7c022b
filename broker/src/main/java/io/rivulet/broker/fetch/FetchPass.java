package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the ready partitions of a session: once round, from the partition whose turn it is, until the answer is
 * full. Each partition is checked, read and concluded. The pass can stop between two partitions and continue with
 * another source.
 *
 * <p>Owned by: the fetch.
 */
final class FetchPass {
    private static final Logger LOG = LoggerFactory.getLogger(FetchPass.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final Records NO_RECORDS = new Records(Unpooled.EMPTY_BUFFER, 0, 0);
    private static final long UNKNOWN_OFFSET = -1;
    private static final int NO_SLOT = -1;

    /** The number of partitions that an event loop reads before a read thread continues. */
    private static final int VISITS_AT_ONCE = 64;

    private static final int BYTES_AT_ONCE = 256 << 10;

    /** An aborted transaction in an answer takes this on the heap, its 17 bytes in the message included. */
    private static final int BYTES_PER_ABORTED = 64;

    private final Store store;
    private final FetchSession session;
    private final ReadRights rights;
    private final Readiness readiness;
    private final StableOffsets stable;
    private final boolean readCommitted;
    private final FetchBuffer buffer;
    private final int grantedBytes;

    private final int first;
    private int next;
    private boolean wrapped;
    private int lastServed = NO_SLOT;

    private final List<FetchableTopicResponse> answers = new ArrayList<>();
    private FetchSession.@Nullable NamedTopic lastTopic;
    private List<PartitionData> partitions = new ArrayList<>(0);
    /** The slots in the answer without an error. */
    private int[] answered = new int[8];

    private int answeredCount;
    private int answeredOwed;
    private int abortedBytes;
    private int unreadable;
    private boolean failed;

    // The present partition.
    private int queueId;
    private long offset;
    private long untilOffset;
    private ErrorCode error = ErrorCode.NONE;
    private @Nullable Records records;
    private List<AbortedTransaction> aborted = List.of();

    /**
     * @param rights the topics that the client may read
     * @param readCommitted whether to read only records of ended transactions
     * @param grantedBytes the limit of the answer, except for a first batch that is larger
     */
    FetchPass(
            Store store,
            StableOffsets stable,
            FetchSession session,
            ReadRights rights,
            ByteBufAllocator allocator,
            int leaderEpoch,
            boolean readCommitted,
            int grantedBytes) {
        this.store = store;
        this.stable = stable;
        this.session = session;
        this.rights = rights;
        this.readiness = session.readiness();
        this.readCommitted = readCommitted;
        this.buffer = new FetchBuffer(allocator, leaderEpoch);
        this.grantedBytes = grantedBytes;
        this.first = readiness.turn();
        this.next = first;
    }

    /** Reads from the tail. False if the rest needs a read thread. */
    public boolean readTail(StoreReader reader) {
        FetchBuffer.Source tail = reader::readTail;
        int visits = 0;
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            if (visits++ == VISITS_AT_ONCE || buffer.total() >= BYTES_AT_ONCE || !visit(slot, tail)) {
                next = slot;
                return false;
            }
        }
        return true;
    }

    /** Reads the rest. */
    public void readAll(StoreReader reader) {
        FetchBuffer.Source all = reader::read;
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            visit(slot, all);
        }
    }

    private int nextSlot() {
        if (buffer.missingBytes() > 0) {
            return NO_SLOT;
        }
        if (isFull() && answeredOwed == readiness.owedCount()) {
            return NO_SLOT;
        }
        int slot = readiness.next(next);
        if (slot < 0 && !wrapped) {
            wrapped = true;
            slot = readiness.next(0);
        }
        if (slot < 0 || (wrapped && slot >= first)) {
            next = wrapped ? first : next;
            wrapped = true;
            return NO_SLOT;
        }
        next = slot + 1;
        return slot;
    }

    /** False if the source does not have the records of the partition. */
    private boolean visit(int slot, FetchBuffer.Source source) {
        boolean owed = readiness.isOwed(slot);
        if (isFull() && !owed) {
            return true; // it stays ready
        }
        readiness.clearReady(slot);
        check(slot);
        if (error != ErrorCode.NONE) {
            unreadable++;
            failed |= queueId != Topic.NO_QUEUE; // the client's leader epoch is wrong
        } else if (!isAllOpen() && !read(slot, source)) {
            readiness.setReady(slot);
            return false;
        }
        conclude(slot, owed);
        return true;
    }

    /** Finds the queue of the partition, its error, and the range to read. */
    private void check(int slot) {
        queueId = session.queueOf(slot);
        error = session.errorOf(slot, queueId);
        if (!rights.mayRead(session.topicOf(slot))) {
            queueId = Topic.NO_QUEUE; // its offsets are no business of the client
            error = ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        }
        records = null;
        untilOffset = readCommitted && error == ErrorCode.NONE ? stableOffset(queueId) : StableOffsets.NONE_OPEN;
        offset = session.offsetOf(slot);
    }

    /** Whether the partition has records from the offset on, but all of them belong to open transactions. */
    private boolean isAllOpen() {
        return offset >= untilOffset && offset < store.endOffset(queueId);
    }

    /** False if the source does not have the records. */
    private boolean read(int slot, FetchBuffer.Source source) {
        try {
            ReadStatus status = readBatches(source, session.maxBytesOf(slot));
            if (status == ReadStatus.NOT_IN_TAIL) {
                return false;
            }
            error = ErrorMapper.of(status);
            records = buffer.records();
            buffer.keep();
        } catch (IOException e) {
            LIMIT.log(more -> LOG.error("Queue {} can't be read at offset {}{}", queueId, offset, more, e));
            buffer.undo();
            error = ErrorCode.KAFKA_STORAGE_ERROR;
        }
        failed |= error != ErrorCode.NONE;
        return true;
    }

    /** Repeats the read if aborted transactions were forgotten meanwhile: the answer must list all of them. */
    private ReadStatus readBatches(FetchBuffer.Source source, int maxBytes) throws IOException {
        int limit = Math.min(maxBytes, grantedBytes - heldBytes());
        aborted = List.of();
        while (true) {
            long forgotten = stable.forgotten(queueId);
            ReadStatus status = buffer.read(source, queueId, offset, untilOffset, limit, buffer.total() == 0);
            Records read = buffer.records();
            if (!readCommitted || read == null) {
                return status;
            }
            aborted = stable.aborted(queueId, offset, buffer.nextOffset(), new ProducersOf(read));
            if (stable.forgotten(queueId) == forgotten) {
                return status;
            }
            buffer.undo();
        }
    }

    /** Adds the partition to the answer if necessary, and keeps it ready if there may be more to read. */
    private void conclude(int slot, boolean owed) {
        boolean isAnswered = records != null || error != ErrorCode.NONE || owed;
        if (isAnswered || offset < Math.min(untilOffset, store.endOffset(queueId))) {
            readiness.setReady(slot);
        }
        if (error != ErrorCode.NONE) {
            readiness.owe(slot);
        }
        if (isAnswered) {
            answeredOwed += readiness.isOwed(slot) ? 1 : 0;
            answer(slot);
        }
        if (records != null) {
            lastServed = slot;
        }
    }

    /**
     * Reads the end offset first: all open transactions below it are known then. A transaction that began before the
     * start offset counts from there.
     */
    private long stableOffset(int queue) {
        if (!store.exists(queue)) {
            return StableOffsets.NONE_OPEN;
        }
        long endOffset = store.endOffset(queue);
        return Math.min(endOffset, Math.max(store.startOffset(queue), stable.firstOpenOffset(queue)));
    }

    private boolean isFull() {
        return buffer.total() > 0 && heldBytes() >= grantedBytes;
    }

    private void answer(int slot) {
        FetchSession.NamedTopic topic = session.topicOf(slot);
        if (topic != lastTopic) {
            lastTopic = topic;
            partitions = new ArrayList<>();
            answers.add(new FetchableTopicResponse()
                    .topic(topic.name())
                    .topicId(topic.id())
                    .partitions(partitions));
        }
        partitions.add(partitionData(session.partitionOf(slot)));
        if (error == ErrorCode.NONE) {
            if (answeredCount == answered.length) {
                answered = Arrays.copyOf(answered, 2 * answeredCount);
            }
            answered[answeredCount++] = slot;
        }
    }

    private PartitionData partitionData(int partition) {
        PartitionData answer = new PartitionData()
                .partitionIndex(partition)
                .errorCode(error.code())
                .highWatermark(UNKNOWN_OFFSET)
                .abortedTransactions(readCommitted ? List.of() : null)
                .records(records == null ? NO_RECORDS : records);
        // After the read, because the watermark must not be below the records.
        if (error == ErrorCode.NONE && queueId != Topic.NO_QUEUE && store.exists(queueId)) {
            long endOffset = store.endOffset(queueId);
            long startOffset = store.startOffset(queueId);
            // The offset that was used for the read: a newer one would cover records that the read has left out.
            long open = readCommitted ? untilOffset : stable.firstOpenOffset(queueId);
            answer.highWatermark(endOffset)
                    .lastStableOffset(Math.min(endOffset, Math.max(startOffset, open)))
                    .logStartOffset(startOffset);
            if (readCommitted && records != null) {
                answer.abortedTransactions(aborted);
                abortedBytes += aborted.size() * BYTES_PER_ABORTED;
            }
        }
        return answer;
    }

    /** The memory that the caller has taken for a first batch that is huge. */
    public void allowHuge(int bytes) {
        buffer.allowHuge(bytes);
    }

    /** The memory that the first batch needs, which is huge; then the pass has ended there. Otherwise 0. */
    public int missingBytes() {
        return buffer.missingBytes();
    }

    /** The size of the records. */
    public int readBytes() {
        return buffer.total();
    }

    /** The memory of the answer: its records and its lists of aborted transactions. */
    public int heldBytes() {
        return buffer.total() + abortedBytes;
    }

    /** Whether to answer without waiting: a read failed, or no partition can be read. */
    public boolean isUrgent() {
        return failed || unreadable == session.size();
    }

    /** The topics of the answer, in the order of the pass. */
    public List<FetchableTopicResponse> answers() {
        return answers;
    }

    /** The answer is sent: its partitions without an error are not owed any more. Passes the buffers to the caller. */
    public List<ByteBuf> settle() {
        for (int i = 0; i < answeredCount; i++) {
            readiness.settle(answered[i]);
        }
        if (lastServed != NO_SLOT) {
            readiness.turnBehind(lastServed);
        }
        return buffer.take();
    }

    /** Counts what the answer has. Called before it is sent. */
    void countIn(TopicTraffic traffic) {
        for (FetchableTopicResponse topic : answers) {
            long bytes = 0;
            int failures = 0;
            for (PartitionData partition : topic.partitions()) {
                Records sent = partition.records();
                bytes += sent == null ? 0 : sent.sizeInBytes();
                failures += partition.errorCode() == ErrorCode.NONE.code() ? 0 : 1;
            }
            traffic.fetched(
                    session.seen(topic.topic(), topic.topicId()),
                    bytes,
                    topic.partitions().size(),
                    failures);
        }
    }

    /** Frees the buffers: there is no answer from this pass. */
    public void release() {
        buffer.release();
    }
}
