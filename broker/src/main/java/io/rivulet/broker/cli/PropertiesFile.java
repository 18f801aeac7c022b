package io.rivulet.broker.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Reads a file with the format of Kafka's server.properties. */
final class PropertiesFile {
    private PropertiesFile() {}

    static Map<String, String> read(Path file) throws IOException {
        Properties read = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            read.load(reader);
        } catch (NoSuchFileException e) {
            throw new IOException("the file " + file + " does not exist", e);
        }
        Map<String, String> properties = new HashMap<>();
        read.forEach((key, value) -> properties.put((String) key, (String) value));
        return properties;
    }
}
