package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A share fetch between its acknowledgements and its answer. It takes memory, and acquires from the ready partitions.
 * If that is too little, it gives everything back, waits for enough bytes or the end of the wait time, and reads again.
 *
 * <p>Owned by: the event loop of the connection; while it reads more than the tail, the read thread. Any thread may
 * call {@link #wake}.
 */
final class PendingShareFetch {
    private static final Logger LOG = LoggerFactory.getLogger(PendingShareFetch.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final byte RECORD_LIMIT = 1;
    /** A disconnect is not detected while a fetch waits, so it checks from time to time. */
    private static final long CHECK_OPEN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Call call;
    private final ShareFetchParts parts;
    private final ShareSession session;
    private final ShareAnswer answer;
    private final ShareGroupConfig config;
    private final SharePass.Wanted wanted;
    private final int minBytes;
    private final int maxBytes;
    private final long deadlineNanos;

    private int grantedBytes;
    /** Memory for one huge batch, which is not a part of the granted bytes. */
    private int hugeBytes;

    private long grownBefore;
    private boolean failed;
    private @Nullable Future<?> timer;
    private final AtomicBoolean waiting = new AtomicBoolean();
    /** What it last waited for in the memory; null before. */
    private ResponseMemory.@Nullable Waiter waiter;

    /** @param mostBytes the limit of the broker */
    PendingShareFetch(
            Call call,
            ShareFetchRequest request,
            ShareFetchParts parts,
            ShareSession session,
            ShareAnswer answer,
            int mostBytes) {
        this.call = call;
        this.parts = parts;
        this.session = session;
        this.answer = answer;
        this.config = parts.groups().config(session.key.groupId());
        this.wanted = new SharePass.Wanted(
                session.key.member(),
                request.maxRecords(),
                Math.max(1, request.batchSize()),
                request.shareAcquireMode() == RECORD_LIMIT);
        CallMeter meter = call.meter();
        int limit = Math.min(request.maxBytes(), mostBytes);
        this.maxBytes = meter == null ? limit : meter.fetchLimit(limit);
        this.minBytes = Math.min(request.minBytes(), this.maxBytes);
        this.deadlineNanos =
                parts.nanos().getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, request.maxWaitMs()));
    }

    // ---- event loop ----

    void read() {
        grownBefore = session.partitions.growth().bytes();
        // A first batch may be larger than its limit, so a small limit takes a share, too.
        grantedBytes = hugeBytes > 0 ? 0 : parts.memory().take(Math.max(ResponseMemory.SMALLEST_SHARE_BYTES, maxBytes));
        if (grantedBytes == 0 && hugeBytes == 0) {
            awaitMemory();
            return;
        }
        SharePass reading = new SharePass(
                parts,
                session,
                call.access(),
                config,
                wanted,
                call.origin().allocator(),
                Math.min(grantedBytes, maxBytes));
        reading.allowHuge(hugeBytes);
        boolean done = false;
        try {
            done = reading.readTail(parts.readers().here());
        } catch (RuntimeException e) {
            fail(e);
            done = true;
        }
        if (done) {
            answerOrWait(reading);
        } else if (!parts.readers()
                .read(reader -> CallMeter.run(call.meter(), () -> readRest(reading, reader)), call::fail)) {
            release(reading);
            endUnanswered();
        }
    }

    private void fail(RuntimeException e) {
        LIMIT.log(more -> LOG.error("A share fetch failed{}", more, e));
        failed = true;
    }

    private void answerOrWait(SharePass reading) {
        if (reading.missingBytes() > 0
                && reading.readBytes() == 0
                && !failed
                && call.origin().isOpen()) {
            awaitHuge(reading);
            return;
        }
        boolean enough = reading.readBytes() >= Math.max(1, minBytes) || reading.isUrgent() || failed;
        if (enough || answer.hasAcks() || hugeBytes > 0 || isTimeUp()) {
            answer(reading);
        } else if (reading.passedHoles()) {
            release(reading);
            boolean unused = call.laterOnEventLoop(this::read);
        } else {
            int missing = Math.max(1, minBytes - reading.readBytes());
            release(reading);
            await(missing);
        }
    }

    private void release(SharePass reading) {
        reading.release();
        giveBack();
    }

    private boolean isTimeUp() {
        return deadlineNanos - parts.nanos().getAsLong() <= 0 || !call.origin().isOpen();
    }

    private void answer(SharePass reading) {
        reading.addOwed();
        ShareFetchResponse response = answer.response(config.recordLockMillis(), reading.found());
        boolean isEmpty = failed || !call.origin().isOpen() || exceedsQuota(response);
        int bytes = isEmpty ? 0 : reading.readBytes();
        List<ByteBuf> buffers = List.of();
        if (isEmpty) {
            reading.release();
            response = answer.response(config.recordLockMillis());
            if (failed) {
                response.errorCode(ErrorCode.UNKNOWN_SERVER_ERROR.code());
            }
        } else {
            buffers = reading.settle();
        }
        parts.sessions().giveBack(session);
        ResponseMemory.Answer sent = parts.memory().send(grantedBytes, hugeBytes, bytes, call::giveUp);
        call.answer(response, buffers, () -> parts.memory().written(sent));
    }

    private boolean exceedsQuota(ShareFetchResponse response) {
        CallMeter meter = call.meter();
        return meter != null && meter.exceedsWith(Integer.BYTES + response.sizeInBytes(call.version()));
    }

    // ---- read thread ----

    private void readRest(SharePass reading, StoreReader reader) {
        if (hugeBytes == 0 && reading.readBytes() == 0 && parts.memory().isExceeded()) {
            release(reading);
            goOn(this::awaitMemory);
            return;
        }
        try {
            reading.readAll(reader);
        } catch (RuntimeException e) {
            fail(e);
        }
        takeExcess(reading.readBytes());
        if (!goOn(() -> answerOrWait(reading))) {
            release(reading);
        }
    }

    /** The first batch was larger than the share. Other read threads must know that before they read. */
    private void takeExcess(int heldBytes) {
        if (hugeBytes == 0 && heldBytes > grantedBytes) {
            parts.memory().takeAnyway(heldBytes - grantedBytes);
            grantedBytes = heldBytes;
        }
    }

    /** False if the event loop has ended, and so has the fetch. */
    private boolean goOn(Runnable action) {
        boolean goesOn = call.onEventLoop(action);
        if (!goesOn) {
            parts.sessions().giveBack(session);
        }
        return goesOn;
    }

    private void giveBack() {
        parts.memory().giveBack(grantedBytes);
        grantedBytes = 0;
        if (hugeBytes > 0) {
            parts.memory().giveBackHuge();
            hugeBytes = 0;
        }
    }

    // ---- waiting ----

    /** Reads again when there is memory for the huge batch, however long the client wants to wait. */
    private void awaitHuge(SharePass reading) {
        int bytes = reading.missingBytes();
        release(reading);
        waiter = parts.memory().takeHuge(() -> {
            if (!call.laterOnEventLoop(() -> readHuge(bytes))) {
                parts.memory().giveBackHuge();
                parts.sessions().giveBack(session);
            }
        });
        checkOpenLater();
    }

    private void checkOpenLater() {
        timer = call.origin().eventLoop().schedule(this::checkOpen, CHECK_OPEN_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Also closes a client that is too slow to read a huge batch for which this fetch waits. */
    private void checkOpen() {
        if (call.origin().isOpen()) {
            boolean unused = parts.memory().closeOverdue();
            checkOpenLater();
        } else if (stopWaiting()) {
            endUnanswered();
        }
    }

    private boolean stopWaiting() {
        return waiter != null && parts.memory().stopWaiting(waiter);
    }

    private void readHuge(int bytes) {
        cancelTimer();
        hugeBytes = bytes;
        if (call.origin().isOpen()) {
            read();
        } else {
            giveBack();
            endUnanswered();
        }
    }

    private void cancelTimer() {
        Future<?> pending = timer;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    private void endUnanswered() {
        parts.sessions().giveBack(session);
        call.discard();
    }

    private void await(int missingBytes) {
        waiting.set(true);
        schedule();
        session.partitions.growth().await(grownBefore + missingBytes, this::wake);
    }

    private void awaitMemory() {
        if (isTimeUp()) {
            parts.sessions().giveBack(session);
            call.answer(answer.response(config.recordLockMillis()));
            return;
        }
        waiting.set(true);
        schedule();
        waiter = parts.memory().whenFree(this::wake);
    }

    private void schedule() {
        long waitNanos = Math.max(0, Math.min(deadlineNanos - parts.nanos().getAsLong(), CHECK_OPEN_NANOS));
        timer = call.origin().eventLoop().schedule(this::wake, waitNanos, TimeUnit.NANOSECONDS);
    }

    /** Any thread. May be called more than once. */
    private void wake() {
        if (waiting.compareAndSet(true, false) && !call.laterOnEventLoop(this::readAgain)) {
            parts.sessions().giveBack(session);
        }
    }

    private void readAgain() {
        session.partitions.growth().stopWaiting();
        cancelTimer();
        boolean unused = stopWaiting();
        read();
    }
}
