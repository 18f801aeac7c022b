package io.rivulet.store.open;

import static io.rivulet.store.simulation.Invariant.A_BEGINNING_OF_THE_LOG;
import static io.rivulet.store.simulation.Invariant.NOTHING_TRIMMED_EARLY;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.simulation.Batch;
import io.rivulet.store.simulation.Entry;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.Sequences;
import io.rivulet.store.simulation.SimulatedGate;
import io.rivulet.store.simulation.Stamp;
import io.rivulet.store.simulation.Violation;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Sends random requests to a store, as clients do, and records what was acknowledged. */
public final class SimulatedClient {
    /** Fewer than the greatest number that may wait, so that no change is rejected and then overtaken by an append. */
    private static final int MAX_OPEN = 12;

    private static final int CREATE = 75;
    private static final int MAX_QUEUES = 8;
    private static final long MAX_OPEN_BYTES = SimulatedStore.CONFIG.waiting().maxBytes() - MAX_OPEN * 300;

    private static final int NO_QUEUE = 1 << 20;
    private static final long NOT_THERE = -1;
    private static final int PRODUCERS = 3;
    private static final int MAX_BATCHES = 5;
    /** Less than a group and the share of the tail for an atomic request, so that none is too large. */
    private static final int MAX_ATOMIC_BYTES = 36 << 10;

    private static final int SOURCE_BYTES = 128 << 10;
    /** More than a group of the log holds. */
    private static final int HUGE = 50_000;

    private static final int HUGE_ONE_IN = 10;

    private static final int[] LENGTHS = {
        1, 20, 60, 60, 60, 240, 252, 700, 700, 3000, 9000, 9000, 20_000, 33_000, 40_000
    };

    /** Classes of queues with limits; class 0 has none. */
    private static final int AGED = 1;

    private static final int BOUNDED = 2;
    private static final long MAX_AGE_MILLIS = 300_000;
    private static final long MAX_BYTES = 30_000;

    private final SimulatedStore simulated;
    private final LocalStore store;
    private final Tampering tampering;
    private final StoreChecker checker;
    private final History history;
    private final SplittableRandom random;
    private final IntSupplier moment;
    private final Deque<Slot> idle = new ArrayDeque<>();
    private final Set<Slot> offered = new LinkedHashSet<>();
    private int open;
    private long openBytes;
    private int stepsLeft;
    private boolean stopped;
    private boolean sendsHuge;
    private boolean sweeps = true;
    private boolean expires;
    private int expiries;
    private @Nullable RuntimeException wrong;

    public SimulatedClient(SimulatedStore simulated, History history, long seed, int steps, IntSupplier moment) {
        this.simulated = simulated;
        this.store = simulated.store;
        this.tampering = simulated.tampering;
        this.checker = new StoreChecker(simulated);
        this.history = history;
        this.random = new SplittableRandom(seed);
        this.moment = moment;
        this.stepsLeft = steps;
        tampering.client(this);
    }

    /** The number of requests and changes without a result. */
    public int open() {
        return open;
    }

    public boolean isDone() {
        return stepsLeft <= 0;
    }

    public void step() {
        requireNothingWrong();
        if (stepsLeft-- <= 0) {
            return;
        }
        tampering.step();
        int kind = random.nextInt(100);
        if (history.predicted().queues().isEmpty()) {
            kind = CREATE;
        }
        if (expires && kind < 3) {
            simulated.pass(random.nextInt(200_000));
        } else if (kind < 50) {
            append(idle.isEmpty() ? new Slot() : idle.pop());
        } else if (kind < 75) {
            read();
        } else if (open < MAX_OPEN && openBytes <= MAX_OPEN_BYTES) {
            change(kind);
        }
    }

