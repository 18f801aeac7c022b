package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than max.connections. */
class ConnectionLimitIT {
    @TempDir
    private Path directory;

    @Test
    void aNewConnectionTakesThePlaceOfTheOneThatIsIdleTheLongest() throws IOException {
        try (TestBroker broker = TestBroker.start(directory, Map.of("max.connections", "3"));
                Wire first = new Wire(broker);
                Wire second = new Wire(broker);
                Wire third = new Wire(broker)) {
            ask(first);
            ask(second);
            ask(third);
            ask(first);

            try (Wire fourth = new Wire(broker)) {
                ask(fourth);

                assertThat(second.isClosedByBroker()).isTrue();
                ask(first);
                ask(third);
            }
        }
    }

    private static void ask(Wire wire) throws IOException {
        wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
    }
}
