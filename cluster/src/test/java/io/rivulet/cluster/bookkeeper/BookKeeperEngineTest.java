package io.rivulet.cluster.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.engine.Answer;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.ledger.LedgerLogLocation;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a log on BookKeeper when others take it over, and when bookies go. */
@Timeout(300)
final class BookKeeperEngineTest {
    private static final int BODY_BYTES = 3000;
    private static final int LARGE_BYTES = 3_500_000;

    /** Each wait takes a millisecond. */
    private static final int MANY_WAITS = 20;

    private static final int SESSION_MILLIS = 6000;
    private static final int ANY_VERSION = -1;

    @TempDir
    Path directory;

    private final LogFixture fixture = new LogFixture();
    private final CrashDisk disk = new CrashDisk();
    private TestBookies bookies;
    private BookKeeperEngine engine;
    private final BlockingQueue<Runnable> unanswered = new LinkedBlockingQueue<>();
    private final AtomicReference<IOException> thrown = new AtomicReference<>();

    @BeforeEach
    void startBookies() throws Exception {
        bookies = new TestBookies(directory, 3);
        engine = new BookKeeperEngine(bookies.registry(), "test");
    }

    @AfterEach
    void stopBookies() throws Exception {
        engine.close();
        bookies.close();
    }

    private CommitLog open(Engine by, Runnable wakeUp) throws IOException {
        return open(by, wakeUp, LedgerLogConfig.DEFAULT);
    }

    private CommitLog open(Engine by, Runnable wakeUp, LedgerLogConfig config) throws IOException {
        FailureLatch failures = new FailureLatch();
        CommitLog log = new LedgerLogLocation(by, "log", disk, config)
                .open(LogConfig.DEFAULT, wakeUp, Workers.threads(failures), failures);
        log.begin();
        return log;
    }

    @Test
    void anOwnerThatWasReplacedAppendsNothing() throws Exception {
        try (BookKeeperEngine other = new BookKeeperEngine(bookies.registry(), "other");
                CommitLog old = open(engine, fixture)) {
            fixture.append(old, 1, BODY_BYTES);
            LogFixture second = new LogFixture();
            try (CommitLog log = open(other, second)) {
                assertThat(LogFixture.replay(log)).containsExactly(1L);

                assertThatThrownBy(() -> fixture.append(old, 2, BODY_BYTES))
                        .isInstanceOfSatisfying(
                                AppendException.class,
                                e -> assertThat(e.reason()).isEqualTo(AppendException.Reason.WRITE_FAILED));
                second.append(log, 3, BODY_BYTES);
                assertThat(LogFixture.replay(log)).containsExactly(1L, 3L);
                assertThat(log.epoch()).isGreaterThan(old.epoch());
                assertThat(old.failure()).isInstanceOf(OwnerChangedException.class);
            }
        }
    }

    /** The engines close a ledger that nobody writes to, to copy the entries of a lost bookie. */
    @Test
    void anOwnerWhoseLedgerWasClosedIsStillTheOwner() throws Exception {
        List<Long> made = new ArrayList<>();
        Engine watched = new ForwardingEngine(engine) {
            @Override
            public Ledger create(long id) throws IOException {
                made.add(id);
                return super.create(id);
            }
        };
        try (BookKeeperEngine other = new BookKeeperEngine(bookies.registry(), "other");
                CommitLog log = open(watched, fixture)) {
            fixture.append(log, 1, BODY_BYTES);
            other.recover(made.get(0)).close();

            assertThatThrownBy(() -> fixture.append(log, 2, BODY_BYTES))
                    .isInstanceOfSatisfying(
                            AppendException.class,
                            e -> assertThat(e.reason()).isEqualTo(AppendException.Reason.WRITE_FAILED));
            assertThat(log.failure())
                    .isNotInstanceOf(OwnerChangedException.class)
                    .hasMessageContaining("ledger " + made.get(0) + " is fenced");
        }
        try (CommitLog log = open(engine, fixture)) {
            fixture.append(log, 3, BODY_BYTES);
            assertThat(LogFixture.replay(log)).containsExactly(1L, 3L);
        }
    }

