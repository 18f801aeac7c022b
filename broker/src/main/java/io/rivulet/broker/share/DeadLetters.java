package io.rivulet.broker.share;

import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.config.DeadLetterConfig;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives records of groups with a dead-letter topic (KIP-1191). The letters of some records and the entry that
 * archives them are one atomic request to the log, so a record that is archived has its letter, once, whatever crashes.
 * Until then, the runs are pending. If there can be no letter, the records are archived without one, as in Kafka.
 *
 * <p>Letters are written slice by slice: at most {@link #SLICE_RECORDS} records, and {@link
 * DeadLetterBatches#MOST_BYTES} bytes. A group has one slice under way, and {@link #SLICES} groups have one. A slice is
 * made on a read thread, because it may read records again.
 *
 * <p>Thread-safe. The lock of a group may be held while the monitor of this object is taken, not the reverse.
 */
public final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final int SLICES = 4;
    private static final int SLICE_RECORDS = 1000;
    /** The heap of a job; its runs are counted as results. */
    private static final int JOB_BYTES = 160;

    /**
     * The parts of the broker that dead letters need. Immutable.
     *
     * @param partitions of a topic that is created
     * @param diskIsShort whether the disk has no room for more records of clients
     * @param stampMillis the time of records
     */
    public record Parts(
            ShareGroups groups,
            TopicCatalogue topics,
            TopicAdmin admin,
            int partitions,
            ReadPool readers,
            ResponseMemory memory,
            BooleanSupplier diskIsShort,
            LongSupplier stampMillis,
            int maxDecompressedBytes) {}

    /** Runs that end together. Guarded by the lock of their group. */
    private static final class Job {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int left;
        private @Nullable Throwable failure;

        Job(int runs) {
            left = runs;
        }
    }

    /** A run that waits for its letters, and perhaps others of the same job. Immutable. */
    private record Waiting(Run run, Job job) {}

    /** A queue is read from its start to its end, and its results are side by side. */
    private static final Comparator<Waiting> IN_ORDER =
            Comparator.comparingInt((Waiting one) -> one.run.queueId).thenComparingLong(one -> one.run.first);

    /** What waits in a group. Guarded by the lock of the group. */
    private static final class Work {
        final ShareGroup group;
        final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

        Work(ShareGroup group) {
            this.group = group;
        }
    }

    @FunctionalInterface
    private interface Step {
        void run(StoreReader reader);
    }

    private final Parts parts;
    private final DeadLetterTopics topics;
    private final ShareCounters counters;
    /** Guarded by the monitor. */
    private final Map<ShareGroup, Work> works = new HashMap<>();
    /** Those without a slice under way. Guarded by the monitor. */
    private final ArrayDeque<Work> ready = new ArrayDeque<>();
    /** Guarded by the monitor. */
    private int underWay;

    public DeadLetters(Parts parts) {
        this.parts = parts;
        this.topics = new DeadLetterTopics(parts.topics(), parts.admin(), parts.partitions());
        this.counters = parts.groups().counters();
    }

    /**
     * Archives the runs, which are pending and have a cause. The caller holds the lock of the group.
     *
     * @return completes when that is durable and applied; fails if runs were rolled back
     */
    CompletionStage<Void> archive(ShareGroup group, List<Run> dead) {
        Job job = new Job(dead.size());
        parts.groups().memory().add(JOB_BYTES);
        synchronized (this) {
            Work work = works.get(group);
            if (work == null) {
                work = new Work(group);
                works.put(group, work);
                ready.add(work);
            }
            for (Run run : dead) {
                work.waiting.add(new Waiting(run, job));
            }
        }
        startNext();
        return job.done;
    }

    // ---- turns ----

    private void startNext() {
        for (Work work = next(); work != null; work = next()) {
            Work one = work;
            read(one, reader -> begin(one, reader));
        }
    }

    private synchronized @Nullable Work next() {
        Work work = underWay < SLICES ? ready.poll() : null;
        underWay += work == null ? 0 : 1;
        return work;
    }

    /** The slice of this group has ended. */
    private void end(Work work) {
        synchronized (work.group) {
            synchronized (this) {
                underWay--;
                if (work.waiting.isEmpty()) {
                    works.remove(work.group);
                } else {
                    ready.add(work);
                }
            }
        }
        startNext();
    }

    /** Runs a step on a read thread. If that is impossible, or the step fails, all that waits in the group fails. */
    private void read(Work work, Step step) {
        boolean accepted = parts.readers().read(step::run, failure -> fail(work, failure));
        if (!accepted) {
            fail(work, new RefusedException(ErrorCode.COORDINATOR_NOT_AVAILABLE, "the broker is closing"));
        }
    }

    private void fail(Work work, RuntimeException failure) {
        LIMIT.log(more -> LOG.warn("Dead letters of group {} failed{}", work.group.id(), more, failure));
        List<Waiting> all;
        synchronized (work.group) {
            all = List.copyOf(work.waiting);
            work.waiting.clear();
        }
        settle(work, all, failure);
        end(work);
    }

    // ---- one slice, on read threads ----

    private void begin(Work work, StoreReader reader) {
        DeadLetterConfig config = parts.groups().config(work.group.id()).deadLetters();
        if (!config.isOn()) { // switched off meanwhile
            write(work, reader, null, false);
        } else if (parts.diskIsShort().getAsBoolean()) {
            writeNone(work, reader, config, "the disk has less free space than rivulet.disk.headroom");
        } else {
            var unused = topics.find(config).whenComplete((topic, failure) -> found(work, config, topic, failure));
        }
    }

    /** The read thread, or the log writer after it has created the topic. */
    private void found(Work work, DeadLetterConfig config, @Nullable Topic topic, @Nullable Throwable failure) {
        if (topic == null) {
            String why = failure == null
                    ? "it was deleted"
                    : String.valueOf(ErrorMapper.refusal(failure).getMessage());
            read(work, reader -> writeNone(work, reader, config, why));
        } else if (config.copiesRecords()) {
            copy(work, topic);
        } else {
            read(work, reader -> write(work, reader, topic, false));
        }
    }

    private void copy(Work work, Topic topic) {
        int granted = parts.memory().take(SourceRecords.READ_BYTES);
        if (granted == 0) {
            var unused = parts.memory().whenFree(() -> read(work, reader -> copy(work, topic)));
            return;
        }
        read(work, reader -> {
            try {
                write(work, reader, topic, true);
            } finally {
                parts.memory().giveBack(granted);
            }
        });
    }

    private void writeNone(Work work, StoreReader reader, DeadLetterConfig config, String why) {
        counters.deadLettersRefused();
        LIMIT.log(more -> LOG.warn(
                "Group {} archives records without dead letters in {}: {}{}",
                work.group.id(),
                config.topic(),
                why,
                more));
        write(work, reader, null, false);
    }

    /** @param topic null to archive the records without letters */
    private void write(Work work, StoreReader reader, @Nullable Topic topic, boolean copies) {
        List<Waiting> taken = new ArrayList<>();
        List<DeadRange> ranges = take(work, taken);
        if (ranges.isEmpty()) {
            end(work);
            return;
        }
        DeadLetterBatches batches = topic == null
                ? null
                : new DeadLetterBatches(
                        topic, work.group.id(), parts.stampMillis().getAsLong());
        try (DeadLetterSlice slice = new DeadLetterSlice(parts.topics(), ranges, batches)) {
            if (copies) {
                try (SourceRecords records = new SourceRecords(reader, parts.maxDecompressedBytes())) {
                    slice.fill(records, SLICE_RECORDS);
                }
            } else {
                slice.fill(null, SLICE_RECORDS);
            }
            append(work, taken, ranges, slice);
        } catch (RuntimeException e) {
            synchronized (work.group) {
                putBack(work, taken);
            }
            if (topic == null) {
                throw e;
            }
            // Such as a codec that can't be loaded. It must not keep the records in the group.
            LIMIT.log(more -> LOG.warn("Group {} archives records without dead letters{}", work.group.id(), more, e));
            counters.deadLettersRefused();
            write(work, reader, null, false);
        }
    }

    /** Takes the next runs. Those that the group has given up meanwhile get no letter. */
    private List<DeadRange> take(Work work, List<Waiting> taken) {
        ShareGroup group = work.group;
        List<DeadRange> ranges = new ArrayList<>();
        List<Waiting> givenUp = new ArrayList<>();
        synchronized (group) {
            long records = 0;
            while (records < SLICE_RECORDS && !work.waiting.isEmpty()) {
                Waiting next = work.waiting.remove();
                Run run = next.run;
                RowRuns row = group.runsOf(run.queueId);
                if (row == null || !run.isPending() || group.isClosing() || row.closing) {
                    givenUp.add(next);
                } else {
                    taken.add(next);
                    records += run.count();
                }
            }
            taken.sort(IN_ORDER);
            for (Waiting one : taken) {
                RowRuns row = Objects.requireNonNull(group.runsOf(one.run.queueId));
                ranges.add(DeadRange.of(one.run, row.topicId));
            }
        }
        settle(
                work,
                givenUp,
                new RefusedException(
                        ErrorCode.INVALID_RECORD_STATE,
                        "the records were deleted, or an operator has moved the group"));
        return ranges;
    }

    private void append(Work work, List<Waiting> taken, List<DeadRange> ranges, DeadLetterSlice slice) {
        ShareGroup group = work.group;
        boolean isOffered = false;
        boolean isCurrent;
        synchronized (group) {
            isCurrent = ranges.stream().allMatch(range -> range.isCurrent(group));
            if (isCurrent) {
                List<Waiting> ending = split(group, taken, slice);
                List<Run> runs = ending.stream().map(Waiting::run).toList();
                ByteBuffer results = ShareEntryLayout.results(group, runs);
                int letters = slice.letters();
                int impossible = slice.impossible();
                isOffered = parts.groups()
                        .store()
                        .append(slice.request(
                                results, request -> appended(work, ending, letters, impossible, request)));
                putBack(work, taken.subList(isOffered ? ending.size() : 0, taken.size()));
            } else {
                putBack(work, taken);
            }
        }
        if (!isCurrent) {
            end(work);
        } else if (!isOffered) {
            parts.groups().store().whenRoom(() -> end(work));
        }
    }

    /** Those that the slice has as a whole, and the first part of the one that it has a part of. */
    private List<Waiting> split(ShareGroup group, List<Waiting> taken, DeadLetterSlice slice) {
        int whole = slice.whole();
        if (slice.splitAt() == 0) {
            return List.copyOf(taken.subList(0, whole));
        }
        Waiting both = taken.get(whole);
        Run rest = group.splitPending(both.run, slice.splitAt());
        both.job.left++;
        parts.groups().memory().add(Results.HEAP_BYTES);
        taken.add(whole + 1, new Waiting(rest, both.job));
        return List.copyOf(taken.subList(0, whole + 1));
    }

    /** They are the next ones again. The caller holds the lock of the group. */
    private static void putBack(Work work, List<Waiting> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            work.waiting.addFirst(taken.get(i));
        }
    }

    // ---- the end of a slice ----

    /** Log-writer thread. */
    private void appended(Work work, List<Waiting> ending, int letters, int impossible, AppendRequest request) {
        Outcome outcome = request.outcome(0);
        if (outcome == Outcome.NO_QUEUE) { // the topic was deleted
            synchronized (work.group) {
                putBack(work, ending);
            }
        } else if (outcome.isStored()) {
            counters.deadLetters(letters);
            if (impossible > 0) {
                counters.deadLettersRefused();
                LIMIT.log(more -> LOG.warn(
                        "Group {} has archived {} records without dead letters, which are too large, or have no key for"
                                + " a compacted topic{}",
                        work.group.id(),
                        impossible,
                        more));
            }
            settle(work, ending, null);
        } else {
            settle(work, ending, new NotStoredException(outcome));
        }
        end(work);
    }

    /** The runs have ended, or are rolled back. */
    private void settle(Work work, List<Waiting> ending, @Nullable Throwable failure) {
        List<Job> ended = new ArrayList<>();
        parts.groups().memory().add(-(long) ending.size() * Results.HEAP_BYTES);
        synchronized (work.group) {
            if (failure != null) {
                parts.groups()
                        .rollBack(work.group, ending.stream().map(Waiting::run).toList());
            }
            for (Waiting one : ending) {
                one.job.failure = one.job.failure == null ? failure : one.job.failure;
                one.job.left--;
                if (one.job.left == 0) {
                    ended.add(one.job);
                }
            }
        }
        for (Job job : ended) {
            parts.groups().memory().add(-JOB_BYTES);
            Throwable first = job.failure;
            if (first == null) {
                job.done.complete(null);
            } else {
                job.done.completeExceptionally(first);
            }
        }
    }
}
