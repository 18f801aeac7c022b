package io.rivulet.broker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Rivulet and of Java. Immutable. */
final class BuildInfo implements IVersionProvider {
    static String version() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/rivulet.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("rivulet.properties can't be read from the jar", e);
        }
        return properties.getProperty("version");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"rivulet " + version() + " (Java " + Runtime.version() + ")"};
    }
}