    @Test
    void aLogGoesOnWithoutOneOfThreeBookies() throws Exception {
        try (CommitLog log = open(engine, fixture)) {
            fixture.append(log, 1, LARGE_BYTES);
            bookies.stop(0);
            for (long number = 2; number < 6; number++) {
                fixture.append(log, number, BODY_BYTES);
            }
        }
        try (CommitLog log = open(engine, fixture)) {
            fixture.append(log, 6, LARGE_BYTES);

            assertThat(LogFixture.replay(log)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        }
    }

    @Test
    void appendsAreRefusedWhileNoLedgerCanBeMade() throws Exception {
        bookies.stop(0);
        bookies.stop(1);
        try (CommitLog log = open(engine, fixture)) {
            assertThatThrownBy(() -> LogFixture.appendOnly(log, 1, BODY_BYTES))
                    .isInstanceOfSatisfying(
                            AppendException.class,
                            e -> assertThat(e.reason()).isEqualTo(AppendException.Reason.DISK_FULL));
            assertThat(log.failure()).isNull();
            assertThat(log.counters().refusesAppends()).isTrue();
        }
    }

    @Test
    void aLogGoesOnWhileZooKeeperFails() throws Exception {
        Semaphore failed = new Semaphore(0);
        Semaphore rolled = new Semaphore(0);
        AtomicBoolean fails = new AtomicBoolean();
        Engine watched = new ForwardingEngine(engine) {
            @Override
            public Ledger create(long id) throws IOException {
                Ledger created = super.create(id);
                if (fails.get()) {
                    bookies.stopKeeper();
                }
                return created;
            }

            @Override
            public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
                try {
                    int swapped = super.swap(name, state, bytes);
                    rolled.release();
                    return swapped;
                } catch (IOException e) {
                    failed.release();
                    throw e;
                }
            }
        };
        try (CommitLog log = open(watched, fixture, LedgerLogConfig.DEFAULT.withLedgerBytes(BODY_BYTES))) {
            fixture.append(log, 1, BODY_BYTES / 2);
            fails.set(true);
            fixture.append(log, 2, BODY_BYTES);
            failed.acquire();
            fixture.append(log, 3, BODY_BYTES);
            fails.set(false);
            rolled.drainPermits();
            bookies.startKeeper();

            while (!rolled.tryAcquire(1, TimeUnit.SECONDS)) {
                log.check();
            }
            assertThat(LogFixture.replay(log)).containsExactly(1L, 2L, 3L);
            long firstLsn = log.firstLsn();
            long last = 3;
            while (log.firstLsn() == firstLsn) {
                last++;
                fixture.append(log, last, BODY_BYTES);
                log.trimBefore(log.durableLsn());
            }

            assertThat(LogFixture.replay(log)).doesNotContain(1L).endsWith(last);
        }
    }

    /**
     * As when a bookie is lost while ZooKeeper fails: the client waits for a place for its entries. The wait of a
     * checkpoint lasts as long, or the store would fail.
     */
    @Test
    void aForceLastsAsLongAsNobodyAnswers() throws Exception {
        try (BookKeeperEngine impatient = new BookKeeperEngine(bookies.registry(), "test", 1);
                CommitLog log = open(new Unanswered(impatient), fixture)) {
            Thread forcing = forceUnanswered(log);
            answer();
            forcing.join();

            assertThat(thrown.get()).isNull();
            assertThat(log.failure()).isNull();
            assertThat(log.durableLsn()).isGreaterThan(log.firstLsn());
        }
    }

    @Test
    void aForceEndsWhenTheLogWillBeClosed() throws Exception {
        try (BookKeeperEngine impatient = new BookKeeperEngine(bookies.registry(), "test", 1);
                CommitLog log = open(new Unanswered(impatient), fixture)) {
            Thread forcing = forceUnanswered(log);
            assertThat(forcing.isAlive()).isTrue();

            log.closeSoon();
            forcing.join();

            assertThat(thrown.get()).hasMessageContaining("no bookie has answered for 1 ms");
            answer();
        }
    }

    /** Returns when the thread has waited often, or has ended. */
    private Thread forceUnanswered(CommitLog log) throws Exception {
        LogGroup group = Objects.requireNonNull(log.acquireGroup());
        LogFixture.fill(group, 1, BODY_BYTES);
        log.append(group);
        Thread forcing = new Thread(() -> {
            try {
                log.force();
            } catch (IOException e) {
                thrown.set(e);
            }
        });
        forcing.start();
        while (forcing.isAlive() && waits(forcing) < MANY_WAITS) {
            Thread.onSpinWait();
        }
        return forcing;
    }

    private static long waits(Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info == null ? 0 : info.getWaitedCount();
    }

    private void answer() throws InterruptedException {
        unanswered.take().run();
    }

    /** Answers to appends come when the test takes them. */
    private final class Unanswered extends ForwardingEngine {
        Unanswered(Engine engine) {
            super(engine);
        }

