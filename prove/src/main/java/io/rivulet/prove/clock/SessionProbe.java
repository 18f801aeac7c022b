package io.rivulet.prove.clock;

import io.rivulet.prove.load.Clients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/** A static member that ends without a word is removed when its session is over. */
final class SessionProbe extends Probe {
    private static final String GROUP = "sessions";
    private static final Duration POLL = Duration.ofMillis(50);

    private final int port;
    private final int timeoutMillis;

    SessionProbe(int port, int timeoutMillis, Promise promise) {
        super("a session of " + timeoutMillis + " ms", promise);
        this.port = port;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    @Nullable
    String run() throws Exception {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()))) {
            KafkaConsumer<String, String> consumer = Clients.consumer(
                    port,
                    Map.of(
                            "group.id",
                            GROUP,
                            "group.instance.id",
                            "static",
                            "enable.auto.commit",
                            false,
                            "session.timeout.ms",
                            timeoutMillis,
                            "heartbeat.interval.ms",
                            timeoutMillis / 10));
            try (consumer) {
                consumer.subscribe(List.of("clock"));
                awaitBeginning(() -> {
                    consumer.poll(POLL);
                    return !consumer.assignment().isEmpty();
                });
            }
            long endNanos = System.nanoTime();
            return await(endNanos, endNanos, () -> !hasMember(admin));
        }
    }

    /** A group without members and offsets is soon forgotten. */
    private static boolean hasMember(Admin admin) throws InterruptedException, ExecutionException {
        try {
            return admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
                    .anyMatch(group -> !group.members().isEmpty());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return false;
            }
            throw e;
        }
    }
}
