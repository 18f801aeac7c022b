package io.rivulet.protocol.generator;

import com.palantir.javapoet.JavaFile;
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
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code Main <directory of schemas> <directory for sources>}. */
public final class Main {
    /** What consumers put into the opaque bytes of the group protocol; a broker looks into them to describe groups. */
    private static final Set<String> DATA_MESSAGES =
            Set.of("ConsumerProtocolSubscription", "ConsumerProtocolAssignment");

    private Main() {}

    public static void main(String[] args) throws IOException {
        List<MessageSpec> selected = clientFacing(readAll(Path.of(args[0])));
        Path sources = Path.of(args[1]);
        Set<String> written = new TreeSet<>();
        for (MessageSpec message : selected) {
            written.add(write(sources, JavaFile.builder(JavaTypes.MESSAGE_PACKAGE, MessageEmitter.emit(message))));
        }
        written.add(write(sources, JavaFile.builder(JavaTypes.MESSAGE_PACKAGE, ApiKeyEmitter.emit(selected))));
        removeOthers(sources.resolve(JavaTypes.MESSAGE_PACKAGE.replace('.', '/')), written);
    }

    private static List<MessageSpec> readAll(Path schemas) throws IOException {
        try (Stream<Path> files = Files.list(schemas)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(SchemaReader::read)
                    .toList();
        }
    }

    /** Requests that brokers serve to clients, their responses, both headers, and the data messages above. */
    private static List<MessageSpec> clientFacing(List<MessageSpec> all) {
        Set<Integer> apiKeys = all.stream()
                .filter(message -> message.listeners().contains("broker"))
                .map(MessageSpec::apiKey)
                .collect(Collectors.toSet());
        List<MessageSpec> selected = new ArrayList<>();
        for (MessageSpec message : all) {
            boolean wanted = switch (message.kind()) {
                case REQUEST, RESPONSE -> apiKeys.contains(message.apiKey());
                case HEADER -> true;
                case DATA -> DATA_MESSAGES.contains(message.name());
            };
            if (wanted && !message.root().versions().isEmpty()) {
                selected.add(message);
            }
        }
        return selected;
    }

    /** Leaves a file that is as it should be untouched, so that the compiler has nothing to do again. */
    private static String write(Path sources, JavaFile.Builder builder) throws IOException {
        JavaFile java = builder.skipJavaLangImports(true).indent("    ").build();
        String name = java.typeSpec().name() + ".java";
        Path file = sources.resolve(java.packageName().replace('.', '/')).resolve(name);
        String text = java.toString();
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        return name;
    }

    private static void removeOthers(Path directory, Set<String> written) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (!written.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }
}
