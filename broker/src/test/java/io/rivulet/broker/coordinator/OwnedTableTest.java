package io.rivulet.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.broker.environment.Repeated;
import io.rivulet.broker.environment.Repeater;
import io.rivulet.broker.environment.Threads;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A checkpoint asks the coordinator thread at any moment of its life. */
@Timeout(30)
final class OwnedTableTest {
    private final FailureLatch failures = new FailureLatch();
    /** What happens while a question waits; each is a wait in vain. */
    private final Queue<Runnable> meanwhile = new ArrayDeque<>();

    private final CoordinatorRuntime runtime = new CoordinatorRuntime(
            new Environment(StoreClock.system(0), failures, new Meanwhile(), RandomIds.OF_THE_MACHINE));
    private final OwnedTable table = runtime.ownedTable(entry -> {});

    @Test
    void aQuestionBeforeTheThreadHasStartedWaitsForIt() throws IOException {
        table.goLive();
        meanwhile.add(() -> {});
        meanwhile.add(() -> runtime.start(() -> {}));

        assertThat(table.ask(() -> "answer")).isEqualTo("answer");

        runtime.close();
        assertThat(failures.isSet()).isFalse();
    }

    @Test
    void aQuestionThatIsAnsweredWhileTheThreadEndsHasItsAnswer() throws IOException {
        table.goLive();
        meanwhile.add(() -> {
            runtime.start(() -> {});
            runtime.close();
        });

        assertThat(table.ask(() -> "answer")).isEqualTo("answer");
    }

    @Test
    void aQuestionAfterTheThreadHasEndedFails() {
        table.goLive();
        runtime.start(() -> {});
        runtime.close();

        assertThatThrownBy(() -> table.ask(() -> "answer")).hasMessageContaining("has ended");
    }

    /** The threads of the machine, but something happens while a question waits. */
    private final class Meanwhile implements Threads {
        @Override
        public ExecutorService executor(String name, FailureLatch latch, Supplier<ExecutorService> own) {
            return OWN.executor(name, latch, own);
        }

        @Override
        public Repeater repeater(String name, FailureLatch latch, Repeated work) {
            return OWN.repeater(name, latch, work);
        }

        @Override
        public boolean await(CompletableFuture<?> result, long millis) throws InterruptedException {
            Runnable next = meanwhile.poll();
            if (next == null) {
                return OWN.await(result, millis);
            }
            next.run();
            return false;
        }
    }
}
