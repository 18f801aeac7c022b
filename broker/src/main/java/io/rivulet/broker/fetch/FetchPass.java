package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One walk over what is ready in a session, once round from whose turn it is, until the answer is full. It can be interrupted between
 * two partitions and go on with another source.
 *
 * <p>Owned by: the fetch.
 */
public final class FetchPass {
    private static final Logger LOG = LoggerFactory.getLogger(FetchPass.class);
    private static final Records NO_RECORDS = new Records(Unpooled.EMPTY_BUFFER, 0, 0);
    private static final long UNKNOWN_OFFSET = -1;
    private static final int NOBODY = -1;

    /** Of one visit to the event loop. */
    private static final int LOOKS_AT_ONCE = 64;

    private static final int BYTES_AT_ONCE = 256 << 10;

    private final Store store;
    private final FetchSession session;
    private final StableOffsets stable;
    private final boolean readCommitted;
    private final FetchBuffer buffer;
    private final int grantedBytes;

    private final int first;
    private int next;
    private boolean wrapped;
    private int lastServed = NOBODY;

    private final List<FetchableTopicResponse> answers = new ArrayList<>();
    private FetchSession.@Nullable NamedTopic lastTopic;
    private List<PartitionData> partitions = new ArrayList<>(0);
    private int[] told = new int[8];
    private int toldCount;
    /** Of the records that were read last. */
    private List<AbortedTransaction> aborted = List.of();

    private int owedTold;
    private int refused;
    private boolean failed;

    /**
     * @param readCommitted whether only what is decided is read
     * @param grantedBytes the most that is read, but for a first batch that is larger
     */
    public FetchPass(
            Store store,
            StableOffsets stable,
            FetchSession session,
            ByteBufAllocator allocator,
            int leaderEpoch,
            boolean readCommitted,
            int grantedBytes) {
        this.store = store;
        this.stable = stable;
        this.session = session;
        this.readCommitted = readCommitted;
        this.buffer = new FetchBuffer(allocator, leaderEpoch);
        this.grantedBytes = grantedBytes;
        this.first = session.turn();
        this.next = first;
    }

