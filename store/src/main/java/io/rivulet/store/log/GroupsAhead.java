package io.rivulet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a replay, read and verified by a thread of their own while those before them are applied. They are handed over by
 * the chunk in which they lie; a chunk is read into again when all of its groups have been visited.
 *
 * <p>Threads: one visits; log-replay reads ahead. Whoever holds the monitor reads, so one who finds nothing to visit waits for what
 * is being read or reads it himself: a worker that comes late, or never, costs time and nothing else.
 *
 * <p>What can't be read or verified is met where it would be without reading ahead: behind the last group in front of it.
 */
final class GroupsAhead implements AutoCloseable {
    /** Chunks that wait to be visited: enough for the two threads not to wait for each other at every step. */
    private static final int MAX_WAITING = 4;

    private final GroupWalker walker;
    private final long untilLsn;
    private final SpscArrayQueue<Portion> waiting = new SpscArrayQueue<>(2 * MAX_WAITING);
    private final SpscArrayQueue<ByteBuffer> visited = new SpscArrayQueue<>(2 * MAX_WAITING);
    private final Workers.Worker worker;

    // Guarded by this.
    private Portion reading = new Portion();
    private boolean ended;
    private @Nullable Throwable failure;

    /** @param row retained by the caller until this is closed */
    GroupsAhead(List<Segment> row, long storeId, long maxEpoch, long fromLsn, long untilLsn, Workers workers) {
        this.walker = new GroupWalker(row, storeId, maxEpoch, this::exchange);
        this.untilLsn = untilLsn;
        walker.seek(fromLsn);
        this.worker = workers.start("log-replay", this::readAhead);
    }

    /** Groups in one chunk. */
    private static final class Portion {
        private final List<GroupView> groups = new ArrayList<>();
        private @Nullable ByteBuffer chunk;
    }

    /** Shows all of them, in order. */
    void forEach(CommitLog.GroupVisitor visitor) throws IOException {
        worker.signal();
        for (Portion portion = next(); portion != null; portion = next()) {
            worker.signal();
            for (GroupView group : portion.groups) {
                visitor.visit(group);
            }
            if (portion.chunk != null) {
                visited.offer(portion.chunk);
            }
        }
        throwFailure();
    }

    private @Nullable Portion next() {
        Portion portion = waiting.poll();
        return portion != null ? portion : awaitNext();
    }

    private synchronized @Nullable Portion awaitNext() {
        if (waiting.isEmpty() && !ended) {
            read();
        }
        return waiting.poll();
    }

    private synchronized void throwFailure() throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    // ---- log-replay, mostly ----

    private void readAhead() {
        while (waiting.size() < MAX_WAITING && readOne()) {
            // and so on
        }
    }

    private synchronized boolean readOne() {
        if (!ended) {
            read();
        }
        return !ended;
    }

    /** Ends with one portion more in the queue, or at the end of all. */
    private void read() {
        Portion portion = reading;
        try {
            while (portion == reading && walker.endLsn() < untilLsn) {
                if (!walker.next()) {
                    throw walker.segment().damaged(walker.endLsn(), walker.problem());
                }
                reading.groups.add(walker.view());
            }
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        if (failure != null || walker.endLsn() >= untilLsn) {
            ended = true;
            handOver(null);
        }
    }

    private ByteBuffer exchange(ByteBuffer done, int bytes) {
        if (reading.groups.isEmpty()) {
            return GroupWalker.Chunks.SAME.exchange(done, bytes);
        }
        handOver(done);
        ByteBuffer again = visited.poll();
        return again != null && again.capacity() >= bytes ? again : ByteBuffer.allocateDirect(bytes);
    }

    private void handOver(@Nullable ByteBuffer chunk) {
        if (!reading.groups.isEmpty()) {
            reading.chunk = chunk;
            waiting.offer(reading);
        }
        reading = new Portion();
    }

    /** Returns when nobody reads any more. */
    @Override
    public void close() {
        synchronized (this) {
            ended = true;
        }
        worker.close();
    }
}