    /** Lets time pass, and sets limits for the store's content. */
    public void expires() {
        expires = true;
        simulated.listenToRetention(new SimulatedStore.RetentionListener() {
            private final List<Integer> onTheirWay = new ArrayList<>();

            @Override
            public void offered(int queueId, long startOffset) {
                requireNotEarly(queueId, startOffset);
                onTheirWay.add(history.offer(new Entry.Trim(queueId, startOffset)));
                expiries++;
            }

            @Override
            public void answered(boolean failed) {
                if (!failed) {
                    onTheirWay.forEach(number -> history.durable(number, moment.getAsInt()));
                }
                onTheirWay.clear();
            }
        });
    }

    /** Some batches are too large for a group of the log. */
    public void sendsHuge() {
        sendsHuge = true;
    }

    /** How many queues the store has trimmed because of limits. */
    public int expiries() {
        return expiries;
    }

    private void requireNotEarly(int queueId, long startOffset) {
        Model.Queue queue = history.predicted().queue(queueId);
        if (queue == null || wrong != null) {
            return;
        }
        List<Batch> gone = queue.batches(queue.startOffset(), startOffset);
        long left = queue.batches(startOffset, Long.MAX_VALUE).stream()
                .mapToLong(batch -> batch.bytes().length + StreamRecord.MAX_HEADER_BYTES)
                .sum();
        boolean allowed = switch (queue.retentionClass()) {
            case AGED -> gone.stream().allMatch(batch -> batch.maxTimestamp() + MAX_AGE_MILLIS < simulated.nowMillis());
            case BOUNDED -> left >= MAX_BYTES;
            default -> false;
        };
        boolean whole = startOffset == queue.endOffset() || queue.batchAt(startOffset) != null;
        if (!allowed || !whole) {
            wrong = NOTHING_TRIMMED_EARLY.violated("queue " + queueId + " of class " + queue.retentionClass() + ", "
                    + queue + ", is trimmed to " + startOffset + " at " + simulated.nowMillis());
        }
    }

    /** The store decides when to sweep. */
    void neverSweep() {
        sweeps = false;
    }

    /** Sends no more requests. */
    public void stop() {
        stepsLeft = 0;
        stopped = true;
    }

    /** Reports refused parts of incomplete requests: later parts, and later requests, may still be stored. */
    public void tellRefused() {
        offered.forEach(Slot::tellRefused);
    }

    public void requireNothingWrong() {
        if (wrong != null) {
            throw wrong;
        }
        if (!tampering.mayFailForGood()) {
            checker.requireNotFailed();
        }
    }

    // ---- appends ----

    /** A request with its source, reused. */
    private final class Slot {
        private final ByteBuffer source = ByteBuffer.allocateDirect(SOURCE_BYTES);
        private final AppendRequest durable = new AppendRequest(source, Wait.DURABLE, this::completed);
        private final AppendRequest written = new AppendRequest(source, Wait.WRITTEN, this::completed);
        private final List<Entry> entries = new ArrayList<>();
        private AppendRequest offeredLast = durable;
        private int bytes;
        private boolean together;
        private final List<Integer> numbers = new ArrayList<>();
        /** The expected result of each batch: an offset, {@link #NOT_THERE}, or the reason of the gate. */
        private final List<Long> expected = new ArrayList<>();

        private AppendRequest fill() {
            AppendRequest request = random.nextInt(4) == 0 ? written : durable;
            request.reset(source);
            offeredLast = request;
            entries.clear();
            bytes = 0;
            together = false;
            if (random.nextInt(6) == 0 && fillWithCopies(request)) {
                return request;
            }
            together = random.nextInt(6) == 0 && history.predicted().queue(anyQueue()) != null;
            if (together) {
                fillTogether(request);
            } else {
                for (int i = 1 + random.nextInt(MAX_BATCHES); i > 0; i--) {
                    int queueId = anyQueue();
                    add(request, queueId, stamped(queueId, anyBatch()), SOURCE_BYTES);
                }
            }
            return request;
        }

