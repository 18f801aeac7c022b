package io.rivulet.broker.cli;

import io.rivulet.broker.dynamic.LogLevels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * The loggers of the command line. A logger has its own level, or that of the nearest parent with one.
 *
 * <p>Thread-safe: levels and new loggers are guarded by the monitor.
 */
final class CommandLineLoggers implements ILoggerFactory, LogLevels {
    /** What these libraries log is for their developers. What they can't do is an exception, and logged as that. */
    private static final String LIBRARIES = "org.apache.";

    private final Map<String, CommandLineLogger> loggers = new ConcurrentHashMap<>();
    /** Levels that were set, by logger or package. The root always has one. */
    private final Map<String, Integer> levels = new TreeMap<>();

    private final LogOutput out;

    CommandLineLoggers(int rootLevel, LogOutput out) {
        this.out = out;
        levels.put(ROOT, rootLevel);
    }

    @Override
    public Logger getLogger(String name) {
        CommandLineLogger there = loggers.get(name);
        return there == null ? add(name) : there;
    }

    private synchronized Logger add(String name) {
        return loggers.computeIfAbsent(name, added -> new CommandLineLogger(added, levelOf(added), out));
    }

    @Override
    public synchronized SortedMap<String, String> all() {
        SortedMap<String, String> all = new TreeMap<>();
        levels.forEach((name, level) -> all.put(name, text(level)));
        loggers.keySet().forEach(name -> all.put(name, text(levelOf(name))));
        return all;
    }

    @Override
    public boolean exists(String logger) {
        return logger.equals(ROOT)
                || loggers.keySet().stream().anyMatch(name -> name.equals(logger) || name.startsWith(logger + "."));
    }

    @Override
    public synchronized void set(String logger, @Nullable String level) {
        if (level == null) {
            levels.remove(logger);
        } else {
            levels.put(
                    logger,
                    level.equals("FATAL")
                            ? Level.ERROR.toInt()
                            : Level.valueOf(level).toInt());
        }
        loggers.forEach((name, one) -> one.setLeastLevel(levelOf(name)));
    }

    private int levelOf(String logger) {
        String name = logger;
        while (!levels.containsKey(name)) {
            int dot = name.lastIndexOf('.');
            name = dot < 0 ? ROOT : name.substring(0, dot);
        }
        int level = levels.getOrDefault(name, CommandLineLogger.OFF);
        boolean isChatty = name.equals(ROOT) && logger.startsWith(LIBRARIES) && level >= Level.INFO.toInt();
        return isChatty ? Math.max(Level.ERROR.toInt(), level) : level;
    }

    private static String text(int level) {
        return level == CommandLineLogger.OFF ? "OFF" : Level.intToLevel(level).toString();
    }
}
