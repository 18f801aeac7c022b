package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ConfigReferenceTest {
    @Test
    void thePageInDocsIsUpToDate() throws IOException {
        assertThat(Files.readString(Path.of("../docs/CONFIGURATION.md")))
                .as("docs/CONFIGURATION.md is out of date. Generate it again: bin/rivulet config --describe"
                        + " > docs/CONFIGURATION.md")
                .isEqualTo(ConfigReference.page());
    }

    @ParameterizedTest
    @EnumSource
    void eachKeyHasItsHelpTextAndDefaultOnce(BrokerKey key) {
        assertThat(ConfigReference.page()).containsOnlyOnce("\n### " + key.key() + "\n");
        assertThat(ConfigReference.describe(key.key())).contains("- Default: ").doesNotContain("- Default: ``");
    }

    @Test
    void aTopicKeyIsDescribedByTheBrokersKey() {
        assertThat(ConfigReference.describe("retention.ms"))
                .startsWith("log.retention.ms\n")
                .contains("- Topic key: `retention.ms`");
    }

    @Test
    void defaultsDoNotDependOnTheMachine() {
        assertThat(ConfigReference.describe("rivulet.groups.bytes"))
                .contains("- Default: 4/32 of the heap, at most 256 MiB");
        assertThat(ConfigReference.describe("num.network.threads")).contains("- Default: one for two cores");
    }

    @Test
    void anUnknownKeyIsNotDescribed() {
        assertThat(ConfigReference.describe("no.such.key")).isNull();
    }
}
