package io.rivulet.store.huge;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.Outcome;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the huge batches of requests to files, before the requests are appended, and deletes files whose batches were
 * not stored. A thread of its own: meanwhile the log writer stores small batches.
 *
 * <p>Thread-safe. A full disk rejects the batch; any other failure to write fails the store.
 */
public final class HugeWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HugeWriter.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final int QUEUE_CHUNK = 64;

    private final HugeFiles files;
    private final HugeBatches batches;
    private final IntPredicate queueExists;
    private final int maxInlineBytes;
    private final FailureLatch failures;
    private final MpscUnboundedArrayQueue<Runnable> jobs = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final Workers.Worker worker;
    /** Null before the first huge batch. Owned by the worker. */
    private @Nullable ByteBuffer portion;

    /** @param maxInlineBytes longer batches are huge */
    public HugeWriter(
            HugeFiles files,
            HugeBatches batches,
            IntPredicate queueExists,
            int maxInlineBytes,
            FailureLatch failures,
            Workers workers) {
        this.files = files;
        this.batches = batches;
        this.queueExists = queueExists;
        this.maxInlineBytes = maxInlineBytes;
        this.failures = failures;
        this.worker = workers.start("huge-writer", this::work);
    }

    /** Whether the request must be {@link #write written} before it is appended. */
    public boolean isWanted(AppendRequest request) {
        for (int i = 0; request.longestBytes() > maxInlineBytes && i < request.count(); i++) {
            if (isHuge(request, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isHuge(AppendRequest request, int part) {
        return request.length(part) > maxInlineBytes && !request.isState(part) && !request.isAtomic();
    }

    /**
     * Writes the huge batches of the request. Batches that can't be written get their outcome.
     *
     * @param written runs on the thread of the writer; then the request may be appended
     */
    public void write(AppendRequest request, Runnable written) {
        execute(() -> {
            for (int i = 0; i < request.count(); i++) {
                if (isHuge(request, i) && !request.isHuge(i) && queueExists.test(request.queueId(i))) {
                    write(request, i);
                }
            }
            written.run();
        });
    }

    private void write(AppendRequest request, int part) {
        if (failures.isSet()) {
            request.outcome(part, Outcome.REFUSED);
            return;
        }
        long number = batches.takeNumber();
        ByteBuffer payload = request.source().slice(request.at(part), request.length(part));
        try {
            request.huge(part, number, files.write(number, request.queueId(part), payload, portion()));
        } catch (ShortageException e) {
            int bytes = request.length(part);
            LIMIT.log(more -> LOG.warn("A batch of {} bytes was rejected: {}{}", bytes, e.getMessage(), more));
            request.outcome(part, Outcome.DISK_FULL);
        } catch (IOException e) {
            request.outcome(part, Outcome.REFUSED);
            failures.fail(e);
        }
    }

    private ByteBuffer portion() {
        ByteBuffer there = portion;
        if (there == null) {
            there = HugeFiles.newPortion();
            portion = there;
        }
        return there;
    }

    /** Called when all parts have their outcome: deletes the files of batches that are not stored. */
    public void settled(AppendRequest request) {
        for (int i = 0; request.hasHuge() && i < request.count(); i++) {
            boolean mayBeStored = request.outcome(i).isStored() || request.outcome(i) == Outcome.UNKNOWN;
            if (request.isHuge(i) && !mayBeStored) {
                long number = request.hugeNumber(i);
                execute(() -> delete(number));
            }
        }
    }

    private void delete(long number) {
        try {
            files.delete(number);
        } catch (IOException e) {
            LOG.warn("The file of a batch that was not stored stays until the next start", e);
        }
    }

    private void execute(Runnable job) {
        jobs.offer(job);
        worker.signal();
    }

    private void work() {
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
    }

    /** Returns when everything is written that was passed before. */
    @Override
    public void close() {
        worker.close();
    }
}
