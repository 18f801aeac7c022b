package io.rivulet.broker.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.environment.Threads;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadPoolTest {
    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();

    @Test
    void aFailureOfATaskIsPassedToItsCaller() throws Exception {
        CompletableFuture<RuntimeException> told = new CompletableFuture<>();
        IllegalStateException thrown = new IllegalStateException("a bug");
        try (Store store = open();
                ReadPool pool = new ReadPool(store, 1, failures)) {
            boolean taken = pool.read(
                    reader -> {
                        throw thrown;
                    },
                    told::complete);

            assertThat(taken).isTrue();
            assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(thrown);
            assertThat(failures.isSet()).isFalse();
        }
    }

    @Test
    void anErrorIsAFailureOfTheBroker() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        failures.onFailure(() -> told.complete(failures.cause()));
        StackOverflowError thrown = new StackOverflowError("on order");
        try (Store store = open();
                ReadPool pool = new ReadPool(store, 1, failures)) {
            boolean taken = pool.read(
                    reader -> {
                        throw thrown;
                    },
                    e -> {});

            assertThat(taken).isTrue();
            assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(thrown);
        }
    }

    @Test
    void aThreadThatMayHaveTheLockOfAShareGroupHasTheNormalPriority() throws Exception {
        CompletableFuture<Integer> priority = new CompletableFuture<>();
        try (Store store = open();
                ReadPool pool = ReadPool.ofShareGroups(store, 1, failures, Threads.OWN)) {
            assertThat(pool.read(
                            reader -> priority.complete(Thread.currentThread().getPriority()), e -> {}))
                    .isTrue();

            assertThat(priority.get(30, TimeUnit.SECONDS)).isEqualTo(Thread.NORM_PRIORITY);
        }
    }

    private Store open() throws Exception {
        return LocalStore.open(StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of()));
    }
}
