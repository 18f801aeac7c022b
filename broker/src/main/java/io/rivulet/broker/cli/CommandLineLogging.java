package io.rivulet.broker.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The logging of the command line: to standard error, at first at the level in RIVULET_LOG_LEVEL. An application that
 * embeds a broker brings its own logging: this is used only after {@link #use}.
 *
 * <p>Logging libraries search every jar for their configuration and load a calendar before the first line: a fifth of
 * a start, and megabytes.
 *
 * <p>Thread-safe.
 */
public final class CommandLineLogging implements SLF4JServiceProvider {
    private final CommandLineLoggers loggers =
            new CommandLineLoggers(leastLevel(System.getenv("RIVULET_LOG_LEVEL")), LogOutput.STANDARD_ERROR);
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /** Called before the first logger. A provider in a system property stays. */
    static void use() {
        // With a name, SLF4J does not search every jar; without the verbosity, it would log that name.
        setUnlessSet("slf4j.provider", CommandLineLogging.class.getName());
        setUnlessSet("slf4j.internal.verbosity", "WARN");
    }

    private static void setUnlessSet(String property, String value) {
        System.setProperty(property, System.getProperty(property, value));
    }

    @Override
    public void initialize() {
        // Nothing to do.
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    /** INFO if the name is unknown. */
    static int leastLevel(@Nullable String name) {
        String wanted = name == null ? "" : name.toUpperCase(Locale.ROOT);
        return switch (wanted) {
            case "TRACE", "DEBUG", "WARN", "ERROR" -> Level.valueOf(wanted).toInt();
            case "OFF" -> CommandLineLogger.OFF;
            default -> Level.INFO.toInt();
        };
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}
