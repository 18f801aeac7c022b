package io.rivulet.protocol.generator;

import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.emit.ApiKeyEmitter;
import io.rivulet.protocol.generator.emit.JavaTypes;
import io.rivulet.protocol.generator.emit.MessageEmitter;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.SchemaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code Main <directory of schemas> <directory for sources>}. */
public final class Main {
    /** The opaque bytes of the group protocol, which a broker decodes to describe groups. */
    private static final Set<String> DATA_MESSAGES =
            Set.of("ConsumerProtocolSubscription", "ConsumerProtocolAssignment");

    private Main() {}

    public static void main(String[] args) throws IOException {
        List<MessageSpec> messages = clientFacing(readAll(Path.of(args[0])));
        List<TypeSpec> types =
                new ArrayList<>(messages.stream().map(MessageEmitter::emit).toList());
        types.add(ApiKeyEmitter.emit(messages));
        Path directory = Path.of(args[1], JavaTypes.MESSAGE_PACKAGE.split("\\."));
        Files.createDirectories(directory);
        try (Stream<Path> old = Files.list(directory)) {
            Set<String> names =
                    types.stream().map(type -> type.name() + ".java").collect(Collectors.toSet());
            for (Path file : old.filter(
                            file -> !names.contains(file.getFileName().toString()))
                    .toList()) {
                Files.delete(file);
            }
        }
        for (TypeSpec type : types) {
            write(directory.resolve(type.name() + ".java"), type);
        }
    }

    private static List<MessageSpec> readAll(Path schemas) throws IOException {
        try (Stream<Path> files = Files.list(schemas)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(SchemaReader::read)
                    .toList();
        }
    }

    /** Requests of clients, their responses, the headers, the data messages, and the records of internal topics. */
    private static List<MessageSpec> clientFacing(List<MessageSpec> all) {
        Set<Integer> apiKeys = all.stream()
                .filter(message -> message.listeners().contains("broker"))
                .map(MessageSpec::apiKey)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(message -> !message.root().versions().isEmpty())
                .filter(message -> switch (message.kind()) {
                    case REQUEST, RESPONSE -> apiKeys.contains(message.apiKey());
                    case HEADER -> true;
                    case DATA -> DATA_MESSAGES.contains(message.name());
                    case COORDINATOR_KEY, COORDINATOR_VALUE -> true;
                })
                .toList();
    }

    /** Writes the file only if it changes, so that the compiler does not run again. */
    private static void write(Path file, TypeSpec type) throws IOException {
        String text = JavaFile.builder(JavaTypes.MESSAGE_PACKAGE, type)
                .skipJavaLangImports(true)
                .indent("    ")
                .build()
                .toString();
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
    }
}
