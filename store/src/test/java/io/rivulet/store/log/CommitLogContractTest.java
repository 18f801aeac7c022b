package io.rivulet.store.log;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static io.rivulet.store.log.LogFixture.check;
import static io.rivulet.store.log.LogFixture.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every commit log, for any implementation. Its files, or what it has instead, hold few groups. */
@Timeout(600)
public abstract class CommitLogContractTest {
    protected static final int BODY_BYTES = 3000;

    protected final LogFixture fixture = new LogFixture();
    protected CommitLog log = unopened();

    /** Opens the same log each time within one test. */
    protected abstract CommitLog open(LogConfig config, Runnable wakeUp) throws IOException;

    private static CommitLog unopened() {
        return (CommitLog) java.lang.reflect.Proxy.newProxyInstance(
                CommitLog.class.getClassLoader(), new Class<?>[] {CommitLog.class}, (proxy, method, arguments) -> null);
    }

    @BeforeEach
    void openLog() throws IOException {
        log = open(LogFixture.SMALL, fixture);
    }

    @AfterEach
    void closeLog() throws IOException {
        log.close();
    }

    private void reopen() throws IOException {
        log.close();
        openLog();
    }

    protected final List<Long> appendNumbers(long from, long to) throws AppendException {
        List<Long> lsns = new ArrayList<>();
        for (long number = from; number < to; number++) {
            lsns.add(fixture.append(log, number, BODY_BYTES));
        }
        return lsns;
    }

