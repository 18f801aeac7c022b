package io.rivulet.it.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kafka.integration.KafkaServerTestHarness;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.QuorumTestHarness;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.storage.Formatter;
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
        Map<String, Object> properties = config.originals();
        Listeners listeners = Listeners.of(properties, Listeners.DEFAULT, SecurityProtocol.PLAINTEXT);
        return new RivuletCluster(brokers, properties, listeners, scramUsers(harness));
    }

    /** The users that the test makes when it formats its directories. */
    private static List<String> scramUsers(Object harness) {
        List<String> users = new ArrayList<>();
        if (harness instanceof QuorumTestHarness quorum) {
            quorum.addFormatterSettings(new Formatter() {
                @Override
                public Formatter setScramArguments(List<String> arguments) {
                    users.addAll(arguments);
                    return this;
                }
            });
        }
        return users;
    }

    /** Lets the broker create its internal topic. The client of the test may not be allowed to. */
    public static void findCoordinator(Admin admin) {
        if (cluster == null) {
            RivuletCluster.findCoordinator(admin);
        } else {
            cluster.findCoordinator();
        }
    }

    /** A test asserts that with metrics of its own process. */
    public static void assertNoLoginExpired() {
        if (cluster != null && cluster.hasClosedExpiredLogin()) {
            throw new AssertionError("The broker has closed a connection whose login had ended.");
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
