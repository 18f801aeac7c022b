package io.rivulet.it;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Brokers inside the test, on a free port of the loopback interface. */
public final class TestBroker {
    private TestBroker() {}

    public static Broker start(Path directory) throws IOException {
        return start(directory, Map.of());
    }

    public static Broker start(Path directory, Map<String, String> properties) throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("listeners", "PLAINTEXT://localhost:0");
        all.put("log.dirs", directory.toString());
        all.put("rivulet.tail.bytes", String.valueOf(32 << 20));
        all.put("rivulet.cache.bytes", String.valueOf(4 << 20));
        all.putAll(properties);
        return Broker.start(BrokerConfig.of(all), new FailureLatch());
    }
}
