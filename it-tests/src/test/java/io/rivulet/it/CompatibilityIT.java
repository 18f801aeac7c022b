package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ConfigCompatibility;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/COMPATIBILITY.md has every API of Kafka's brokers beside what Rivulet advertises, and every config with what it
 * does.
 */
@SeveralBrokers
final class CompatibilityIT {
    private static final Path DOCUMENT = Path.of("../docs/COMPATIBILITY.md");
    private static final String APIS = "## APIs\n";
    private static final String CONFIGS = "## Configs\n";

    /** The first text that the name of an API contains says why it is not served. */
    private static final Map<String, String> REASONS = new LinkedHashMap<>();

    static {
        REASONS.put("SHARE_GROUP_STATE", "between brokers of Kafka");
        REASONS.put("STREAMS_GROUP_TOPOLOGY", "as Kafka without a plugin for descriptions of topologies");
        REASONS.put("TELEMETRY", "as Kafka without a plugin for client metrics");
        REASONS.put("DELEGATION_TOKEN", "no delegation tokens");
        REASONS.put("ASSIGN_REPLICAS_TO_DIRS", "among servers of Kafka");
        REASONS.put("ENVELOPE", "among servers of Kafka");
    }

    @Test
    void theTableOfApisIsUpToDate(@TempDir Path directory) throws IOException {
        requireSection(APIS, table(advertised(directory)));
    }

    @Test
    void theTableOfConfigsIsUpToDate() throws IOException {
        requireSection(CONFIGS, """
                Every config of Kafka's brokers, topics and groups. Where a config can change, it changes while the
                broker runs; those of topics and groups always can. `bin/rivulet config --compatibility` prints this.
                """ + ConfigCompatibility.tables());
    }

    private static void requireSection(String heading, String text) throws IOException {
        String document = Files.readString(DOCUMENT);
        int start = document.indexOf("\n" + heading) + 1;
        int end = document.indexOf("\n## ", start);
        String section = heading + text;

        if (Boolean.getBoolean("rivulet.document")) {
            Files.writeString(DOCUMENT, document.substring(0, start) + section + document.substring(end));
        } else {
            assertThat(document.substring(start, end))
                    .as("docs/COMPATIBILITY.md is out of date. Write it again: mvn verify -pl it-tests -am"
                            + " -Dit.test=CompatibilityIT -Drivulet.document=true -Dtest=None"
                            + " -Dsurefire.failIfNoSpecifiedTests=false")
                    .isEqualTo(section);
        }
    }

    private static ApiVersionCollection advertised(Path directory) throws IOException {
        try (TestBroker broker = TestBroker.start(directory);
                Wire wire = new Wire(broker)) {
            ApiVersionsRequestData request =
                    new ApiVersionsRequestData().setClientSoftwareName("it").setClientSoftwareVersion("1");
            ApiVersionsResponseData response =
                    (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 3, request);
            assertThat(response.errorCode()).isEqualTo(Errors.NONE.code());
            return response.apiKeys();
        }
    }

    private static String table(ApiVersionCollection advertised) {
        return """
                The versions that brokers of Apache Kafka %s and of Rivulet advertise to clients. Neither serves Produce
                0 to 2: some clients want to see these versions, and use others.

                | key | API | Kafka | Rivulet | |
                |---|---|---|---|---|
                """.formatted(AppInfoParser.getVersion())
                + ApiKeys.apisForListener(ListenerType.BROKER).stream()
                        .sorted()
                        .filter(key -> key.toApiVersion(false).isPresent())
                        .map(key -> row(key, advertised))
                        .collect(Collectors.joining());
    }

    private static String row(ApiKeys key, ApiVersionCollection advertised) {
        ApiVersion kafka = key.toApiVersion(false).orElseThrow();
        if (key == ApiKeys.PRODUCE) {
            kafka.setMinVersion(ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION);
        }
        ApiVersion own = advertised.find(key.id);
        String rivulet = own == null ? "" : versions(own);
        String remark = own == null ? reason(key) : "";
        return "| " + key.id + " | " + key.name + " | " + versions(kafka) + " | " + rivulet + " | " + remark + " |\n";
    }

    private static String versions(ApiVersion of) {
        return of.minVersion() == of.maxVersion()
                ? String.valueOf(of.minVersion())
                : of.minVersion() + "-" + of.maxVersion();
    }

    private static String reason(ApiKeys key) {
        return REASONS.entrySet().stream()
                .filter(reason -> key.name().contains(reason.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("not yet");
    }
}
