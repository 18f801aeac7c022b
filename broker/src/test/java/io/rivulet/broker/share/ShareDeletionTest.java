package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.store.Durability;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group is deleted while fetches use it. What they say afterwards must not bring it back. */
final class ShareDeletionTest {
    private static final String GROUP = "g";
    private static final List<RowImage> NOTHING = List.of();

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final StoreClock clock = StoreClock.system(0);
    private final FailureLatch failures = new FailureLatch();
    private final ShareGroups groups =
            new ShareGroups(1 << 20, id -> ShareGroupConfig.DEFAULT, new CoordinatorRuntime(clock, failures));

    @TempDir
    private Path directory;

    private Store open() throws Exception {
        groups.knownBy(known::contains);
        Store store = LocalStore.open(
                StoreConfig.DEFAULT.withDurability(Durability.OS),
                StoreEnvironment.local(directory, clock, failures),
                Attachments.of(List.of(groups)));
        groups.start(store);
        return store;
    }

    /** A fetch has created a row, and has not said in the log where the group begins in the queue. */
    @Test
    void aFetchThatIsUnderWayBringsNoRowBack() throws Exception {
        try (Store store = open()) {
            int queue = store.createQueues(1, 0).toCompletableFuture().get();
            known.add(GROUP);
            ShareGroup group = groups.findOrCreate(GROUP);
            synchronized (group) {
                assertThat(group.create(queue, 5)).isTrue();
            }
            known.remove(GROUP);

            CompletableFuture<Integer> deletion = groups.delete(GROUP).toCompletableFuture();
            groups.appendBegun(group, List.of(new RowImage(queue, 5, List.of())));
            deletion.get();
            groups.appendBegun(group, List.of(new RowImage(queue, 5, List.of())));

            // All that was appended before is applied when this is.
            store.appendState(ShareGroups.VIEW_ID, ShareEntryLayout.results("other", NOTHING))
                    .toCompletableFuture()
                    .get();
            assertThat(groups.find(GROUP)).isNull();
            assertThat(groups.hasRows(GROUP)).isFalse();
        }
    }

    @Test
    void aFetchCreatesNoGroupThatIsDeleted() throws Exception {
        try (Store store = open()) {
            int queue = store.createQueues(1, 0).toCompletableFuture().get();
            known.add(GROUP);
            ShareGroup group = Objects.requireNonNull(groups.findOrCreateKnown(GROUP));
            synchronized (group) {
                assertThat(group.create(queue, 5)).isTrue();
            }
            known.remove(GROUP);
            groups.delete(GROUP).toCompletableFuture().get();

            assertThat(groups.findOrCreateKnown(GROUP)).isNull();

            known.add(GROUP);
            ShareGroup next = Objects.requireNonNull(groups.findOrCreateKnown(GROUP));
            assertThat(next.isClosing()).isFalse();
        }
    }
}
