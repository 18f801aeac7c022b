package org.apache.kafka.common.test;

import io.rivulet.it.suites.BrokerViews;
import io.rivulet.it.suites.RivuletCluster;
import io.rivulet.it.suites.UsesInternals;
import java.util.HashMap;
import java.util.Map;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * Starts Rivulet for the embedded clusters in the tests of Streams, Connect and MirrorMaker. Kafka's class of this name
 * starts Kafka. Owned by: the thread of the test.
 */
public final class KafkaClusterTestKit implements AutoCloseable {
    private final MockFaultHandler fatalFaults = new MockFaultHandler("fatal");
    private final MockFaultHandler otherFaults = new MockFaultHandler("other");
    private final TestKitNodes nodes;
    private final RivuletCluster cluster;
    private final Map<Integer, BrokerServer> brokers;

    private KafkaClusterTestKit(TestKitNodes nodes, Map<String, Object> properties) {
        this.nodes = nodes;
        Map<String, Object> all = new HashMap<>(properties);
        nodes.brokerNodes().values().stream().findFirst().ifPresent(node -> all.putAll(node.propertyOverrides()));
        cluster = new RivuletCluster(nodes.brokerNodes().size(), all);
        brokers = BrokerViews.brokers(cluster);
    }

    /** Has the methods that tests call. Owned by: the thread of the test. */
    public static final class Builder {
        private final TestKitNodes nodes;
        private final Map<String, Object> properties = new HashMap<>();

        public Builder(TestKitNodes nodes) {
            this.nodes = nodes;
        }

        public Builder setConfigProp(String key, Object value) {
            properties.put(key, value);
            return this;
        }

        public Builder setStandalone(boolean standalone) {
            return this;
        }

        public Builder setInitialVoterSet(Map<Integer, Uuid> voters) {
            return this;
        }

        public Builder setDeleteOnClose(boolean delete) {
            return this;
        }

        public KafkaClusterTestKit build() {
            return new KafkaClusterTestKit(nodes, properties);
        }
    }

    public void format() {
        // Rivulet formats an empty directory when it starts.
    }

    public void startup() {
        cluster.start();
    }

    public void waitForReadyBrokers() {
        // A process that has started is ready.
    }

    public Admin admin() {
        return admin(Map.of());
    }

    public Admin admin(Map<String, Object> configs) {
        return admin(configs, false);
    }

    public Admin admin(Map<String, Object> configs, boolean usingControllers) {
        if (usingControllers) {
            throw new UsesInternals("the listener of a controller");
        }
        Map<String, Object> all = new HashMap<>(configs);
        all.putIfAbsent("bootstrap.servers", bootstrapServers());
        return Admin.create(all);
    }

    public String bootstrapServers() {
        return cluster.bootstrapServers();
    }

    @SuppressWarnings("DoNotCallSuggester")
    public String bootstrapControllers() {
        throw new UsesInternals("the listener of a controller");
    }

    public Map<Integer, ControllerServer> controllers() {
        return Map.of(BrokerViews.CONTROLLER, BrokerViews.controller(cluster));
    }

    public Map<Integer, BrokerServer> brokers() {
        return brokers;
    }

    public TestKitNodes nodes() {
        return nodes;
    }

    public MockFaultHandler fatalFaultHandler() {
        return fatalFaults;
    }

    public MockFaultHandler nonFatalFaultHandler() {
        return otherFaults;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
