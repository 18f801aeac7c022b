package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The console of a broker with a million topics, in a browser. */
@Tag("browser")
@Tag("clients")
final class ConsoleMillionIT {
    private static final int TOPICS = 1_000_000;
    private static final int AT_ONCE = 20_000;
    private static final short CREATE_VERSION = 7;

    @TempDir(cleanup = CleanupMode.NEVER) // the browser still writes there when it ends
    private static Path profile;

    @TempDir
    private Path directory;

    @Test
    void aTopicIsFoundAmongAMillion() throws Exception {
        try (ServerProcess server = ServerProcess.in(directory)
                .java("-Xmx1g", "-XX:TieredStopAtLevel=4")
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=rivulet.http.listener=localhost:0")) {
            createTopics(server.awaitReady());
            try (Browser browser = Browser.start(profile)) {
                browser.open(server.http() + "/console/#/topics");
                browser.waitForText("1,000,000");
                browser.find("input[type=search]").sendKeys("ICE-0731842");
                browser.waitForText("1 of 1,000,000");
                browser.find("td.name a").sendKeys(Keys.ENTER);
                browser.waitForText("No records here.");
                assertThat(browser.find("h1").getText()).isEqualTo("plant-42.device-0731842.events");
                assertThat(browser.complaints()).isEmpty();
            }
        }
    }

    private static void createTopics(int port) throws Exception {
        try (Wire wire = new Wire(port)) {
            for (int from = 0; from < TOPICS; from += AT_ONCE) {
                CreatableTopicCollection topics = new CreatableTopicCollection(AT_ONCE);
                for (int i = from; i < from + AT_ONCE; i++) {
                    topics.add(new CreatableTopic()
                            .setName("plant-%02d.device-%07d.events".formatted(i % 100, i))
                            .setNumPartitions(1)
                            .setReplicationFactor((short) 1));
                }
                CreateTopicsResponseData created = (CreateTopicsResponseData) wire.ask(
                        ApiKeys.CREATE_TOPICS, CREATE_VERSION, new CreateTopicsRequestData().setTopics(topics));
                assertThat(created.topics()).hasSize(AT_ONCE).allMatch(topic -> topic.errorCode() == 0);
            }
        }
    }
}