        /**
         * Sends batches again that are in flight in another request, as a producer does after it lost its connection.
         */
        private boolean fillWithCopies(AppendRequest request) {
            List<Slot> others = offered.stream().filter(slot -> !slot.together).toList();
            if (!others.isEmpty()) {
                for (Entry entry : others.get(random.nextInt(others.size())).entries) {
                    Entry.Append append = (Entry.Append) entry;
                    if (append.batch().stamp() != null) {
                        add(request, append.queueId(), append.batch(), SOURCE_BYTES);
                    }
                }
            }
            return !entries.isEmpty();
        }

        /** Chooses queues that exist and will not be deleted, so that no part is rejected. */
        private void fillTogether(AppendRequest request) {
            if (tampering.saysAtomic()) {
                request.atomic();
            }
            for (int i = 2 + random.nextInt(MAX_BATCHES); i > 0; i--) {
                int queueId = anyQueue();
                boolean there = history.predicted().queue(queueId) != null && store.exists(queueId);
                if (there && i > 1 && random.nextInt(3) > 0) {
                    add(request, queueId, anyBatch(), MAX_ATOMIC_BYTES);
                } else {
                    Batch state = new Batch(random.nextLong(), 1 + random.nextInt(300), 1, 0);
                    int viewId = 1 + random.nextInt(2);
                    source.put(bytes, state.bytes());
                    request.addState(viewId, bytes, state.bytes().length);
                    entries.add(new Entry.State(viewId, state));
                    bytes += state.bytes().length;
                }
            }
        }

        private void add(AppendRequest request, int queueId, Batch batch, int maxBytes) {
            int length = batch.bytes().length;
            if (bytes + length <= maxBytes) {
                source.put(bytes, batch.bytes());
                request.add(queueId, bytes, length, batch.recordCount(), batch.maxTimestamp());
                StoreDriver.sum(request, source, bytes, length);
                entries.add(new Entry.Append(queueId, batch));
                bytes += length;
            }
        }

        private void offered() {
            numbers.clear();
            expected.clear();
            if (together) {
                numbers.add(history.offer(new Entry.Together(List.copyOf(entries))));
            } else {
                for (Entry entry : entries) {
                    Entry.Append append = (Entry.Append) entry;
                    Model.Queue queue = history.predicted().queue(append.queueId());
                    expected.add(queue == null ? NOT_THERE : queue.offsetOf(append.batch()));
                    numbers.add(history.offer(entry));
                }
            }
            offered.add(this);
            open++;
            openBytes += bytes;
        }

        private void tellRefused() {
            for (int i = 0; !together && i < entries.size(); i++) {
                Outcome outcome = offeredLast.outcome(i);
                if (outcome == Outcome.DISK_FULL || outcome == Outcome.REFUSED) {
                    history.refused(numbers.get(i));
                }
            }
        }

        private void completed(AppendRequest request) {
            offered.remove(this);
            open--;
            openBytes -= bytes;
            try {
                if (together) {
                    completedTogether(request);
                } else {
                    for (int i = 0; i < request.count(); i++) {
                        completed(request, i);
                    }
                }
            } catch (RuntimeException e) {
                wrong = e;
            }
            if (stepsLeft-- > 0 && random.nextInt(4) == 0) {
                append(this);
            } else {
                idle.push(this);
            }
        }

        private void completed(AppendRequest request, int index) {
            int number = numbers.get(index);
            long wanted = expected.get(index);
            Outcome outcome = request.outcome(index);
            switch (outcome) {
                case DURABLE -> history.durable(number, moment.getAsInt());
                case WRITTEN -> history.stored(number);
                case DUPLICATE -> duplicate(number, request == durable);
                case NO_QUEUE ->
                    A_BEGINNING_OF_THE_LOG.require(
                            wanted == NOT_THERE || tampering.mayFail(), "there is no queue for %s", entries.get(index));
                default -> refused(number, outcome);
            }
            boolean told = outcome.isStored() || outcome == Outcome.DUPLICATE || outcome == Outcome.REFUSED_BY_GATE;
            long answered =
                    outcome == Outcome.REFUSED_BY_GATE && request.refusal(index) == SimulatedGate.Refusal.OUT_OF_ORDER
                            ? Sequences.OUT_OF_ORDER
                            : request.baseOffset(index);
            A_BEGINNING_OF_THE_LOG.require(
                    !told || wanted == NOT_THERE || wanted == answered || tampering.mayFail(),
                    "%s was told %s instead of %s",
                    entries.get(index),
                    answered,
                    wanted);
        }

