package io.rivulet.broker.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes an event to the {@link LogOutput}, which knows the format. Thread-safe. */
final class CommandLineLogger extends LegacyAbstractLogger {
    /** Above every level. */
    static final int OFF = Integer.MAX_VALUE;

    private volatile int leastLevel;
    private final transient LogOutput out;

    CommandLineLogger(String name, int leastLevel, LogOutput out) {
        this.name = name;
        this.leastLevel = leastLevel;
        this.out = out;
    }

    void setLeastLevel(int level) {
        leastLevel = level;
    }

    /**
     * Loads the classes that a line needs: time zone, formatter, stack trace. The first warning may say that no file
     * descriptor is left, so it must not need one.
     */
    static void prepare(LogFormat format) {
        LogOutput nowhere = new LogOutput(OutputStream.nullOutputStream());
        nowhere.use(format);
        new CommandLineLogger("prepare", Level.WARN.toInt(), nowhere).warn("{}", "a line", new IOException("a cause"));
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        String text = String.valueOf(MessageFormatter.basicArrayFormat(message, arguments));
        out.write(LogFormat.Event.now(level, name, text, thrown));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    public boolean isTraceEnabled() {
        return Level.TRACE.toInt() >= leastLevel;
    }

    @Override
    public boolean isDebugEnabled() {
        return Level.DEBUG.toInt() >= leastLevel;
    }

    @Override
    public boolean isInfoEnabled() {
        return Level.INFO.toInt() >= leastLevel;
    }

    @Override
    public boolean isWarnEnabled() {
        return Level.WARN.toInt() >= leastLevel;
    }

    @Override
    public boolean isErrorEnabled() {
        return Level.ERROR.toInt() >= leastLevel;
    }
}
