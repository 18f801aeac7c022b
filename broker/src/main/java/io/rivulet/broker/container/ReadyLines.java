package io.rivulet.broker.container;

/**
 * The lines that Kafka prints when it serves clients, word for word. Testcontainers waits for the first or the second
 * line; older modules wait for the third.
 */
public final class ReadyLines {
    private ReadyLines() {}

    public static String[] of(int nodeId) {
        return new String[] {
            "[BrokerLifecycleManager id=" + nodeId
                    + "] The broker has been unfenced. Transitioning from RECOVERY to RUNNING.",
            "[KafkaRaftServer nodeId=" + nodeId + "] Kafka Server started",
            "[KafkaServer id=" + nodeId + "] started",
        };
    }
}
