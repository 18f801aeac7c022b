package io.rivulet.broker.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.fetch.BatchCopy;
import io.rivulet.broker.fetch.WaitingFetches;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fetch between its request and its answer: read; if that is too little, wait until enough has come or time is up, and read again.
 *
 * <p>Owned by: the event loop of the connection; while it reads, by the read thread that does. {@link #grown} may come from any
 * thread.
 */
final class PendingFetch implements WaitingFetches.Waiter {
    private static final Logger LOG = LoggerFactory.getLogger(PendingFetch.class);
    static final Records NO_RECORDS = new Records(Unpooled.EMPTY_BUFFER, 0, 0);
    private static final long UNKNOWN_OFFSET = -1;
    /** A connection may close unnoticed while its fetch waits. */
    private static final long LOOK_AROUND_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Call call;
    private final FetchResponse response;
    private final List<FetchTarget> targets;
    private final FetchParts parts;
    private final int minBytes;
    private final int maxBytes;
    private final long deadlineNanos;

    private final List<ByteBuf> buffers = new ArrayList<>();
    private int readBytes;
    private boolean failedAny;

    private @Nullable Future<?> timer;
    private final AtomicLong missingBytes = new AtomicLong();
    private final AtomicBoolean waiting = new AtomicBoolean();

    PendingFetch(
            Call call,
            FetchResponse response,
            List<FetchTarget> targets,
            FetchParts parts,
            int minBytes,
            int maxBytes,
            int maxWaitMillis) {
        this.call = call;
        this.response = response;
        this.targets = targets;
        this.parts = parts;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, maxWaitMillis));
    }

    void start() {
        parts.readers().read(this::read);
    }

    // ---- read thread ----

    private void read(StoreReader reader) {
        try {
            BatchCopy copy = new BatchCopy(call.origin().allocator(), BrokerIdentity.LEADER_EPOCH);
            for (FetchTarget target : targets) {
                readInto(target, reader, copy);
            }
        } catch (RuntimeException e) {
            LOG.error("A fetch failed", e);
            failedAny = true;
        }
        if (!call.onEventLoop(this::answerOrWait)) {
            releaseBuffers();
        }
    }

    private void readInto(FetchTarget target, StoreReader reader, BatchCopy copy) {
        PartitionData answer = target.answer();
        if (target.queueId() == Topic.NO_QUEUE) {
            failedAny = true;
            return;
        }
        ErrorCode error;
        try {
            int limit = Math.min(target.maxBytes(), maxBytes - readBytes);
            ReadStatus status = copy.read(reader, target.queueId(), target.offset(), limit, readBytes == 0);
            error = ErrorMapper.of(status);
        } catch (IOException e) {
            LOG.error("Queue {} can't be read at offset {}", target.queueId(), target.offset(), e);
            error = ErrorCode.KAFKA_STORAGE_ERROR;
        }
        answer.errorCode(error.code()).records(NO_RECORDS);
        ByteBuf copied = copy.take();
        if (copied != null) {
            buffers.add(copied);
            readBytes += copied.readableBytes();
            answer.records(Records.of(copied));
        }
        if (error == ErrorCode.NONE) {
            tellOffsets(answer, target.queueId());
        } else {
            failedAny = true;
            answer.highWatermark(UNKNOWN_OFFSET)
                    .lastStableOffset(UNKNOWN_OFFSET)
                    .logStartOffset(UNKNOWN_OFFSET);
        }
    }

    /** After the read, for the watermark must not be below what was read. */
    private void tellOffsets(PartitionData answer, int queueId) {
        Store store = parts.store();
        if (store.exists(queueId)) {
            long endOffset = store.endOffset(queueId);
            answer.highWatermark(endOffset).lastStableOffset(endOffset).logStartOffset(store.startOffset(queueId));
        }
    }

    // ---- event loop ----

    private void answerOrWait() {
        if (readBytes >= minBytes || failedAny || isTimeUp()) {
            answer();
        } else {
            releaseBuffers();
            await();
        }
    }

    private void answer() {
        call.answer(response, List.copyOf(buffers));
    }

    private void releaseBuffers() {
        buffers.forEach(ByteBuf::release);
        buffers.clear();
    }

    private boolean isTimeUp() {
        return deadlineNanos - System.nanoTime() <= 0 || !call.origin().isOpen();
    }

    private void await() {
        missingBytes.set(minBytes - readBytes);
        waiting.set(true);
        for (FetchTarget target : targets) {
            parts.waiting().join(target.queueId(), this);
        }
        long waitNanos = Math.max(0, Math.min(deadlineNanos - System.nanoTime(), LOOK_AROUND_NANOS));
        timer = call.origin().eventLoop().schedule(this::wake, waitNanos, TimeUnit.NANOSECONDS);
        if (hasGrownMeanwhile()) {
            wake();
        }
    }

    /** Whether a queue grew between the read and the joining, when nobody told this fetch. */
    private boolean hasGrownMeanwhile() {
        Store store = parts.store();
        for (FetchTarget target : targets) {
            if (!store.exists(target.queueId())
                    || store.endOffset(target.queueId()) != target.answer().highWatermark()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void grown(int queueId, int bytes) {
        if (missingBytes.addAndGet(-bytes) <= 0) {
            wake();
        }
    }

    private void wake() {
        if (waiting.compareAndSet(true, false)) {
            call.onEventLoop(this::readAgain);
        }
    }

    private void readAgain() {
        for (FetchTarget target : targets) {
            parts.waiting().leave(target.queueId(), this);
        }
        Future<?> pending = timer;
        if (pending != null) {
            pending.cancel(false);
        }
        readBytes = 0;
        parts.readers().read(this::read);
    }
}
