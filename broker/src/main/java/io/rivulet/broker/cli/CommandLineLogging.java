package io.rivulet.broker.cli;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * How the command line logs: to standard error, at the level that RIVULET_LOG_LEVEL names. An application with a broker of its own
 * brings its logging itself: this is used only where {@link #use} was called.
 *
 * <p>By hand, for the libraries that do it look through every jar for their configuration and load a calendar before the first
 * line is logged: a fifth of a start, and megabytes.
 *
 * <p>Thread-safe.
 */
public final class CommandLineLogging implements SLF4JServiceProvider {
    private final Map<String, CommandLineLogger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /** Before the first logger. A provider that an option of the virtual machine names stays. */
    static void use() {
        // Named, so that SLF4J need not look for it in every jar either; it would say that it was told.
        setUnlessSet("slf4j.provider", CommandLineLogging.class.getName());
        setUnlessSet("slf4j.internal.verbosity", "WARN");
    }

    private static void setUnlessSet(String property, String value) {
        System.setProperty(property, System.getProperty(property, value));
    }

    @Override
    public void initialize() {
        // All is there.
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        int least = leastLevel(System.getenv("RIVULET_LOG_LEVEL"));
        return name -> loggers.computeIfAbsent(
                name, unknown -> new CommandLineLogger(unknown, least, LogOutput.STANDARD_ERROR));
    }

    /** A name that is none means INFO. */
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
