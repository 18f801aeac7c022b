package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.environment.Repeated;
import io.rivulet.broker.environment.Repeater;
import io.rivulet.broker.environment.Threads;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint asks the coordinator thread for its state, and gets it until the store is closed. */
@Timeout(60)
final class CheckpointAtCloseTest {
    @TempDir
    private Path directory;

    private final FailureLatch failures = new FailureLatch();
    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Broker> running = new CompletableFuture<>();
    private @Nullable Store store;

    @Test
    void aCheckpointThatIsUnderWayWhileTheBrokerClosesIsCompleted() throws Exception {
        BrokerConfig config =
                BrokerConfig.of(Map.of("listeners", "PLAINTEXT://localhost:0", "log.dirs", directory.toString()));
        Broker broker = Broker.start(config, environment(BrokerEnvironment.local(config, failures)));
        running.complete(broker);
        CompletableFuture<Void> swept = Objects.requireNonNull(store).sweepEverything();
        asked.join(); // by the checkpoint of the sweep

        broker.close();

        assertThat(failures.cause()).isNull();
        assertThat(swept).isDone();
    }

    private BrokerEnvironment environment(BrokerEnvironment machine) {
        Environment rooms = new Environment(
                machine.rooms().clock(),
                failures,
                new Waiting(),
                machine.rooms().ids());
        BrokerEnvironment.Disks disks = new BrokerEnvironment.Disks() {
            @Override
            public void prepare(BrokerConfig config) throws IOException {
                machine.disks().prepare(config);
            }

            @Override
            public Store open(BrokerConfig config, Attachments attachments) throws IOException {
                store = machine.disks().open(config, attachments);
                return store;
            }
        };
        return new BrokerEnvironment(rooms, disks, machine.network());
    }

    /** The threads of the machine; a question for the coordinators waits until the store is being closed. */
    private final class Waiting implements Threads {
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
            Broker broker = running.getNow(null);
            if (broker != null) {
                asked.complete(null);
                while (!broker.closing().equals("LocalStore")) {
                    Thread.onSpinWait();
                }
            }
            return OWN.await(result, millis);
        }
    }
}
