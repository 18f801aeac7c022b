package io.rivulet.broker.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** One line for each event, and below it what was thrown: {@code 12:34:56.789 WARN  Upkeep - the disk is full}. Thread-safe. */
final class CommandLineLogger extends LegacyAbstractLogger {
    /** Above every level. */
    static final int OFF = Integer.MAX_VALUE;

    private final String shortName;
    private final int leastLevel;
    private final transient PrintStream out;

    CommandLineLogger(String name, int leastLevel, PrintStream out) {
        this.name = name;
        this.shortName = name.substring(name.lastIndexOf('.') + 1);
        this.leastLevel = leastLevel;
        this.out = out;
    }

    /** Loaded with the first line. */
    private static final class Times {
        static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        StringWriter text = new StringWriter();
        text.append(Times.FORMAT.format(LocalTime.now(ZoneId.systemDefault())))
                .append(level == Level.INFO || level == Level.WARN ? " " + level + "  " : " " + level + " ")
                .append(shortName)
                .append(" - ")
                .append(MessageFormatter.basicArrayFormat(message, arguments));
        if (thrown != null) {
            text.append(System.lineSeparator());
            thrown.printStackTrace(new PrintWriter(text, true));
            out.print(text);
        } else {
            out.println(text);
        }
        out.flush();
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
