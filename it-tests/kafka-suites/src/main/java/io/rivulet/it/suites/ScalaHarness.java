package io.rivulet.it.suites;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import kafka.integration.KafkaServerTestHarness;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Gives the tests on Scala's {@code QuorumTestHarness} a process of Rivulet. {@link MethodSeams} calls it in place of
 * the methods that start Kafka. Owned by: the thread of the test.
 */
public final class ScalaHarness {
    private static @Nullable RivuletCluster cluster;

    private ScalaHarness() {}

    public static void newQuorum() {
        cluster = null;
    }

    public static BrokerServer broker(Object harness, KafkaConfig config, boolean startup) {
        RivuletCluster of = cluster == null ? newCluster(harness, config) : cluster;
        cluster = of;
        if (startup) {
            of.start();
        }
        return BrokerViews.broker(of, config);
    }

    private static RivuletCluster newCluster(Object harness, KafkaConfig config) {
        int brokers = harness instanceof KafkaServerTestHarness several
                ? several.configs().size()
                : 1;
        Map<String, Object> properties = new HashMap<>(config.originals());
        properties.remove("listeners");
        return new RivuletCluster(brokers, properties);
    }

    /** Looks for the coordinator of a group that does not exist. */
    public static void findCoordinator(Admin admin) {
        try {
            admin.describeConsumerGroups(List.of("none")).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public static ControllerServer controller() {
        if (cluster == null) {
            throw new UsesInternals("a controller without a broker");
        }
        return BrokerViews.controller(cluster);
    }

    public static Seq<ControllerServer> controllers() {
        return CollectionConverters.asScala(List.of(controller())).toSeq();
    }
}
