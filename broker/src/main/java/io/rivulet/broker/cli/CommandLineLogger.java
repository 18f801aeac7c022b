package io.rivulet.broker.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * One line for each event, then the stack trace: {@code 12:34:56.789 WARN  Maintenance - the disk is full}.
 * Thread-safe.
 */
final class CommandLineLogger extends LegacyAbstractLogger {
    /** Above every level. */
    static final int OFF = Integer.MAX_VALUE;

    private static final long MILLIS_PER_DAY = 86_400_000;

    private final String shortName;
    private volatile int leastLevel;
    private final transient LogOutput out;

    CommandLineLogger(String name, int leastLevel, LogOutput out) {
        this.name = name;
        this.shortName = name.substring(name.lastIndexOf('.') + 1);
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
    static void prepare() {
        LogOutput nowhere = new LogOutput(OutputStream.nullOutputStream());
        new CommandLineLogger("prepare", Level.WARN.toInt(), nowhere).warn("{}", "a line", new IOException("a cause"));
    }

    /** The time of day, without a formatter, which would load a calendar. */
    static String time(long millis, TimeZone zone) {
        long ofDay = Math.floorMod(millis + zone.getOffset(millis), MILLIS_PER_DAY);
        StringBuilder text = new StringBuilder("00:00:00.000");
        digits(text, 2, ofDay / 3_600_000);
        digits(text, 5, ofDay / 60_000 % 60);
        digits(text, 8, ofDay / 1000 % 60);
        digits(text, 12, ofDay % 1000);
        return text.toString();
    }

    private static void digits(StringBuilder text, int end, long number) {
        long left = number;
        for (int at = end - 1; left > 0; at--) {
            text.setCharAt(at, (char) ('0' + left % 10));
            left /= 10;
        }
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        StringWriter text = new StringWriter();
        text.append(time(System.currentTimeMillis(), TimeZone.getDefault()))
                .append(level == Level.INFO || level == Level.WARN ? " " + level + "  " : " " + level + " ")
                .append(shortName)
                .append(" - ")
                .append(MessageFormatter.basicArrayFormat(message, arguments))
                .append(System.lineSeparator());
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(text, true));
        }
        out.write(text.toString());
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
