package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.DeadLetterConfig;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareOffsetReset;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many results are on their way to the log at a time. */
final class ShareEntriesTest {
    private static final int RUNS = 2 * ShareEntryLayout.FULL_PARTS + 100;
    private static final Limits LIMITS = new Limits(5, 100, TimeUnit.MILLISECONDS.toNanos(1), true);
    private static final ShareGroupConfig CONFIG = new ShareGroupConfig(
            45_000, 5_000, 0, 1, 5, 100, ShareOffsetReset.EARLIEST, false, true, DeadLetterConfig.NONE);

    /** An entry on its way. */
    private record Append(ByteBuffer entry, CompletableFuture<Integer> stored) {}

    private final BlockingQueue<Append> appends = new LinkedBlockingQueue<>();
    private final CoordinatorRuntime runtime = new CoordinatorRuntime(StoreClock.system(0), new FailureLatch());

    private ShareGroups groups(long maxBytes) {
        ShareGroups made = new ShareGroups(maxBytes, id -> CONFIG, runtime);
        made.start((Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("exists")) {
                        return true;
                    }
                    assertThat(method.getName()).isEqualTo("appendState");
                    CompletableFuture<Integer> stored = new CompletableFuture<>();
                    appends.add(new Append((ByteBuffer) arguments[1], stored));
                    return stored;
                }));
        return made;
    }

    @BeforeEach
    void start() {
        runtime.start(() -> {});
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void whatAMemberHadIsReleasedEntryByEntry() throws Exception {
        ShareGroups groups = groups(Long.MAX_VALUE);
        ShareGroup group = acquire(groups, RUNS);
        long before = groups.bytes();
        CompletableFuture<Boolean> done = new CompletableFuture<>();

        groups.release("g", "m", failure -> done.complete(failure == null));

        assertThat(groups.bytes()).as("with the results").isEqualTo(before + (long) RUNS * Results.HEAP_BYTES);
        int left = RUNS;
        while (left > 0) {
            assertThat(done).isNotDone();
            left -= store(groups);
        }
        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(group.lockCount()).isZero();
        assertThat(groups.bytes()).isEqualTo(before);
    }

    @Test
    void whatHasExpiredIsReleasedEntryByEntry() throws Exception {
        ShareGroups groups = groups(Long.MAX_VALUE);
        ShareGroup group = acquire(groups, RUNS);
        synchronized (group) {
            groups.watch(group);
        }
        int left = RUNS;
        while (left > 0) {
            left -= store(groups);
        }
        assertThat(group.lockCount()).isZero();
    }

    @Test
    void anAcknowledgementHasNoRoomWhileOthersAreOnTheirWay() throws Exception {
        ShareGroups groups = groups(1 << 20);
        int runs = 4000;
        ShareGroup group = acquire(groups, runs);
        long free = (1 << 20) - groups.bytes();
        int acknowledged = 0;
        synchronized (group) {
            Results results = new Results();
            while (acknowledged < runs && acknowledge(group, acknowledged, results) == ErrorCode.NONE) {
                acknowledged++;
            }
            assertThat((long) acknowledged * Results.HEAP_BYTES).isBetween(free / 2, free);
            assertThat(acknowledge(group, acknowledged, results)).isEqualTo(ErrorCode.POLICY_VIOLATION);
            groups.append(group, results, failure -> {});
        }

        assertThat(store(groups)).isEqualTo(acknowledged);

        synchronized (group) {
            assertThat(acknowledge(group, acknowledged, new Results())).isEqualTo(ErrorCode.NONE);
        }
    }

    private static ErrorCode acknowledge(ShareGroup group, int queueId, Results results) {
        return group.acknowledge(queueId, "m", List.of(new AckBatch(0, 0, AckType.ACCEPT)), LIMITS, 0, results);
    }

    /** A record of each queue. */
    private static ShareGroup acquire(ShareGroups groups, int count) {
        ShareGroup group = groups.findOrCreate("g");
        Spans read = new Spans();
        read.add(0, 0);
        synchronized (group) {
            for (int queueId = 0; queueId < count; queueId++) {
                assertThat(group.create(queueId, 0)).isTrue();
                Claim claim = Objects.requireNonNull(group.claim(queueId, 0, 1, 1, LIMITS, new NoWaiter(), 0));
                assertThat(group.acquire(claim, read, 1, 1, 1, "m", groups.nanos() + LIMITS.lockNanos()))
                        .hasSize(1);
                group.unclaim(claim, 1, LIMITS, new NoWaiter(), 0);
            }
        }
        return group;
    }

    /** The log has the only entry that is on its way. Returns the number of rows in it. */
    private int store(ShareGroups groups) throws Exception {
        Append append = Objects.requireNonNull(appends.poll(10, TimeUnit.SECONDS));
        CompletableFuture<Boolean> settled = new CompletableFuture<>();
        runtime.deliver(() -> runtime.deliver(() -> settled.complete(appends.isEmpty())));
        assertThat(settled.get(10, TimeUnit.SECONDS)).as("one entry at a time").isTrue();
        int rows = append.entry.getInt(append.entry.position() + 1 + Short.BYTES + "g".length());
        assertThat(rows).isLessThanOrEqualTo(ShareEntryLayout.FULL_PARTS);
        groups.apply(0, append.entry.duplicate());
        append.stored.complete(1);
        return rows;
    }
}