        @Override
        public Ledger create(long id) throws IOException {
            Ledger ledger = super.create(id);
            return (Ledger) Proxy.newProxyInstance(
                    Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("append")) {
                            ledger.append((long) arguments[0], (ByteBuffer) arguments[1], held((Answer) arguments[2]));
                            return null;
                        }
                        return method.invoke(ledger, arguments);
                    });
        }

        private Answer held(Answer answer) {
            return new Answer() {
                @Override
                public void answered(@Nullable Throwable failure) {
                    unanswered.add(() -> answer.answered(failure));
                }

                @Override
                public void released() {
                    answer.released();
                }
            };
        }
    }

    /** The one before it died while it made the next ledger: before it was made, or before it was entered. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOwnerDeletesWhatTheOneBeforeItLeft(boolean isMade) throws Exception {
        CountDownLatch died = new CountDownLatch(1);
        List<Long> left = new ArrayList<>();
        Engine dying = new ForwardingEngine(engine) {
            @Override
            public Ledger create(long id) throws IOException {
                if (left.isEmpty()) {
                    left.add(id);
                    return super.create(id);
                }
                left.add(id);
                if (isMade) {
                    super.create(id);
                }
                died.countDown();
                throw new IOException("the process has died");
            }
        };
        CommitLog dead = open(dying, fixture, LedgerLogConfig.DEFAULT.withLedgerBytes(BODY_BYTES));
        fixture.append(dead, 1, BODY_BYTES);
        fixture.append(dead, 2, BODY_BYTES);
        died.await();

        CountDownLatch deleted = new CountDownLatch(1);
        Engine watched = new ForwardingEngine(engine) {
            @Override
            public void delete(long id) throws IOException {
                super.delete(id);
                if (id == left.get(1)) {
                    deleted.countDown();
                }
            }
        };
        try (CommitLog log = open(watched, fixture)) {
            deleted.await();
            assertThatThrownBy(() -> engine.recover(left.get(1))).hasMessageContaining("can't be opened");
            fixture.append(log, 3, BODY_BYTES);
            assertThat(LogFixture.replay(log)).containsExactly(1L, 2L, 3L);
        }
        dead.close();
    }

    @Test
    void aLedgerIsMadeAgainIfTheAnswerWasLost() throws Exception {
        long id = engine.reserve();
        engine.create(id);

        assertThat(engine.create(id).id()).isEqualTo(id);
        assertThat(engine.reserve()).isNotEqualTo(id);
    }

    @Test
    void aRecordIsReplacedOnlyIfItHasTheState() throws Exception {
        assertThat(engine.load("record")).isNull();
        assertThat(engine.swap("record", state(0, 1), bytes(1))).isEqualTo(Engine.NO_VERSION);
        assertThat(engine.swap("record", null, bytes(1))).isZero();
        assertThat(engine.swap("record", null, bytes(2))).isEqualTo(Engine.NO_VERSION);
        assertThat(engine.swap("record", state(0, 1), bytes(3))).isEqualTo(1);
        assertThat(engine.swap("record", state(0, 1), bytes(4))).isEqualTo(Engine.NO_VERSION);

        assertThat(engine.load("record")).isEqualTo(state(1, 3));
    }

    @Test
    void aStateIsNotReplacedInARecordThatWasMadeAfterIt() throws Exception {
        engine.swap("record", null, bytes(1));
        makeAgain();

        assertThat(engine.swap("record", state(0, 1), bytes(3))).isEqualTo(Engine.NO_VERSION);
        assertThat(engine.load("record")).isEqualTo(state(0, 2));
    }

    /** In the moment after the comparison, which compares more than ZooKeeper does. */
    @Test
    void aRecordThatIsMadeAgainDuringASwapIsNotReplaced() throws Exception {
        engine.swap("record", null, bytes(1));
        try (Records records = new Records(bookies.registry()) {
            @Override
            void compared() {
                makeAgain();
            }
        }) {
            assertThat(records.swap("record", state(0, 1), bytes(3))).isEqualTo(Engine.NO_VERSION);
        }
        assertThat(engine.load("record")).isEqualTo(state(0, 2));
    }

    @Test
    void aRecordIsReplacedAlthoughAnotherOneIsMadeMeanwhile() throws Exception {
        engine.swap("record", null, bytes(1));
        try (Records records = new Records(bookies.registry()) {
            @Override
            void compared() {
                assertThatCode(() -> engine.swap("other", null, bytes(2))).doesNotThrowAnyException();
            }
        }) {
            assertThat(records.swap("record", state(0, 1), bytes(3))).isEqualTo(1);
        }
    }

    /** An operator deletes the record, and another client makes it. */
    @SuppressWarnings("try") // an interrupt ends the test
    private void makeAgain() {
        try (ZooKeeper operator = new ZooKeeper(bookies.registry(), SESSION_MILLIS, event -> {})) {
            operator.delete("/rivulet/record", ANY_VERSION);
            assertThat(engine.swap("record", null, bytes(2))).isZero();
        } catch (IOException | KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Engine.Versioned state(int version, int value) {
        return new Engine.Versioned(version, bytes(value));
    }

    private static ByteBuffer bytes(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, value);
    }
}