        private void duplicate(int number, boolean isDurable) {
            if (isDurable) {
                history.durable(number, moment.getAsInt());
            } else {
                history.stored(number);
            }
        }

        private void completedTogether(AppendRequest request) {
            Outcome outcome = request.outcome(0);
            for (int i = 1; i < request.count(); i++) {
                A_BEGINNING_OF_THE_LOG.require(
                        request.outcome(i) == outcome || !tampering.saysAtomic(),
                        "parts of one atomic request end with %s and %s",
                        outcome,
                        request.outcome(i));
            }
            switch (outcome) {
                case DURABLE -> history.durable(numbers.get(0), moment.getAsInt());
                case WRITTEN -> history.stored(numbers.get(0));
                default -> {
                    boolean turnedDown = outcome == Outcome.NO_QUEUE || outcome == Outcome.TOO_LARGE;
                    A_BEGINNING_OF_THE_LOG.require(
                            !turnedDown || tampering.mayFail(), "an atomic request ends with %s", outcome);
                    refused(numbers.get(0), outcome);
                }
            }
        }
    }

    /** Called by a faulty gate: treats the requests that wait with the batch as answered. */
    void answeredTooEarly(int queueId, Stamp stamp) {
        for (Slot slot : offered) {
            for (int i = 0; !slot.together && i < slot.entries.size(); i++) {
                Entry.Append append = (Entry.Append) slot.entries.get(i);
                if (append.queueId() == queueId && stamp.equals(append.batch().stamp())) {
                    history.durable(slot.numbers.get(i), moment.getAsInt());
                }
            }
        }
    }

    private Batch anyBatch() {
        boolean huge = sendsHuge && random.nextInt(HUGE_ONE_IN) == 0;
        int length = huge ? HUGE : LENGTHS[random.nextInt(LENGTHS.length)];
        return new Batch(random.nextLong(), length, 1 + random.nextInt(3), random.nextInt(2_000_000));
    }

    /** Usually the next sequence, often an earlier one, rarely one that leaves a gap. */
    private Batch stamped(int queueId, Batch batch) {
        Model.Queue queue = history.predicted().queue(queueId);
        if (queue == null || batch.bytes().length < Stamp.BYTES || random.nextInt(3) == 0) {
            return batch;
        }
        int producer = random.nextInt(PRODUCERS);
        int kind = random.nextInt(10);
        int sequence = queue.nextSequence(producer) + (kind < 6 ? 0 : kind < 9 ? -1 - random.nextInt(4) : 1);
        return batch.stamped(new Stamp(producer, Math.max(0, sequence)));
    }

    private void refused(int number, Outcome outcome) {
        if (outcome != Outcome.UNKNOWN) {
            history.refused(number);
        }
    }

    private void append(Slot slot) {
        AppendRequest request = slot.fill();
        if (store.hasHuge(request)) {
            writeHuge(slot, request);
        } else if (store.append(request)) {
            slot.offered();
        } else {
            idle.push(slot);
        }
    }

    /** Not to a queue that does not exist: it may be created until the request is appended. */
    private void writeHuge(Slot slot, AppendRequest request) {
        for (int i = 0; i < request.count(); i++) {
            if (!store.exists(request.queueId(i))) {
                idle.push(slot);
                return;
            }
        }
        open++;
        store.writeHuge(request, () -> appendWritten(slot, request));
    }

