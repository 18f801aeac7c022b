package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.fake.InlineWorkers;
import io.rivulet.cluster.fake.SteppedWorkers;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.AppendOutcome;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A log goes on in the ledger that it has while nothing can be created or decided. */
final class LedgerOutageTest {
    /** What fails. */
    private enum Outage {
        NONE,
        CREATE,
        /** The ledger is made, and the answer is lost. */
        CREATE_ANSWER,
        SWAP,
        /** The record is replaced, and the answer is lost. */
        SWAP_ANSWER,
        DELETE;

        void fail(Outage at) throws IOException {
            if (this == at) {
                throw new IOException("nobody answers at " + at);
            }
        }
    }

    private static final int LEDGER_BYTES = 16 << 10;
    private static final int BODY_BYTES = 7000;

    private final FakeEngine engine = FakeEngine.eager();
    private final CrashDisk disk = new CrashDisk();
    private Outage outage = Outage.NONE;
    private int asked;
    private boolean hidesRecord;

    private CommitLog open(Engine by) throws IOException {
        return open(by, new InlineWorkers());
    }

    private LedgerLogLocation location(Engine by) {
        return new LedgerLogLocation(by, "log", disk, LedgerLogConfig.DEFAULT.withLedgerBytes(LEDGER_BYTES));
    }

    private CommitLog open(Engine by, Workers workers) throws IOException {
        CommitLog log = location(by).open(LogConfig.DEFAULT, () -> {}, workers, new FailureLatch());
        log.begin();
        return log;
    }

