package io.rivulet.store.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckedFutureTest {
    private final FailureLatch failures = new FailureLatch();
    private final CompletableFuture<Integer> future = new CheckedFuture<>();

    /** Completes it as the log writer does, on a thread of the store. */
    private void completeOnAThread() throws InterruptedException {
        Thread thread = failures.thread("log-writer", () -> future.complete(1));
        thread.start();
        thread.join();
    }

    static Stream<Function<CompletableFuture<Integer>, CompletableFuture<?>>> callbacks() {
        return Stream.of(
                it -> it.whenComplete((result, failure) -> fail()),
                it -> it.handle((result, failure) -> fail()),
                it -> it.thenApply(result -> fail()),
                it -> it.thenCompose(result -> CompletableFuture.completedFuture(fail())),
                it -> it.thenComposeAsync(result -> CompletableFuture.completedFuture(fail()), Runnable::run));
    }

    private static int fail() {
        throw new StackOverflowError("on order");
    }

    @ParameterizedTest
    @MethodSource("callbacks")
    void anErrorInACallbackIsAFailure(Function<CompletableFuture<Integer>, CompletableFuture<?>> callback)
            throws Exception {
        CompletableFuture<?> unused = callback.apply(future);

        completeOnAThread();

        assertThat(failures.cause()).isInstanceOf(StackOverflowError.class);
        assertThat(failures.failedThread()).isEqualTo("log-writer");
    }

    @ParameterizedTest
    @MethodSource("callbacks")
    void anErrorInADerivedFutureIsAFailureToo(Function<CompletableFuture<Integer>, CompletableFuture<?>> callback)
            throws Exception {
        CompletableFuture<?> unused = callback.apply(future.thenApply(result -> result + 1)
                .thenCompose(CompletableFuture::completedFuture)
                .handle((result, failure) -> result));

        completeOnAThread();

        assertThat(failures.cause()).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void anExceptionIsAResult() throws Exception {
        CompletableFuture<Integer> derived = future.thenApply(result -> {
            throw new IllegalArgumentException("no");
        });

        completeOnAThread();

        assertThat(failures.isSet()).isFalse();
        assertThat(derived).isCompletedExceptionally();
    }

    @Test
    void anExceptionOfTheLastCallbackIsAFailure() throws Exception {
        CompletableFuture<Integer> unused = future.whenComplete((result, failure) -> {
            throw new IllegalStateException("a bug");
        });

        completeOnAThread();

        assertThat(failures.cause()).isInstanceOf(IllegalStateException.class);
    }
}
