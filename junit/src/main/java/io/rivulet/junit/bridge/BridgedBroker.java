package io.rivulet.junit.bridge;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.junit.RivuletBroker;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A running broker as tests see it. */
record BridgedBroker(EmbeddedBroker broker) implements RivuletBroker {
    @Override
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    @Override
    public Map<String, Object> clientSettings() {
        return broker.clientSettings();
    }

    @Override
    public Map<String, Object> clientSettings(String user) {
        return broker.clientSettings(user);
    }

    @Override
    public void createTopic(String name, int partitions) {
        broker.createTopic(name, partitions);
    }

    @Override
    public void createTopics(String topics) {
        broker.createTopics(topics);
    }

    @Override
    public Path certificate() {
        return broker.certificate();
    }

    @Override
    public String httpAddress() {
        return broker.httpAddress();
    }

    @Override
    public @Nullable Throwable failure() {
        return broker.failure();
    }

    @Override
    public void close() {
        broker.close();
    }

    @Override
    public String toString() {
        return "RivuletBroker[" + bootstrapServers() + "]";
    }
}
