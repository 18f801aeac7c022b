package io.rivulet.bench.versus;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;

/** Creates topics through Kafka's own Admin client. Stateless. */
final class Topics {
    /** Kafka's controller takes no more in one request. */
    private static final int PARTITIONS_AT_ONCE = 10_000;

    private static final int TIMEOUT_MILLIS = 120_000;

    private Topics() {}

    /**
     * One topic with so many partitions.
     *
     * @return the seconds that it took
     */
    static double create(RunningBroker broker, Subject subject, String topic, int partitions)
            throws BrokerFailedException {
        long startNanos = System.nanoTime();
        try (Admin admin = Admin.create(settings(broker))) {
            int atOnce = subject == Subject.KAFKA ? PARTITIONS_AT_ONCE : Integer.MAX_VALUE;
            int first = Math.min(partitions, atOnce);
            admin.createTopics(List.of(new NewTopic(topic, first, (short) 1)))
                    .all()
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            for (int have = first; have < partitions; ) {
                have = Math.min(partitions, have + atOnce);
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(have)))
                        .all()
                        .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokerFailedException("can't create " + partitions + " partitions: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** The settings of a client of this broker, whose own patience is not what is measured. */
    static Map<String, Object> settings(RunningBroker broker) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", "localhost:" + broker.port());
        settings.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        settings.put("request.timeout.ms", TIMEOUT_MILLIS);
        return settings;
    }
}
