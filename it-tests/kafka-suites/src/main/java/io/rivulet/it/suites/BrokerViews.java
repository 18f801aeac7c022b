package io.rivulet.it.suites;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.network.SocketServer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaApis;
import kafka.server.KafkaConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.metadata.BrokerState;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.server.authorizer.Authorizer;
import scala.Option;
import scala.jdk.javaapi.OptionConverters;

/**
 * Shows a cluster to tests as brokers and a controller of Kafka. The answers are those that a client could find out.
 */
public final class BrokerViews {
    /** The id that Kafka's framework gives to its first controller. */
    public static final int CONTROLLER = 3000;

    private BrokerViews() {}

    public static Map<Integer, BrokerServer> brokers(RivuletCluster cluster) {
        Map<Integer, BrokerServer> brokers = new HashMap<>();
        for (int id = 0; id < cluster.brokers(); id++) {
            brokers.put(id, broker(cluster, config(cluster, id)));
        }
        return brokers;
    }

    static BrokerServer broker(RivuletCluster cluster, KafkaConfig config) {
        KRaftMetadataCache metadata = metadata(cluster);
        Map<String, Fakes.Answer> answers = new HashMap<>();
        answers.put("config", call -> config);
        answers.put("boundPort", call -> port(cluster, call.getArgument(0)));
        answers.put("quotaManagers", call -> QuotaView.of(cluster));
        answers.put("authorizerPlugin", call -> authorizer(cluster));
        answers.put("startup", call -> {
            cluster.start();
            return null;
        });
        answers.put("shutdown", call -> {
            cluster.stop();
            return null;
        });
        answers.put("awaitShutdown", call -> null);
        answers.put("isShutdown", call -> !cluster.isAlive());
        answers.put("brokerState", call -> cluster.isAlive() ? BrokerState.RUNNING : BrokerState.NOT_RUNNING);
        answers.put("clusterId", call -> cluster.clusterId());
        answers.put("metadataCache", call -> metadata);
        answers.put("socketServer", call -> sockets(cluster));
        answers.put("dataPlaneRequestProcessor", call -> apis(cluster, metadata));
        return Fakes.of(BrokerServer.class, answers);
    }

    public static ControllerServer controller(RivuletCluster cluster) {
        Controller controller = Fakes.of(
                Controller.class,
                Map.of(
                        "findAllTopicIds",
                        call -> CompletableFuture.completedFuture(cluster.topicIds()),
                        "isActive",
                        call -> true));
        return Fakes.of(
                ControllerServer.class,
                Map.of(
                        "controller", call -> controller,
                        "clusterId", call -> cluster.clusterId(),
                        "authorizerPlugin", call -> authorizer(cluster),
                        "quotaManagers", call -> QuotaView.of(cluster),
                        "socketServer", call -> sockets(cluster),
                        "shutdown", call -> null,
                        "awaitShutdown", call -> null));
    }

    private static SocketServer sockets(RivuletCluster cluster) {
        return Fakes.of(SocketServer.class, Map.of("boundPort", call -> port(cluster, call.getArgument(0))));
    }

    private static int port(RivuletCluster cluster, ListenerName listener) {
        return cluster.listeners().named(listener.value()).port();
    }

    private static Option<Plugin<Authorizer>> authorizer(RivuletCluster cluster) {
        return OptionConverters.toScala(
                cluster.authorizer().map(view -> Plugin.wrapInstance(view, null, "authorizer.class.name")));
    }

    private static KafkaApis apis(RivuletCluster cluster, KRaftMetadataCache metadata) {
        return Fakes.of(
                KafkaApis.class,
                Map.of(
                        "isConsumerGroupProtocolEnabled", call -> true,
                        "authorizerPlugin", call -> authorizer(cluster),
                        "quotas", call -> QuotaView.of(cluster),
                        "metadataCache", call -> metadata));
    }

    private static KRaftMetadataCache metadata(RivuletCluster cluster) {
        Map<String, Fakes.Answer> answers = new HashMap<>();
        answers.put("numPartitions", call -> partitions(cluster, call.getArgument(0)));
        answers.put("contains", call -> contains(cluster, call.getArgument(0)));
        answers.put("getLeaderAndIsr", call -> leader(cluster, call.getArgument(0), call.getArgument(1)));
        answers.put("getAllTopics", call -> cluster.topicIds().keySet());
        answers.put("getTopicId", call -> cluster.topicIds().getOrDefault(call.<String>getArgument(0), Uuid.ZERO_UUID));
        answers.put("topicNamesToIds", call -> cluster.topicIds());
        answers.put("hasAliveBroker", call -> true);
        answers.put("getAliveBrokerNode", call -> Optional.of(node(cluster, call.getArgument(0))));
        answers.put("getAliveBrokerNodes", call -> nodes(cluster));
        return Fakes.of(KRaftMetadataCache.class, answers);
    }

    private static Optional<Integer> partitions(RivuletCluster cluster, String topic) {
        return cluster.topic(topic).map(TopicDescription::partitions).map(List::size);
    }

    private static boolean contains(RivuletCluster cluster, Object wanted) {
        return wanted instanceof TopicPartition partition
                ? partitions(cluster, partition.topic()).orElse(0) > partition.partition()
                : cluster.topicIds().containsKey(wanted.toString());
    }

    private static Optional<LeaderAndIsr> leader(RivuletCluster cluster, String topic, int partition) {
        return cluster.topic(topic)
                .filter(description -> description.partitions().size() > partition)
                .map(description -> new LeaderAndIsr(0, List.of(0)));
    }

    private static List<Node> nodes(RivuletCluster cluster) {
        return IntStream.range(0, cluster.brokers())
                .mapToObj(id -> node(cluster, id))
                .toList();
    }

    private static Node node(RivuletCluster cluster, int id) {
        return new Node(id, "localhost", cluster.port());
    }

    private static KafkaConfig config(RivuletCluster cluster, int id) {
        Map<String, Object> all = new HashMap<>(cluster.properties());
        all.put("process.roles", "broker");
        all.put("node.id", id);
        all.put("controller.quorum.voters", CONTROLLER + "@localhost:9093");
        all.put("controller.listener.names", "CONTROLLER");
        // The view has no need of keys and users.
        all.keySet()
                .removeIf(key -> key.startsWith("listener.name.") || key.startsWith("ssl.") || key.startsWith("sasl."));
        List<Listeners.Listener> listeners = cluster.listeners().all();
        all.put("listeners", joined(listeners, one -> one.name() + "://localhost:" + one.port()));
        all.put(
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT," + joined(listeners, one -> one.name() + ":PLAINTEXT"));
        all.put("inter.broker.listener.name", listeners.get(0).name());
        return new KafkaConfig(all);
    }

    private static String joined(List<Listeners.Listener> listeners, Function<Listeners.Listener, String> text) {
        return listeners.stream().map(text).collect(Collectors.joining(","));
    }
}
