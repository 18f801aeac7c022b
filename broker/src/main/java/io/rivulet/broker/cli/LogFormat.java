package io.rivulet.broker.cli;

import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.json.JsonText;
import io.rivulet.broker.json.PlainText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalDate;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The form of log lines. It uses no formatter, which would load a calendar. Immutable. */
enum LogFormat {
    /** {@code 12:34:56.789 WARN  Maintenance - the disk is full}, then the stack trace. */
    TEXT {
        @Override
        String line(Event event) {
            Level level = event.level();
            StringWriter text = new StringWriter();
            text.append(time(event.millis(), TimeZone.getDefault()))
                    .append(level == Level.INFO || level == Level.WARN ? " " + level + "  " : " " + level + " ")
                    .append(event.logger().substring(event.logger().lastIndexOf('.') + 1))
                    .append(" - ")
                    .append(onOneLine(event.message()))
                    .append(System.lineSeparator());
            if (event.thrown() != null) {
                event.thrown().printStackTrace(new PlainLines(text));
            }
            return text.toString();
        }

        @Override
        String note(Level level, String message) {
            StringBuilder text = new StringBuilder();
            message.lines().forEach(line -> text.append(PlainText.of(line)).append(System.lineSeparator()));
            return text.toString();
        }
    },

    /** An object on one line. */
    JSON {
        @Override
        String line(Event event) {
            StringBuilder text = new StringBuilder("{\"time\":\"")
                    .append(LocalDate.ofEpochDay(Math.floorDiv(event.millis(), MILLIS_PER_DAY)))
                    .append('T')
                    .append(timeOfDay(event.millis()))
                    .append("Z\"");
            member(text, "level", event.level().toString());
            member(text, "logger", event.logger());
            member(text, "thread", event.thread());
            member(text, "message", event.message());
            if (event.thrown() != null) {
                StringWriter stack = new StringWriter();
                event.thrown().printStackTrace(new PrintWriter(stack, true));
                member(text, "error", stack.toString());
            }
            return text.append("}\n").toString();
        }

        private void member(StringBuilder text, String name, String value) {
            text.append(",\"").append(name).append("\":");
            JsonText.quote(text, value);
        }

        @Override
        String note(Level level, String message) {
            return line(Event.now(level, PROGRAM, message, null));
        }
    };

    private static final String PROGRAM = "rivulet";
    private static final long MILLIS_PER_DAY = 86_400_000;

    /**
     * Immutable.
     *
     * @param logger the full name
     */
    record Event(
            long millis,
            Level level,
            String logger,
            String thread,
            String message,
            @Nullable Throwable thrown) {
        static Event now(Level level, String logger, String message, @Nullable Throwable thrown) {
            String thread = Thread.currentThread().getName();
            return new Event(System.currentTimeMillis(), level, logger, thread, message, thrown);
        }
    }

    /** The format that these properties ask for. A value that is not allowed is reported by whoever checks them. */
    static LogFormat of(Map<String, String> properties) {
        String wanted = properties.getOrDefault(BrokerKey.LOG_FORMAT.key(), "");
        return wanted.strip().equals("json") ? JSON : TEXT;
    }

    /** With the end of the line. */
    abstract String line(Event event);

    /** A line of the process itself, with its end. As text it has no time, so that a person sees it as a message. */
    abstract String note(Level level, String message);

    /** A text of a client must not look like a line of the log. */
    private static String onOneLine(String message) {
        if (PlainText.isPlain(message)) {
            return message;
        }
        String quoted = JsonText.of(message);
        return quoted.substring(1, quoted.length() - 1);
    }

    /** Each call of a stack trace prints one line, whose message may be a text of a client. Owned by: one event. */
    private static final class PlainLines extends PrintWriter {
        PlainLines(StringWriter out) {
            super(out, true);
        }

        @Override
        public void println(Object line) {
            String text = String.valueOf(line);
            String unindented = text.stripLeading();
            boolean isFrame = text.startsWith("\t");
            super.println((isFrame ? "\t" : "") + onOneLine(isFrame ? unindented : text));
        }
    }

    /** The time of day. */
    static String time(long millis, TimeZone zone) {
        return timeOfDay(millis + zone.getOffset(millis));
    }

    private static String timeOfDay(long millis) {
        long ofDay = Math.floorMod(millis, MILLIS_PER_DAY);
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
}