    private Engine failing() {
        return new ForwardingEngine(engine.client()) {
            @Override
            public Ledger create(long id) throws IOException {
                asked++;
                outage.fail(Outage.CREATE);
                Ledger created = super.create(id);
                outage.fail(Outage.CREATE_ANSWER);
                return created;
            }

            @Override
            public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
                asked++;
                outage.fail(Outage.SWAP);
                int swapped = super.swap(name, state, bytes);
                outage.fail(Outage.SWAP_ANSWER);
                return swapped;
            }

            @Override
            public @Nullable Versioned load(String name) throws IOException {
                if (hidesRecord) {
                    throw new IOException("nobody says what the record is");
                }
                return super.load(name);
            }

            @Override
            public void delete(long id) throws IOException {
                outage.fail(Outage.DELETE);
                super.delete(id);
            }
        };
    }

    private static void append(CommitLog log, int from, int until) throws AppendException {
        for (int number = from; number < until; number++) {
            LogFixture.appendOnly(log, number, BODY_BYTES);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "DELETE"})
    void theLogGoesOnInItsLedgerAndMovesOnAfterwards(Outage failing) throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 1);
        int before = engine.ledgerCount();
        outage = failing;

        append(log, 1, 10);
        assertThat(log.failure()).isNull();
        outage = Outage.NONE;
        log.check();
        append(log, 10, 12);

        assertThat(engine.ledgerCount()).isEqualTo(before + 1);
        assertThat(LogFixture.replay(log)).hasSize(12);
        log.trimBefore(log.durableLsn());
        assertThat(LogFixture.replay(log)).containsExactly(10L, 11L);
        assertThat(LogFixture.replay(open(engine.client()))).containsExactly(10L, 11L);
    }

    /** Each attempt may wait for a long time. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "DELETE"})
    void theLogAsksOnceBetweenTwoChecks(Outage failing) throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 1);
        outage = failing;
        append(log, 1, 3);
        asked = 0;

        append(log, 3, 20);
        assertThat(asked).isZero();
        log.check();
        assertThat(asked).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "DELETE"})
    void withoutALedgerGroupsAreRefused(Outage failing) throws Exception {
        CommitLog log = open(failing());
        outage = failing;

        assertThatThrownBy(() -> append(log, 0, 1))
                .isInstanceOfSatisfying(
                        AppendException.class, e -> assertThat(e.reason()).isEqualTo(AppendException.Reason.DISK_FULL));

        assertThat(log.failure()).isNull();
        outage = Outage.NONE;
        append(log, 1, 9);
        assertThat(LogFixture.replay(log)).hasSize(8);
    }

    /** The log-writer is in the middle of a pass when log-io refuses: it appends once more before it withdraws. */
    @Test
    void aGroupAfterTheRefusalDoesNotKeepLaterOnesFromALedger() throws Exception {
        SteppedWorkers workers = new SteppedWorkers(1);
        CommitLog log = open(failing(), workers);
        outage = Outage.CREATE;
        appendUnanswered(log, 0);
        workers.runAll();
        appendUnanswered(log, 1);
        workers.runAll();
        assertThat(log.withdrawRefused()).isTrue();

        outage = Outage.NONE;
        long lsn = appendUnanswered(log, 2);
        workers.runAll();

        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.DURABLE);
        assertThat(LogFixture.replay(log)).containsExactly(2L);
    }

    private static long appendUnanswered(CommitLog log, int number) throws AppendException {
        LogGroup group = Objects.requireNonNull(log.acquireGroup());
        LogFixture.fill(group, number, BODY_BYTES);
        return log.append(group);
    }

    /** By another owner, or by an engine that copies entries: the record tells. */
    @ParameterizedTest
    @CsvSource({"true, false, true", "false, false, false", "true, true, true", "false, true, true"})
    void onlyTheRecordTellsThatAFenceIsNotThatOfAnotherOwner(boolean isReplaced, boolean isHidden, boolean isTaken)
            throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 1);
        if (isReplaced) {
            open(engine.client());
        } else {
            engine.client().recover(onlyLedger());
        }
        hidesRecord = isHidden;
        long lsn = appendUnanswered(log, 1);

        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.UNKNOWN);
        assertThat(log.failure() instanceof OwnerChangedException).isEqualTo(isTaken);
        assertThat(LogFixture.replay(open(engine.client()))).containsExactly(0L);
    }

    private long onlyLedger() throws IOException {
        Engine.Versioned record = Objects.requireNonNull(engine.client().load("log"));
        List<LogRecord.Part> ledgers = LogRecord.decode("log", record.bytes()).ledgers();
        assertThat(ledgers).hasSize(1);
        return ledgers.get(0).id();
    }

    @ParameterizedTest
    @EnumSource(names = {"SWAP", "SWAP_ANSWER"})
    void aTrimIsMadeLater(Outage failing) throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 10);
        outage = failing;

        log.trimBefore(log.durableLsn());
        assertThat(log.failure()).isNull();
        outage = Outage.NONE;
        append(log, 10, 11);
        log.trimBefore(log.durableLsn());

        assertThat(LogFixture.replay(log)).hasSizeLessThan(4).contains(10L);
        assertThat(engine.ledgerCount()).isLessThan(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"SWAP", "SWAP_ANSWER"})
    void anOwnerThatIsReplacedMeanwhileLearnsIt(Outage failing) throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 1);
        outage = failing;
        append(log, 1, 4);
        CommitLog successor = open(engine.client());
        outage = Outage.NONE;

        log.check();

        assertThat(log.failure()).isInstanceOf(OwnerChangedException.class);
        append(successor, 4, 8);
        assertThat(LogFixture.replay(open(engine.client()))).hasSize(8);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE"})
    void theNextOwnerDeletesWhatThisOneLeft(Outage failing) throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 1);
        if (failing == Outage.DELETE) {
            append(log, 1, 10);
        }
        outage = failing;
        append(log, 10, 14);
        log.trimBefore(log.durableLsn());

        CommitLog successor = open(engine.client());
        append(successor, 14, 15);

        assertThat(engine.ledgerCount()).isEqualTo(2);
        assertThat(LogFixture.replay(successor)).endsWith(13L, 14L);
    }

    /** Bookies that do not answer would hold up its close, for seconds each time. */
    @Test
    void aLogThatHasFailedAsksForNoEntries() throws Exception {
        FailureLatch failures = new FailureLatch();
        CommitLog log = location(engine.client()).open(LogFixture.SMALL, () -> {}, new InlineWorkers(), failures);
        log.begin();
        append(log, 0, 10);
        long lsn = log.firstLsn();
        ByteBuffer read = ByteBuffer.allocate(BODY_BYTES);
        log.read(lsn, 0, BODY_BYTES, read);
        assertThat(read.flip()).isEqualTo(LogFixture.body(0, BODY_BYTES));

        failures.fail(new IOException("a group could not be stored"));
        assertThatThrownBy(() -> log.read(lsn, 0, BODY_BYTES, read.clear()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the log has failed");
    }

    @Test
    void aTrimOfAnOwnerThatWasReplacedFails() throws Exception {
        CommitLog log = open(failing());
        append(log, 0, 10);
        open(engine.client());

        assertThatThrownBy(() -> log.trimBefore(log.durableLsn())).isInstanceOf(OwnerChangedException.class);
    }
}