    /** As a broker does: without room it tries again later. */
    private void appendWritten(Slot slot, AppendRequest request) {
        if (stopped) {
            open--;
        } else if (store.append(request)) {
            open--;
            slot.offered();
        } else {
            store.whenRoom(() -> appendWritten(slot, request));
        }
    }

    /** Usually an existing queue; never one that will soon exist. */
    private int anyQueue() {
        int limit = store.table().idLimit();
        for (int i = 0; i < 20 && limit > 0; i++) {
            int queueId = random.nextInt(limit);
            if (store.exists(queueId)) {
                return queueId;
            }
        }
        int any = random.nextInt(limit + 2);
        return history.predicted().queue(any) == null ? any : NO_QUEUE;
    }

    // ---- changes ----

    private void change(int kind) {
        Model predicted = history.predicted();
        if (kind < 80 && predicted.queues().size() < MAX_QUEUES) {
            int count = 1 + random.nextInt(3);
            int first = predicted.idLimit();
            int retentionClass = random.nextInt(3);
            changed(store.createQueues(count, retentionClass), new Entry.Create(count, retentionClass), first);
        } else if (kind < 82 && store.table().idLimit() > 2) {
            int first = random.nextInt(store.table().idLimit() - 1);
            changed(store.deleteQueues(first, 1), new Entry.Delete(first, 1), first);
        } else if (kind < 88) {
            trim(anyQueue());
        } else if (kind < 91) {
            if (sweeps) {
                store.sweepEverything();
            }
        } else if (expires && kind > 96) {
            limit(1 + random.nextInt(2));
        } else {
            int viewId = 1 + random.nextInt(2);
            Batch bytes = new Batch(random.nextLong(), 1 + random.nextInt(300), 1, 0);
            changed(
                    store.appendState(viewId, ByteBuffer.wrap(bytes.bytes())),
                    new Entry.State(viewId, bytes),
                    bytes.bytes().length);
        }
    }

    private void limit(int retentionClass) {
        changed(
                retentionClass == AGED
                        ? store.setRetention(AGED, MAX_AGE_MILLIS, -1)
                        : store.setRetention(BOUNDED, -1, MAX_BYTES),
                new Entry.Limits(retentionClass),
                null);
    }

    private void trim(int queueId) {
        Model.Queue queue = history.predicted().queue(queueId);
        long end = queue == null ? 0 : queue.endOffset();
        long offset = random.nextLong(end + 3);
        changed(
                store.trim(queueId, offset),
                new Entry.Trim(queueId, offset),
                queue == null ? null : Math.min(offset, end));
    }

    private void changed(CompletionStage<?> stage, Entry entry, @Nullable Number expected) {
        int number = history.offer(entry);
        open++;
        stage.whenComplete((result, failure) -> {
            open--;
            if (failure instanceof NotStoredException e) {
                refused(number, e.outcome());
            } else if (expected != null
                    && !tampering.mayFail()
                    && ((Number) result).longValue() != expected.longValue()) {
                wrong = A_BEGINNING_OF_THE_LOG.violated(entry + " answers " + result + " instead of " + expected);
            } else {
                history.durable(number, moment.getAsInt());
            }
        });
    }

    // ---- reads ----

    private void read() {
        int queueId = anyQueue();
        Model.Queue queue = history.predicted().queue(queueId);
        if (queue == null || !store.exists(queueId)) {
            return;
        }
        long start = store.startOffset(queueId);
        long end = store.endOffset(queueId);
        if (start < end) {
            long offset = start + random.nextLong(end - start);
            try {
                checker.requireRead(queueId, queue, offset, 1 + random.nextInt(40_000));
            } catch (Violation e) {
                if (!(tampering.mayFail() && e.getCause() instanceof IOException)) {
                    throw e;
                }
            }
        }
    }
}
