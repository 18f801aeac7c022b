package io.rivulet.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A new broker for each test. After the test, all of its threads must live, and it must serve another client
 * soon.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final UnharmedBroker attacked = new UnharmedBroker();
 * }</pre>
 *
 * <p>Owned by: the test's thread.
 */
final class UnharmedBroker implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
    private @Nullable Path directory;
    private @Nullable TestBroker broker;

    /** The broker of the running test. */
    TestBroker broker() {
        return Objects.requireNonNull(broker, "no test is running");
    }

    /** Stops the broker and starts another one with the same data and these properties. */
    void restart(Map<String, String> properties) throws IOException {
        broker().close();
        broker = TestBroker.start(Objects.requireNonNull(directory), properties);
    }

    /** The first broker of a process loads classes, which must not count against the test. */
    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        start();
        try {
            Unharmed.warmUp(broker());
        } finally {
            stop();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        start();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        try {
            Unharmed.assertUnharmed(broker());
        } finally {
            stop();
        }
    }

    private void start() throws IOException {
        Path fresh = Files.createTempDirectory("rivulet-it");
        directory = fresh;
        broker = TestBroker.start(fresh);
    }

    private void stop() throws IOException {
        broker().close();
        Utils.delete(Objects.requireNonNull(directory).toFile());
    }
}
