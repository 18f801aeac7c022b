package io.rivulet.broker.top;

import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.json.PlainText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads the metrics of a broker again and again, and prints each difference. Owned by: the main thread. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Show what a running broker does: rates, fsyncs, the busiest topics, groups and their lag.",
            "On a terminal it is a screen that changes; q or Ctrl-C ends it. Elsewhere it is a block of text each"
                    + " time.",
            "It reads /metrics, so the broker must have rivulet.http.listener.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the broker was read until the end",
            "1:the first or the last reading failed",
            "2:wrong options",
        })
public final class TopTool implements Callable<Integer> {
    private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
    private static final Duration MOST_INTERVAL = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int TEXT_COLUMNS = 100;
    private static final int TEXT_ROWS = 10;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--http",
            paramLabel = "host:port",
            description = "where the pages of the broker are, as in its ready line (default: ${DEFAULT-VALUE})",
            defaultValue = "localhost:9644")
    private String http;

    @Option(
            names = "--interval",
            paramLabel = "time",
            description = "the time between two readings: 1s, 500ms or 1m (default: ${DEFAULT-VALUE})",
            defaultValue = "1s")
    private String interval;

    @Option(names = "--count", paramLabel = "n", description = "end after n intervals (default: never)")
    private @Nullable Integer count;

    @Option(
            names = "--topics",
            paramLabel = "n",
            description = "show at most n topics, and n lags (default: what a terminal has room for, else 10)")
    private @Nullable Integer topics;

    @Option(
            names = "--sort",
            paramLabel = "in|out|lag",
            description = "the order of topics: bytes in, bytes out, or lag (default: ${DEFAULT-VALUE})",
            defaultValue = "in")
    private Rates.Sort sort;

    @Option(
            names = "--json",
            description = {
                "print an object on each line: rates, figures, topics and groups;",
                "if a reading fails, an object with error",
            })
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        HostPort place = place();
        Duration step = step();
        requirePositive("--count", count);
        requirePositive("--topics", topics);
        Readings readings = new Readings(new MetricsPage(place, PATIENCE));
        try {
            readings.first();
        } catch (ClientException e) {
            return failed(place, e);
        }
        if (json || !Terminal.isOutput()) {
            return print(readings, place, step);
        }
        try (Terminal terminal = new Terminal(out())) {
            return show(terminal, readings, place, step);
        }
    }

    private int failed(HostPort place, ClientException why) {
        if (json) {
            out().println(FrameJson.failure(
                    Instant.now().truncatedTo(ChronoUnit.MILLIS), place.toString(), String.valueOf(why.getMessage())));
            out().flush();
        } else {
            spec.commandLine().getErr().println("Error: " + why.getMessage());
        }
        return 1;
    }

    // ---- output that is no terminal ----

    private int print(Readings readings, HostPort place, Duration step) throws InterruptedException {
        int exitCode = 0;
        long dueNanos = System.nanoTime();
        for (int done = 0; !isEnough(done) && !out().checkError(); done++) {
            dueNanos = next(dueNanos, step);
            TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
            try {
                Frame frame = readings.next(sort);
                print(place, frame);
                exitCode = 0;
            } catch (ClientException e) {
                exitCode = failed(place, e);
            }
        }
        return exitCode;
    }

    private void print(HostPort place, Frame frame) {
        Instant now = Instant.now();
        int rows = topics == null ? TEXT_ROWS : topics;
        if (json) {
            out().println(FrameJson.of(now.truncatedTo(ChronoUnit.MILLIS), place.toString(), frame, rows));
        } else {
            int width = Terminal.Size.of(null, System.getenv("COLUMNS"), "1 " + TEXT_COLUMNS)
                    .columns();
            new Screen(width, Integer.MAX_VALUE, rows)
                    .lines(place + "   " + now.truncatedTo(ChronoUnit.SECONDS), frame)
                    .forEach(out()::println);
            out().println();
        }
        out().flush();
    }

    // ---- a terminal ----

    private int show(Terminal terminal, Readings readings, HostPort place, Duration step) throws InterruptedException {
        String title = "rivulet top " + place + "   every " + interval;
        terminal.show(cut(terminal, List.of(title, "the first rates come after " + interval)));
        int exitCode = 0;
        long dueNanos = System.nanoTime();
        for (int done = 0; !isEnough(done); done++) {
            dueNanos = next(dueNanos, step);
            if (!terminal.await(dueNanos)) {
                return 0;
            }
            try {
                Frame frame = readings.next(sort);
                Terminal.Size size = terminal.size();
                int rows = topics == null ? Integer.MAX_VALUE : topics;
                terminal.show(new Screen(size.columns() - 1, size.rows(), rows).lines(title, frame));
                exitCode = 0;
            } catch (ClientException e) {
                terminal.show(cut(terminal, List.of(title, String.valueOf(e.getMessage()), "", "q ends")));
                exitCode = 1;
            }
        }
        return exitCode;
    }

    private static List<String> cut(Terminal terminal, List<String> lines) {
        int width = terminal.size().columns() - 1;
        return lines.stream().map(line -> Names.cut(PlainText.of(line), width)).toList();
    }

    // ---- options ----

    private boolean isEnough(int done) {
        return count != null && done >= count;
    }

    /** The next time in this rhythm, but not one that has passed. */
    private static long next(long dueNanos, Duration step) {
        long next = dueNanos + step.toNanos();
        long now = System.nanoTime();
        return next - now < 0 ? now : next;
    }

    private HostPort place() {
        String text = http.replaceFirst("^http://", "").replaceFirst("/$", "");
        HostPort place = HostPort.parse(text);
        if (place == null || place.host().isEmpty() || place.port() == 0) {
            throw wrong("--http " + http + " is not allowed: use host:port");
        }
        return place;
    }

    private Duration step() {
        Duration step = Interval.parse(interval);
        if (step == null || step.compareTo(LEAST_INTERVAL) < 0 || step.compareTo(MOST_INTERVAL) > 0) {
            throw wrong("--interval " + interval + " is not allowed: use a time from 100ms to 60m, such as 2s");
        }
        return step;
    }

    private void requirePositive(String option, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw wrong(option + " " + value + " is not allowed: use 1 or more");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
