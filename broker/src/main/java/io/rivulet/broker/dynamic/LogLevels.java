package io.rivulet.broker.dynamic;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** The levels of loggers, which can change while the broker runs. Thread-safe. */
public interface LogLevels {
    /** The parent of all loggers. */
    String ROOT = "root";

    /** From the finest to the coarsest. FATAL is another name for ERROR. */
    List<String> NAMES = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL");

    /** Without loggers. */
    LogLevels NONE = new LogLevels() {
        @Override
        public SortedMap<String, String> all() {
            return new TreeMap<>();
        }

        @Override
        public boolean exists(String logger) {
            return false;
        }

        @Override
        public void set(String logger, @Nullable String level) {
            throw new IllegalStateException("there is no logger " + logger);
        }
    };

    /** Those of this process; none if its logging has other ways to change levels. */
    static LogLevels ofProcess() {
        ILoggerFactory loggers = LoggerFactory.getILoggerFactory();
        return loggers instanceof LogLevels levels ? levels : NONE;
    }

    /** The level of each logger. */
    SortedMap<String, String> all();

    /** Whether there is such a logger, or one below it. */
    boolean exists(String logger);

    /**
     * @param level one of {@link #NAMES}; null for that of the parent
     */
    void set(String logger, @Nullable String level);
}
