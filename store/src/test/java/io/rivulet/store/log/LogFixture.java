package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;

/** Helpers for tests of a log: groups that contain their number, and waiting for the wake-up. */
public final class LogFixture implements Runnable {
    public static final LogConfig SMALL = LogConfig.DEFAULT.withGroups(4, 8192);

    /** Counts wake-ups, so that none is lost between a check and the wait. */
    private final Semaphore wakeUps = new Semaphore(0);

    @Override
    public void run() {
        wakeUps.release();
    }

    public void awaitDurable(CommitLog log, long lsn) {
        while (outcome(log, lsn) == AppendOutcome.PENDING) {
            wakeUps.acquireUninterruptibly();
        }
    }

    /** Appends the group with this number and waits until it is durable. */
    public long append(CommitLog log, long number, int bodyBytes) throws AppendException {
        long lsn = appendOnly(log, number, bodyBytes);
        awaitDurable(log, lsn);
        assertThat(outcome(log, lsn)).isEqualTo(AppendOutcome.DURABLE);
        return lsn;
    }

    public static long appendOnly(CommitLog log, long number, int bodyBytes) throws AppendException {
        LogGroup group = log.acquireGroup();
        if (group == null) {
            throw new IllegalStateException("no group is free");
        }
        try {
            fill(group, number, bodyBytes);
            return appendWritten(log, group);
        } finally {
            log.releaseGroup(group);
        }
    }

    /** Returns when the group is written; otherwise throws the reason. */
    public static long appendWritten(CommitLog log, LogGroup group) throws AppendException {
        long lsn = log.append(group);
        while (log.writtenLsn() <= lsn) {
            Throwable failure = log.failure();
            if (failure != null && log.writtenLsn() <= lsn) {
                throw new AppendException(AppendException.Reason.WRITE_FAILED, "the log has failed", failure);
            }
            if (log.withdrawRefused()) {
                throw new AppendException(AppendException.Reason.DISK_FULL, "the group was withdrawn", null);
            }
            Thread.onSpinWait();
        }
        return lsn;
    }

    /** The state of a group for which an append has returned this lsn. */
    public static AppendOutcome outcome(CommitLog log, long lsn) {
        boolean hasFailed = log.failure() != null;
        if (lsn < log.durableLsn()) {
            return AppendOutcome.DURABLE;
        }
        return hasFailed ? AppendOutcome.UNKNOWN : AppendOutcome.PENDING;
    }

    public static void fill(LogGroup group, long number, int bodyBytes) {
        assertThat(group.hasRoom(bodyBytes)).isTrue();
        group.body().put(body(number, bodyBytes));
        group.entryAdded();
        group.timestamp(number);
    }

    /** Starts with its number and is a function of it. */
    public static ByteBuffer body(long number, int bodyBytes) {
        byte[] bytes = new byte[bodyBytes];
        new SplittableRandom(number).nextBytes(bytes);
        return ByteBuffer.wrap(bytes).putLong(0, number);
    }

    /** The numbers of all groups, each checked to be what was appended. */
    public static List<Long> replay(CommitLog log, long fromLsn) throws IOException {
        List<Long> numbers = new ArrayList<>();
        log.replay(fromLsn, group -> numbers.add(check(group)));
        return numbers;
    }

    public static List<Long> replay(CommitLog log) throws IOException {
        return replay(log, log.firstLsn());
    }

    public static long check(LogGroupView group) {
        long number = group.body().getLong(0);
        assertThat(group.body()).isEqualTo(body(number, group.body().remaining()));
        assertThat(group.timestamp()).isEqualTo(number);
        assertThat(group.entryCount()).isEqualTo(1);
        return number;
    }
}