    protected static List<Long> numbers(long from, long to) {
        List<Long> numbers = new ArrayList<>();
        for (long number = from; number < to; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    @Test
    void anAppendedGroupBecomesDurableAndIsReplayed() throws Exception {
        long lsn = fixture.append(log, 7, 100);

        assertThat(log.durableLsn()).isGreaterThan(lsn);
        assertThat(replay(log)).containsExactly(7L);
    }

    @Test
    void groupsAreReplayedInOrder() throws Exception {
        appendNumbers(0, 100);

        assertThat(replay(log)).isEqualTo(numbers(0, 100));
    }

    @Test
    void groupsAreReplayedInOrderAfterReopening() throws Exception {
        appendNumbers(0, 50);
        reopen();
        appendNumbers(50, 100);
        reopen();

        assertThat(replay(log)).isEqualTo(numbers(0, 100));
    }

    @Test
    void lsnsGrowAndWatermarksAreAfterThem() throws Exception {
        List<Long> lsns = appendNumbers(0, 40);

        assertThat(lsns).isSorted().doesNotHaveDuplicates();
        assertThat(log.writtenLsn()).isGreaterThan(lsns.get(39));
        assertThat(log.durableLsn()).isEqualTo(log.writtenLsn());
    }

    @Test
    void groupsWrittenWhileOthersAreInFlightBecomeDurableInOrder() throws Exception {
        long first = appendOnly(log, 1, BODY_BYTES);
        long second = appendOnly(log, 2, BODY_BYTES);
        long third = appendOnly(log, 3, BODY_BYTES);
        fixture.awaitDurable(log, third);

        assertThat(List.of(
                        LogFixture.outcome(log, first),
                        LogFixture.outcome(log, second),
                        LogFixture.outcome(log, third)))
                .containsOnly(AppendOutcome.DURABLE);
        assertThat(replay(log)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void replayStartsAtAnyGroup() throws Exception {
        List<Long> lsns = appendNumbers(0, 40);

        for (int i = 0; i < 40; i++) {
            assertThat(replay(log, lsns.get(i))).isEqualTo(numbers(i, 40));
        }
    }

    @Test
    void replayStartsAtAnyWatermark() throws Exception {
        for (long number = 0; number < 40; number++) {
            long watermark = log.writtenLsn();
            fixture.append(log, number, BODY_BYTES);

            assertThat(replay(log, watermark)).containsExactly(number);
        }
    }

    @Test
    void replayFromTheEndShowsNothing() throws Exception {
        appendNumbers(0, 3);

        assertThat(replay(log, log.writtenLsn())).isEmpty();
    }

    @Test
    void partsOfABodyAreReadByTheirIndex() throws Exception {
        List<Long> lsns = appendNumbers(0, 30);
        ByteBuffer target = ByteBuffer.allocate(200);

        for (int i = 0; i < 30; i++) {
            log.read(lsns.get(i), 1000, 150, target.clear());
            assertThat(target.flip()).isEqualTo(LogFixture.body(i, BODY_BYTES).slice(1000, 150));
        }
    }

    @Test
    void bytesBehindTheEndAreNotRead() throws Exception {
        long lsn = fixture.append(log, 1, BODY_BYTES);

        assertThatThrownBy(() -> log.read(lsn, 2 * BODY_BYTES, 100, ByteBuffer.allocate(100)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGroupMayBeFilledToTheLastByte() throws Exception {
        LogGroup group = acquired();
        int all = group.body().remaining();
        LogFixture.fill(group, 5, all);
        long lsn = log.append(group);
        fixture.awaitDurable(log, lsn);

        assertThat(replay(log)).containsExactly(5L);
    }

    @Test
    void everyBodyLengthComesBackAsItWas() throws Exception {
        for (int bodyBytes = Long.BYTES; bodyBytes < 80; bodyBytes++) {
            fixture.append(log, bodyBytes, bodyBytes);
        }

        List<Integer> lengths = new ArrayList<>();
        log.replay(log.firstLsn(), group -> lengths.add(group.body().remaining()));
        assertThat(lengths).hasSize(72).startsWith(8, 9, 10).endsWith(78, 79);
    }

    @Test
    void thereAreNoMoreGroupsThanConfigured() {
        List<LogGroup> taken = new ArrayList<>();
        for (int i = 0; i < LogFixture.SMALL.groupCount(); i++) {
            taken.add(acquired());
        }

        assertThat(log.acquireGroup()).isNull();
        log.releaseGroup(taken.get(0));
        assertThat(log.acquireGroup()).isNotNull();
    }

    @Test
    void aReleasedGroupComesBackEmpty() throws Exception {
        LogGroup group = acquired();
        LogFixture.fill(group, 1, 100);
        LogFixture.appendWritten(log, group);
        log.releaseGroup(group);

        LogGroup again = acquired();
        assertThat(again.isEmpty()).isTrue();
        assertThat(again.entryCount()).isZero();
    }

    @Test
    void aGroupIsAppendedOnceOnly() throws Exception {
        LogGroup group = acquired();
        LogFixture.fill(group, 1, 100);
        log.append(group);

        assertThatThrownBy(() -> log.append(group)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theEpochGrowsAndTheStoreIdStaysWithEachOpening() throws Exception {
        long epoch = log.epoch();
        long storeId = log.storeId();
        reopen();
        reopen();

        assertThat(log.epoch()).isGreaterThan(epoch + 1);
        assertThat(log.storeId()).isEqualTo(storeId);
    }

    @Test
    void groupsKeepTheEpochTheyWereWrittenIn() throws Exception {
        long before = log.epoch();
        fixture.append(log, 1, 100);
        reopen();
        fixture.append(log, 2, 100);

        List<Long> epochs = new ArrayList<>();
        log.replay(log.firstLsn(), group -> epochs.add(group.epoch()));
        assertThat(epochs).containsExactly(before, log.epoch());
    }

    @Test
    void aClosedLogRefusesAppends() throws Exception {
        LogGroup group = acquired();
        LogFixture.fill(group, 1, 100);
        log.close();

        assertThatThrownBy(() -> log.append(group))
                .isInstanceOfSatisfying(
                        AppendException.class, e -> assertThat(e.reason()).isEqualTo(AppendException.Reason.CLOSED));
    }

    @Test
    void trimmedGroupsAreGoneAndTheOthersStay() throws Exception {
        List<Long> lsns = appendNumbers(0, 60);
        log.trimBefore(lsns.get(50));

        assertThat(log.firstLsn()).isGreaterThan(lsns.get(0)).isLessThanOrEqualTo(lsns.get(50));
        assertThatThrownBy(() -> replay(log, lsns.get(0))).isInstanceOf(TrimmedException.class);
        assertThatThrownBy(() -> log.read(lsns.get(0), 0, 8, ByteBuffer.allocate(8)))
                .isInstanceOf(TrimmedException.class);
        assertThat(replay(log, lsns.get(50))).isEqualTo(numbers(50, 60));
    }

    @Test
    void trimmingGoesOnWhileGroupsAreAppended() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<Long> lsns = appendNumbers(round * 20L, round * 20L + 20);
            log.trimBefore(lsns.get(10));
            assertThat(replay(log, lsns.get(10))).isEqualTo(numbers(round * 20L + 10, round * 20L + 20));
        }
        reopen();
        assertThat(replay(log)).endsWith(398L, 399L);
    }

    @Test
    void trimmingTakesSpaceBack() throws Exception {
        appendNumbers(0, 60);
        long before = log.sizeBytes();
        log.trimBefore(log.writtenLsn());
        reopen();

        assertThat(log.sizeBytes()).isLessThan(before);
    }

    @Test
    void theLogCanBeTrimmedToItsEndAndContinues() throws Exception {
        appendNumbers(0, 60);
        log.trimBefore(log.writtenLsn());
        reopen();
        long watermark = log.writtenLsn();
        appendNumbers(60, 70);

        assertThat(replay(log, watermark)).isEqualTo(numbers(60, 70));
    }

    @Test
    void aReplayFinishesThoughItsGroupsAreTrimmedMeanwhile() throws Exception {
        appendNumbers(0, 60);
        List<Long> seen = new ArrayList<>();

        log.replay(log.firstLsn(), group -> {
            log.trimBefore(log.writtenLsn());
            seen.add(check(group));
        });

        assertThat(seen).isEqualTo(numbers(0, 60));
    }

    @Test
    void forceMakesDurableWhatIsWritten() throws Exception {
        log.close();
        log = open(LogFixture.SMALL.withDurability(Durability.OS), fixture);
        long lsn = appendOnly(log, 1, 100);
        log.force();

        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.DURABLE);
        assertThat(log.counters().forces()).isPositive();
    }

    @Test
    void withoutForcingAGroupIsAsGoodAsDurableOnceWritten() throws Exception {
        log.close();
        log = open(LogFixture.SMALL.withDurability(Durability.NONE), fixture);
        for (long number = 0; number < 30; number++) {
            assertThat(LogFixture.outcome(log, appendOnly(log, number, BODY_BYTES)))
                    .isEqualTo(AppendOutcome.DURABLE);
        }
        reopen();

        assertThat(replay(log)).isEqualTo(numbers(0, 30));
    }

    @Test
    void groupsOfAllSizesFollowWhenTheConfigurationChanges() throws Exception {
        appendNumbers(0, 20);
        log.close();
        log = open(LogConfig.DEFAULT.withGroups(2, 64 << 10), fixture);
        for (long number = 20; number < 40; number++) {
            fixture.append(log, number, 60_000);
        }
        reopen();
        appendNumbers(40, 60);

        assertThat(replay(log)).isEqualTo(numbers(0, 60));
    }

    @Test
    void countersSayWhatWasDone() throws Exception {
        appendNumbers(0, 10);

        assertThat(log.counters().groups()).isEqualTo(10);
        assertThat(log.counters().writtenBytes()).isGreaterThan(10L * BODY_BYTES);
        assertThat(log.counters().forces()).isPositive();
        assertThat(log.counters().forceNanos()).isPositive();
    }

    @Test
    void aSnapshotIsLoadedAsItWasSaved() throws Exception {
        log.saveSnapshot("queues", out -> out.write(utf8("first")));
        log.saveSnapshot("queues", out -> out.write(utf8("second")));
        log.saveSnapshot("groups", out -> out.write(utf8("other")));
        reopen();

        assertThat(load("queues")).isEqualTo("second");
        assertThat(load("groups")).isEqualTo("other");
        assertThat(log.snapshots()).containsExactly("groups", "queues");
    }

    @Test
    void aSnapshotMayBeEmpty() throws Exception {
        log.saveSnapshot("empty", out -> {});

        assertThat(load("empty")).isEmpty();
    }

    @Test
    void aLargeSnapshotPassesThroughInParts() throws Exception {
        byte[] part = new byte[100_003];
        int parts = 50;
        log.saveSnapshot("large", out -> {
            for (int i = 0; i < parts; i++) {
                part[0] = (byte) i;
                out.write(ByteBuffer.wrap(part));
            }
        });

        log.loadSnapshot("large", in -> {
            var stream = Channels.newInputStream(in);
            for (int i = 0; i < parts; i++) {
                part[0] = (byte) i;
                assertThat(stream.readNBytes(part.length)).isEqualTo(part);
            }
            assertThat(stream.read()).isNegative();
        });
    }

    @Test
    void aSnapshotThatIsNotThereIsNotLoaded() throws Exception {
        assertThat(load("absent")).isNull();
    }

    @Test
    void aDeletedSnapshotIsGone() throws Exception {
        log.saveSnapshot("queues", out -> out.write(utf8("x")));
        log.deleteSnapshot("queues");

        assertThat(load("queues")).isNull();
        assertThat(log.snapshots()).isEmpty();
    }

    @Test
    void aSnapshotWhoseWriterFailsChangesNothing() throws Exception {
        log.saveSnapshot("queues", out -> out.write(utf8("good")));

        assertThatThrownBy(() -> log.saveSnapshot("queues", out -> {
                    out.write(utf8("bad"));
                    throw new IOException("gave up");
                }))
                .hasMessage("gave up");
        assertThat(load("queues")).isEqualTo("good");
    }

    private @Nullable String load(String name) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        boolean found = log.loadSnapshot(name, in -> Channels.newInputStream(in).transferTo(all));
        return found ? all.toString(StandardCharsets.UTF_8) : null;
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private LogGroup acquired() {
        LogGroup group = log.acquireGroup();
        if (group == null) {
            throw new IllegalStateException("no group is free");
        }
        return group;
    }
}
