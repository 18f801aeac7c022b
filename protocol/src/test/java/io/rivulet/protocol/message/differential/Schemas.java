package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.SchemaReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The schemas that the build has unpacked. */
public final class Schemas {
    private static final Path DIRECTORY = Path.of("target", "schemas", "common", "message");
    private static final String MESSAGES = "io.rivulet.protocol.message.";
    private static final String CLIENTS = "org.apache.kafka.common.message.";

    private Schemas() {}

    public static List<MessageSpec> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(SchemaReader::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that kafka-clients has too. The records of internal topics are compared in the integration tests. */
    public static List<MessageSpec> generated() {
        return all().stream()
                .filter(message -> message.kind() != MessageSpec.Kind.COORDINATOR_KEY
                        && message.kind() != MessageSpec.Kind.COORDINATOR_VALUE)
                .filter(Schemas::isGenerated)
                .toList();
    }

    static boolean isOfAnApi(MessageSpec message) {
        return message.kind() == MessageSpec.Kind.REQUEST || message.kind() == MessageSpec.Kind.RESPONSE;
    }

    public static boolean isGenerated(MessageSpec message) {
        try {
            ours(message);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    public static Class<?> ours(MessageSpec message) {
        return load(MESSAGES + message.name());
    }

    public static Class<?> theirs(MessageSpec message) {
        return load(CLIENTS + message.name() + (message.kind() == MessageSpec.Kind.DATA ? "" : "Data"));
    }

    static Class<?> nested(Class<?> outer, String name) {
        return load(outer.getName() + "$" + name);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
