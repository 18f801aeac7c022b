package io.rivulet.it.suites;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.integration.KafkaServerTestHarness;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
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
