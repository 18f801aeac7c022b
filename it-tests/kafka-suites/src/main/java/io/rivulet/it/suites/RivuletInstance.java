package io.rivulet.it.suites;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaBroker;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.test.ClusterInstance;
import org.apache.kafka.common.test.api.ClusterConfig;
import org.apache.kafka.common.test.api.Type;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.apache.kafka.test.TestUtils;

/** What tests with {@code @ClusterTest} get as their cluster. Owned by: the thread of the test. */
public final class RivuletInstance implements ClusterInstance {
    private final ClusterConfig config;
    private final RivuletCluster cluster;
    private final Map<Integer, BrokerServer> brokers;
    private boolean started;
    private boolean stopped;

    public RivuletInstance(ClusterConfig config) {
        this.config = config;
        Map<String, String> properties = new HashMap<>(config.serverProperties());
        properties.putAll(config.perServerOverrideProperties().getOrDefault(0, Map.of()));
        // A cluster that was formatted without the feature serves only the classic protocol.
        if (Short.valueOf((short) 0).equals(config.features().get(Feature.GROUP_VERSION))) {
            properties.put("group.coordinator.rebalance.protocols", "classic");
        } else if (Short.valueOf((short) 0).equals(config.features().get(Feature.STREAMS_VERSION))) {
            properties.put("group.coordinator.rebalance.protocols", "classic,consumer");
        }
        Listeners listeners =
                Listeners.of(properties, config.brokerListenerName().value(), config.brokerSecurityProtocol());
        ListenerProperties.ofClusterTests(listeners).forEach(properties::putIfAbsent);
        cluster = new RivuletCluster(config.numBrokers(), properties, listeners, List.of());
        brokers = BrokerViews.brokers(cluster);
    }

    @Override
    public Type type() {
        return Type.KRAFT;
    }

    @Override
    public ClusterConfig config() {
        return config;
    }

    @Override
    public Map<Integer, KafkaBroker> brokers() {
        return new HashMap<>(brokers);
    }

    @Override
    public Map<Integer, ControllerServer> controllers() {
        return Map.of(BrokerViews.CONTROLLER, BrokerViews.controller(cluster));
    }

    @Override
    public Set<Integer> controllerIds() {
        return Set.of(BrokerViews.CONTROLLER);
    }

    @Override
    public ListenerName clientListener() {
        return config.brokerListenerName();
    }

    /** Tests compare it with the listener that they use. */
    @Override
    public ListenerName controllerListenerName() {
        return new ListenerName("CONTROLLER");
    }

    @Override
    public String bootstrapServers() {
        return cluster.bootstrapServers();
    }

    @Override
    public String bootstrapControllers() {
        throw noController();
    }

    @Override
    public List<Integer> controllerBoundPorts() {
        throw noController();
    }

    private static UsesInternals noController() {
        return new UsesInternals("the listener of a controller");
    }

    @Override
    public List<Integer> brokerBoundPorts() {
        return cluster.ports();
    }

    @Override
    public String clusterId() {
        return cluster.clusterId();
    }

    @Override
    public Set<GroupProtocol> supportedGroupProtocols() {
        return Set.of(GroupProtocol.CLASSIC, GroupProtocol.CONSUMER);
    }

    @Override
    public Optional<FaultHandlerException> firstFatalException() {
        return Optional.empty();
    }

    @Override
    public Optional<FaultHandlerException> firstNonFatalException() {
        return Optional.empty();
    }

    @Override
    public void start() {
        started = true;
        cluster.start();
    }

    @Override
    public boolean started() {
        return started;
    }

    @Override
    public void stop() {
        if (!stopped) {
            stopped = true;
            cluster.close();
        }
    }

    @Override
    public boolean stopped() {
        return stopped;
    }

    @Override
    public void shutdownBroker(int brokerId) {
        cluster.stopOne();
    }

    @Override
    public void startBroker(int brokerId) {
        cluster.start();
    }

    @Override
    public void waitForReadyBrokers() {
        // A process that has started is ready.
    }

    @Override
    public void waitTopicCreation(String topic, int partitions) throws InterruptedException {
        if (topic.equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            // The broker creates it. No client can.
            cluster.findCoordinator();
        }
        TestUtils.waitForCondition(
                () -> cluster.topic(topic)
                        .filter(description -> description.partitions().size() == partitions)
                        .isPresent(),
                topic + " should have " + partitions + " partitions");
    }

    @Override
    public void waitTopicDeletion(String topic) throws InterruptedException {
        TestUtils.waitForCondition(() -> cluster.topic(topic).isEmpty(), topic + " should not exist any more");
    }

    @Override
    public void ensureConsistentMetadata() {
        // One broker always agrees with itself.
    }

    @Override
    public void ensureConsistentMetadata(Collection<KafkaBroker> some, Collection<ControllerServer> controllers) {
        // As above.
    }

    @Override
    public List<Authorizer> authorizers() {
        return cluster.authorizer().map(List::of).orElse(List.of());
    }
}
