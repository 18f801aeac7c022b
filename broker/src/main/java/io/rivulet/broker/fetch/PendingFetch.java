package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.Timing;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fetch between its request and its answer. It takes memory and reads the ready partitions. If that is too little, it
 * releases everything, waits for enough bytes or the end of the wait time, and reads again.
 *
 * <p>Owned by: the event loop of the connection; while it reads more than the tail, the read thread. Any thread may
 * call {@link #wake}.
 */
final class PendingFetch {
    private static final Logger LOG = LoggerFactory.getLogger(PendingFetch.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final byte READ_COMMITTED = 1;
    /** A disconnect is not detected while a fetch waits, so it checks from time to time. */
    private static final long CHECK_OPEN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Call call;
    private final FetchParts parts;
    private final FetchSession session;
    private final ReadRights rights;
    private final boolean readCommitted;
    private final int minBytes;
    private final int maxBytes;
    private final long deadlineNanos;

    private int grantedBytes;
    /** Memory for one huge batch, which is not a part of the granted bytes. */
    private int hugeBytes;

    private long grownBefore;
    /** Everything that was acknowledged before the fetch can be read. */
    private boolean seesAcknowledged;

    private boolean failed;

    private @Nullable Future<?> timer;
    /** While it waits for records and slow requests are logged; else 0. */
    private long waitsSinceNanos;

    private final AtomicBoolean waiting = new AtomicBoolean();
    /** What it last waited for in the memory; null before. */
    private ResponseMemory.@Nullable Waiter waiter;

    /** @param maxBytes the limit of the request or of the broker */
    PendingFetch(Call call, FetchRequest request, FetchParts parts, FetchSession session, int maxBytes) {
        this.call = call;
        this.parts = parts;
        this.session = session;
        this.rights = ReadRights.of(call.access(), request, session.byId());
        this.readCommitted = request.isolationLevel() == READ_COMMITTED;
        this.maxBytes = Math.max(0, maxBytes);
        this.minBytes = Math.min(request.minBytes(), this.maxBytes);
        this.deadlineNanos =
                parts.nanos().getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, request.maxWaitMs()));
    }

    // ---- event loop ----

    void read() {
        grownBefore = session.growth().bytes();
        seesAcknowledged |= parts.store().isReadable();
        // A first batch may be larger than its limit, so a small limit takes a share, too.
        grantedBytes = hugeBytes > 0 ? 0 : parts.memory().take(Math.max(ResponseMemory.SMALLEST_SHARE_BYTES, maxBytes));
        if (grantedBytes == 0 && hugeBytes == 0) {
            awaitMemory();
            return;
        }
        rights.newPass();
        FetchPass reading = new FetchPass(
                parts.store(),
                parts.stable(),
                session,
                rights,
                call.origin().allocator(),
                parts.leaderEpoch(),
                readCommitted,
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
        LIMIT.log(more -> LOG.error("A fetch failed{}", more, e));
        failed = true;
    }

    private void answerOrWait(FetchPass reading) {
        if (reading.missingBytes() > 0 && !failed && call.origin().isOpen()) {
            awaitHuge(reading);
            return;
        }
        boolean enough = reading.readBytes() >= minBytes || reading.isUrgent() || failed || hugeBytes > 0;
        boolean mayMissRecords = reading.readBytes() == 0 && !seesAcknowledged && !failed;
        if ((enough || isTimeUp()) && mayMissRecords) {
            release(reading);
            awaitAcknowledged();
        } else if (enough || isTimeUp()) {
            answer(reading);
        } else {
            int missing = minBytes - reading.readBytes();
            release(reading);
            await(missing);
        }
    }

    private void release(FetchPass reading) {
        reading.release();
        giveBack();
    }

    /** Waits until everything that was acknowledged can be read. Then the fetch reads again, once. */
    private void awaitAcknowledged() {
        seesAcknowledged = true;
        waiting.set(true);
        parts.store().whenReadable(this::wake);
    }

    private boolean isTimeUp() {
        return deadlineNanos - parts.nanos().getAsLong() <= 0 || !call.origin().isOpen();
    }

    private void answer(FetchPass reading) {
        if (exceedsQuota(reading)) {
            release(reading);
            parts.sessions().end(session);
            call.answer(new FetchResponse().sessionId(session.id()));
            return;
        }
        FetchResponse response = new FetchResponse();
        int bytes = reading.heldBytes();
        List<ByteBuf> buffers = List.of();
        if (failed) {
            reading.release();
            bytes = 0;
            response.errorCode(ErrorCode.UNKNOWN_SERVER_ERROR.code());
        } else {
            parts.sessions().keep(session);
            TopicTraffic traffic = parts.traffic();
            if (traffic != null) {
                reading.countIn(traffic);
            }
            buffers = reading.settle();
            response.sessionId(session.id()).responses(reading.answers());
        }
        parts.sessions().end(session);
        ResponseMemory.Answer sent = parts.memory().send(grantedBytes, hugeBytes, bytes, call::giveUp);
        call.answer(response, buffers, () -> parts.memory().written(sent));
    }

    /** The same bytes count as in Kafka: those of the whole answer. */
    private boolean exceedsQuota(FetchPass reading) {
        CallMeter meter = call.meter();
        if (meter == null || failed) {
            return false;
        }
        FetchResponse response = new FetchResponse().sessionId(session.id()).responses(reading.answers());
        return meter.exceedsWith(Integer.BYTES + response.sizeInBytes(call.version()));
    }

    // ---- read thread ----

    private void readRest(FetchPass reading, StoreReader reader) {
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
        takeExcess(reading.heldBytes());
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
            parts.sessions().end(session);
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
    private void awaitHuge(FetchPass reading) {
        int bytes = reading.missingBytes();
        release(reading);
        waiter = parts.memory().takeHuge(() -> {
            if (!call.laterOnEventLoop(() -> readHuge(bytes))) {
                parts.memory().giveBackHuge();
                parts.sessions().end(session);
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
        parts.sessions().end(session);
        call.discard();
    }

    private void await(int missingBytes) {
        waitsSinceNanos = call.timing() == null ? 0 : parts.nanos().getAsLong();
        waiting.set(true);
        schedule();
        session.growth().await(grownBefore + Math.max(1, missingBytes), this::wake);
    }

    private void awaitMemory() {
        if (isTimeUp()) {
            parts.sessions().end(session);
            call.answer(new FetchResponse().sessionId(session.id()));
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
            parts.sessions().end(session);
        }
    }

    private void readAgain() {
        session.growth().stopWaiting();
        Timing timing = call.timing();
        if (timing != null && waitsSinceNanos != 0) {
            timing.waited(parts.nanos().getAsLong() - waitsSinceNanos);
            waitsSinceNanos = 0;
        }
        cancelTimer();
        boolean unused = stopWaiting();
        read();
    }
}
