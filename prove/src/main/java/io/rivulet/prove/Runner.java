package io.rivulet.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs the points of a check until enough are done, the time is over or too many fail. Owned by: one thread. */
public final class Runner {
    /** After so many failing seeds a check ends: more would say the same. */
    private static final int MOST_FAILURES = Integer.getInteger("rivulet.prove.failures", 5);

    /** Of a long run, the last lines are kept. */
    private static final int MOST_FIGURES = 20;

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /** What a check uses at most. */
    private static final long SCRATCH_BYTES = 4L << 30;

    private final Path kept;
    private final Consumer<String> news;
    private final long newsMillis;

    /** @param kept a directory for the files of failures */
    public Runner(Path kept) {
        this(kept, line -> {}, Long.MAX_VALUE);
    }

    /**
     * @param news gets a line again and again while a check runs
     * @param newsMillis how often
     */
    Runner(Path kept, Consumer<String> news, long newsMillis) {
        this.kept = kept;
        this.news = news;
        this.newsMillis = newsMillis;
    }

    /**
     * @param points how many points, if the time is enough
     * @param most when to stop, whatever is done
     */
    public Row run(Check check, long seed, long points, Duration most) throws IOException {
        long startNanos = System.nanoTime();
        Path scratch = scratch();
        Thread atExit = new Thread(() -> deleteQuietly(scratch));
        Runtime.getRuntime().addShutdownHook(atExit);
        Progress progress = new Progress(seed, points, startNanos + most.toNanos());
        try (Check.Points prepared = check.open(scratch, kept)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < check.threads(); i++) {
                Thread thread = new Thread(() -> progress.work(prepared), check.name() + "-" + i);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                awaitEnd(thread, () -> news.accept(progress.line(check.name(), startNanos)));
            }
        } catch (Exception | AssertionError e) {
            progress.failed(seed, Math.max(1, progress.done.get()), describe(e));
        } finally {
            delete(scratch);
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
        return new Row(
                check.name(),
                progress.done.get(),
                seed,
                progress.failures(),
                progress.figures(),
                Duration.ofNanos(System.nanoTime() - startNanos));
    }

    private void awaitEnd(Thread thread, Runnable report) throws InterruptedException {
        thread.join(newsMillis);
        while (thread.isAlive()) {
            report.run();
            thread.join(newsMillis);
        }
    }

    /** A new directory, in memory if that is possible: most checks open small directories again and again. */
    public static Path scratch() throws IOException {
        return Files.isWritable(IN_MEMORY) && Files.getFileStore(IN_MEMORY).getUsableSpace() >= SCRATCH_BYTES
                ? Files.createTempDirectory(IN_MEMORY, "rivulet-prove")
                : Files.createTempDirectory("rivulet-prove");
    }

    /** Also of a directory in which a process that has just ended may still delete files. */
    public static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }

    /** For a run that is interrupted: it may be in memory. */
    private static void deleteQuietly(Path scratch) {
        try {
            delete(scratch);
        } catch (IOException e) {
            return; // brokers still write there
        }
    }

    private static String describe(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString().strip();
    }

    /** Which seeds were handed out, and what came of them. Thread-safe. */
    private static final class Progress {
        private final long firstSeed;
        private final long wanted;
        private final long deadlineNanos;
        private final AtomicLong nextSeed;
        private final AtomicLong done = new AtomicLong();
        private final List<Row.Failure> failures = new ArrayList<>();
        private final Deque<String> figures = new ArrayDeque<>();

        Progress(long seed, long wanted, long deadlineNanos) {
            this.firstSeed = seed;
            this.wanted = wanted;
            this.deadlineNanos = deadlineNanos;
            this.nextSeed = new AtomicLong(seed);
        }

        void work(Check.Points prepared) {
            while (goesOn()) {
                long seed = nextSeed.getAndIncrement();
                try {
                    Check.Found found = prepared.run(seed);
                    done.addAndGet(found.points());
                    measured(found.figures());
                    found.violations().forEach(violation -> failed(seed, 1, violation));
                } catch (Exception | Error e) {
                    failed(seed, 1, describe(e));
                }
            }
        }

        /** A point at least is done. */
        private boolean goesOn() {
            boolean isTime = System.nanoTime() - deadlineNanos < 0 || nextSeed.get() == firstSeed;
            return isTime && done.get() < wanted && failures().size() < MOST_FAILURES;
        }

        String line(String check, long startNanos) {
            String of = wanted == Long.MAX_VALUE ? "" : String.format(Locale.ROOT, " of %,d", wanted);
            int failed = failures().size();
            return String.format(
                    Locale.ROOT,
                    "%s: %,d%s points after %,d s%s",
                    check,
                    done.get(),
                    of,
                    Duration.ofNanos(System.nanoTime() - startNanos).toSeconds(),
                    failed == 0 ? "" : ", " + failed + " failed");
        }

        synchronized void failed(long seed, long points, String what) {
            failures.add(new Row.Failure(seed, points, what));
        }

        private synchronized void measured(List<String> lines) {
            figures.addAll(lines);
            while (figures.size() > MOST_FIGURES) {
                figures.removeFirst();
            }
        }

        synchronized List<String> figures() {
            return List.copyOf(figures);
        }

        synchronized List<Row.Failure> failures() {
            return List.copyOf(failures);
        }
    }
}
