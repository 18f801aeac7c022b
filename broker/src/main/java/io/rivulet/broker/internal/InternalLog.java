package io.rivulet.broker.internal;

import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.failure.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an internal topic while it is read.
 *
 * <pre>
 * IDLE  --a reader comes-->  IMAGE  --all state is written, older records are trimmed-->  LIVE
 *       --a reader comes, and nothing has changed-->  LIVE
 * LIVE  --no reader for a while-->  IDLE
 * IMAGE, LIVE  --an append has failed, or too many are in flight-->  IDLE
 * </pre>
 *
 * <p>In IMAGE and LIVE each change of the state is written too. After a start the state is IDLE. Design: decision 0041.
 *
 * <p>Owned by: the coordinator thread. Any thread may call {@link #whenCurrent} and {@link #touch}.
 */
public final class InternalLog implements RecordSink {
    private static final Logger LOG = LoggerFactory.getLogger(InternalLog.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int REQUEST_BYTES = 1 << 20;
    /** More bytes in flight stop the writing, and a reader begins with a new image. */
    private static final long MAX_WAITING_BYTES = 64 << 20;

    private static final long FULL_BYTES = 4 << 20;

    private enum State {
        IDLE,
        IMAGE,
        LIVE
    }

    private final InternalTopic which;
    private final CoordinatorRuntime runtime;
    private final TopicCatalogue topics;
    private final Timers.Timer idleTimer;
    private final StagedBatches staged = new StagedBatches();
    private final List<Runnable> waitingForImage = new ArrayList<>();
    private @Nullable StateSource source;
    private @Nullable Store store;
    private @Nullable InternalAppends appends;
    private @Nullable Topic topic;

    private State state = State.IDLE;
    /** Whether the topic had all changes up to {@link #changesWritten} when the writing stopped. */
    private boolean complete;

    private long changesWritten;
    private long images;
    private boolean hasFailed;
    private long failedNanos;

    /** Any thread: the time of the last read, and whether a read need not wait. */
    private volatile long lastReadNanos;

    private volatile boolean current;

    InternalLog(InternalTopic which, CoordinatorRuntime runtime, TopicCatalogue topics) {
        this.which = which;
        this.runtime = runtime;
        this.topics = topics;
        this.idleTimer = runtime.timers().timer(this::checkIdle);
    }

    /** Called once, before the first read. */
    public void source(StateSource newSource) {
        source = newSource;
    }

    void start(Store openedStore) {
        store = openedStore;
        appends = new InternalAppends(openedStore, runtime, this::fail);
    }

    // ---- any thread ----

    /**
     * Runs the action when everything that was acknowledged before can be read: immediately, or on the coordinator
     * thread. If the topic can't be written now, it runs with what is there.
     */
    public void whenCurrent(Runnable action) {
        lastReadNanos = runtime.clock().nanos().getAsLong();
        if (current) {
            action.run();
        } else {
            runtime.deliver(() -> await(action));
        }
    }

    /** A fetch reads the topic. It does not wait, because it gets records as they are appended. */
    public void touch() {
        lastReadNanos = runtime.clock().nanos().getAsLong();
        if (!current) {
            runtime.deliver(this::beginIfIdle);
        }
    }

    // ---- the coordinator thread: changes ----

    @Override
    public boolean isRead() {
        return state != State.IDLE;
    }

    @Override
    public void put(String id, long millis, byte[] key, byte @Nullable [] value) {
        Topic to = topic;
        if (state == State.IDLE || to == null) {
            return;
        }
        staged.add((id.hashCode() & Integer.MAX_VALUE) % to.partitionCount(), millis, key, value);
        if (staged.closedBytes() >= REQUEST_BYTES) {
            flush();
        }
    }

    @Override
    public boolean isFull() {
        return state == State.IDLE || (appends != null && appends.waitingBytes() >= FULL_BYTES);
    }

    @Override
    public void flush() {
        Topic to = topic;
        InternalAppends through = appends;
        if (staged.isEmpty() || to == null || through == null) {
            return;
        }
        if (through.waitingBytes() > MAX_WAITING_BYTES) {
            fail();
        } else {
            current = false;
            through.append(staged, to::queueId);
            through.whenEnded(this::updateCurrent);
        }
    }

    private void updateCurrent() {
        current = state == State.LIVE && appends != null && appends.isIdle();
    }

    // ---- the coordinator thread: readers ----

    private void await(Runnable action) {
        InternalAppends through = appends;
        beginIfIdle();
        if (state == State.IMAGE) {
            waitingForImage.add(action);
        } else if (state == State.LIVE && through != null) {
            through.whenEnded(action);
        } else if (through != null && !through.isIdle()) {
            through.whenEnded(() -> await(action));
        } else {
            action.run();
        }
    }

    private void beginIfIdle() {
        if (state == State.IDLE) {
            begin();
        }
    }

    private void begin() {
        Store into = store;
        StateSource from = source;
        Topic found = topics.find(which.id());
        boolean tooSoon = hasFailed && runtime.clock().nanos().getAsLong() - failedNanos < RETRY_NANOS;
        if (into == null || from == null || found == null || tooSoon || appends == null || !appends.isIdle()) {
            return;
        }
        topic = found;
        idleTimer.set(lastReadNanos + IDLE_NANOS);
        if (complete && from.changes() == changesWritten) {
            state = State.LIVE;
            updateCurrent();
            return;
        }
        state = State.IMAGE;
        images++;
        long[] starts = new long[found.partitionCount()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = into.endOffset(found.queueId(i));
        }
        StateSource.Image image = from.image();
        long number = images;
        runtime.deliver(() -> write(image, starts, number));
    }

    private void write(StateSource.Image image, long[] starts, long number) {
        InternalAppends through = appends;
        if (state != State.IMAGE || number != images || through == null) {
            return;
        }
        boolean more = image.writeSlice();
        flush();
        if (state == State.IMAGE) {
            through.whenEnded(() -> runtime.deliver(() -> {
                if (more) {
                    write(image, starts, number);
                } else {
                    trim(starts, number);
                }
            }));
        }
    }

    /** Removes what was written before the image. */
    private void trim(long[] starts, long number) {
        Store of = store;
        Topic from = topic;
        if (state != State.IMAGE || number != images || of == null || from == null) {
            return;
        }
        List<CompletableFuture<Long>> trims = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            if (of.startOffset(from.queueId(i)) < starts[i]) {
                trims.add(of.trim(from.queueId(i), starts[i]).toCompletableFuture());
            }
        }
        CompletionStage<?> unused = CompletableFuture.allOf(trims.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> runtime.deliver(() -> trimmed(number, failure)));
    }

    private void trimmed(long number, @Nullable Throwable failure) {
        InternalAppends through = appends;
        if (state != State.IMAGE || number != images || through == null) {
            return;
        }
        if (failure != null) {
            fail();
            return;
        }
        state = State.LIVE;
        through.whenEnded(this::updateCurrent);
        through.whenEnded(this::release);
    }

    private void release() {
        List<Runnable> released = List.copyOf(waitingForImage);
        waitingForImage.clear();
        released.forEach(Runnable::run);
    }

    private void checkIdle() {
        long untilNanos = lastReadNanos + IDLE_NANOS;
        if (state == State.IDLE) {
            return;
        }
        if (state == State.LIVE && untilNanos - runtime.clock().nanos().getAsLong() <= 0) {
            StateSource from = source;
            changesWritten = from == null ? 0 : from.changes();
            complete = true;
            stop();
        } else {
            idleTimer.set(Math.max(untilNanos, runtime.clock().nanosIn(1000)));
        }
    }

    private void fail() {
        if (state != State.IDLE) {
            LIMIT.log(more -> LOG.warn("{} is not written until it is read again{}", which.topicName(), more));
        }
        hasFailed = true;
        failedNanos = runtime.clock().nanos().getAsLong();
        complete = false;
        stop();
        release();
    }

    private void stop() {
        state = State.IDLE;
        current = false;
        staged.clear();
    }
}