    /** Reads what the tail has; false when the rest takes a read thread. */
    public boolean readTail(StoreReader reader) {
        FetchBuffer.Source tail = FetchBuffer.Source.tail(reader);
        int looks = 0;
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            if (looks++ == LOOKS_AT_ONCE || buffer.total() >= BYTES_AT_ONCE || !look(slot, tail)) {
                next = slot;
                return false;
            }
        }
        return true;
    }

    /** Reads the rest. */
    public void readAll(StoreReader reader) {
        FetchBuffer.Source all = FetchBuffer.Source.all(reader);
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            look(slot, all);
        }
    }

    private int nextSlot() {
        if (isFull() && owedTold == session.owedCount()) {
            return NOBODY;
        }
        int slot = session.nextReady(next);
        if (slot < 0 && !wrapped) {
            wrapped = true;
            slot = session.nextReady(0);
        }
        if (slot < 0 || (wrapped && slot >= first)) {
            next = wrapped ? first : next;
            wrapped = true;
            return NOBODY;
        }
        next = slot + 1;
        return slot;
    }

    /** False when the source does not have it. */
    private boolean look(int slot, FetchBuffer.Source source) {
        boolean owed = session.isOwed(slot);
        if (isFull() && !owed) {
            return true; // it stays ready
        }
        session.unready(slot);
        int queueId = session.queueOf(slot);
        ErrorCode error = session.errorOf(slot, queueId);
        Records records = null;
        long untilOffset = readCommitted && error == ErrorCode.NONE ? decidedOffset(queueId) : StableOffsets.NONE_OPEN;
        long offset = session.offsetOf(slot);
        boolean allIsOpen = error == ErrorCode.NONE && offset >= untilOffset && offset < store.endOffset(queueId);
        if (error == ErrorCode.NONE && !allIsOpen) {
            try {
                ReadStatus status = read(source, slot, queueId, untilOffset);
                if (status == ReadStatus.NOT_IN_TAIL) {
                    session.keepReady(slot);
                    return false;
                }
                error = ErrorMapper.of(status);
                failed |= error != ErrorCode.NONE;
                records = buffer.records();
            } catch (IOException e) {
                LOG.error("Queue {} can't be read at offset {}", queueId, offset, e);
                buffer.undo();
                error = ErrorCode.KAFKA_STORAGE_ERROR;
                failed = true;
            }
        } else {
            refused++;
        }
        if (records != null
                || error != ErrorCode.NONE
                || owed
                || offset < Math.min(untilOffset, store.endOffset(queueId))) {
            session.keepReady(slot);
        }
        if (records != null || error != ErrorCode.NONE || owed) {
            owedTold += owed ? 1 : 0;
            tell(slot, queueId, error, records, untilOffset);
        }
        if (records != null) {
            lastServed = slot;
        }
        return true;
    }

    /** Reads again when something was forgotten meanwhile: whatever is aborted among the records is listed beside them. */
    private ReadStatus read(FetchBuffer.Source source, int slot, int queueId, long untilOffset) throws IOException {
        long offset = session.offsetOf(slot);
        int limit = Math.min(session.maxBytesOf(slot), grantedBytes - buffer.total());
        while (true) {
            long forgotten = stable.forgotten(queueId);
            ReadStatus status = buffer.read(source, queueId, offset, untilOffset, limit, buffer.total() == 0);
            if (!readCommitted || status != ReadStatus.BATCHES) {
                return status;
            }
            aborted = stable.aborted(queueId, offset, buffer.nextOffset());
            if (stable.forgotten(queueId) == forgotten) {
                return status;
            }
            buffer.undo();
        }
    }

    /** The end first: what is below it and open is known then. */
    private long decidedOffset(int queueId) {
        long endOffset = store.exists(queueId) ? store.endOffset(queueId) : StableOffsets.NONE_OPEN;
        return Math.min(endOffset, stable.firstOpenOffset(queueId));
    }

    private boolean isFull() {
        return buffer.total() > 0 && buffer.total() >= grantedBytes;
    }

    private void tell(int slot, int queueId, ErrorCode error, @Nullable Records records, long untilOffset) {
        PartitionData answer = new PartitionData()
                .partitionIndex(session.partitionOf(slot))
                .errorCode(error.code())
                .highWatermark(UNKNOWN_OFFSET)
                .abortedTransactions(readCommitted ? List.of() : null)
                .records(records == null ? NO_RECORDS : records);
        // After the read, for the watermark must not be below what was read.
        if (error == ErrorCode.NONE && queueId != Topic.NO_QUEUE && store.exists(queueId)) {
            long endOffset = store.endOffset(queueId);
            long startOffset = store.startOffset(queueId);
            // One that has moved since would promise what was not read under it.
            long open = readCommitted ? untilOffset : stable.firstOpenOffset(queueId);
            answer.highWatermark(endOffset)
                    .lastStableOffset(Math.min(endOffset, Math.max(startOffset, open)))
                    .logStartOffset(startOffset);
            if (readCommitted && records != null) {
                answer.abortedTransactions(aborted);
            }
        }
        FetchSession.NamedTopic topic = session.topicOf(slot);
        if (topic != lastTopic) {
            lastTopic = topic;
            partitions = new ArrayList<>();
            answers.add(new FetchableTopicResponse()
                    .topic(topic.name())
                    .topicId(topic.id())
                    .partitions(partitions));
        }
        partitions.add(answer);
        if (toldCount == told.length) {
            told = Arrays.copyOf(told, 2 * toldCount);
        }
        told[toldCount++] = slot;
    }

    /** Bytes of records that were read. */
    public int readBytes() {
        return buffer.total();
    }

    /** Whether the client should hear of it at once: something could not be read, or there is nothing that ever can be. */
    public boolean isUrgent() {
        return failed || refused == session.size();
    }

    /** The answer's topics, in the order in which their partitions had their turn. */
    public List<FetchableTopicResponse> answers() {
        return answers;
    }

    /** The answer goes to the client: what it was told of is not owed any more. The buffers are the caller's from here on. */
    public List<ByteBuf> settle() {
        for (int i = 0; i < toldCount; i++) {
            session.settle(told[i]);
        }
        if (lastServed != NOBODY) {
            session.turnBehind(lastServed);
        }
        return buffer.take();
    }

    /** There will be no answer from this pass. */
    public void release() {
        buffer.release();
    }
}
