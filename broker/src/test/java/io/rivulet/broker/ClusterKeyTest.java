package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.store.failure.FailureLatch;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker has no jar that connects to a cluster, unless bin/rivulet gives it one. */
final class ClusterKeyTest {
    @TempDir
    private Path directory;

    private BrokerConfig config(String cluster) {
        return BrokerConfig.of(Map.of(
                "listeners",
                "PLAINTEXT://localhost:0",
                "rivulet.http.listener",
                "none",
                "log.dirs",
                directory.resolve("data").toString(),
                "rivulet.cluster",
                cluster));
    }

    @Test
    void withoutTheJarsTheStartNamesTheKeyAndTheAddress() {
        BrokerConfig config = config("a:2181,b:2181/orders");

        assertThatThrownBy(() -> Broker.start(config, new FailureLatch()).close())
                .hasMessageContainingAll("rivulet.cluster=a:2181,b:2181/orders", "no jar", "docs/CLUSTER.md");
        assertThat(directory.resolve("data/blocks")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "a:2181;b:2181", "a:2181,", "a:2181/", "a:2181/x/y", "a:x"})
    void whatIsNoAddressIsRefused(String cluster) {
        assertThatThrownBy(() -> config(cluster))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rivulet.cluster");
    }
}
