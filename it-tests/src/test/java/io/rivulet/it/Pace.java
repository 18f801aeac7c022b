package io.rivulet.it;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Numbers that come at an even pace, the longest time between two of them, and errors. Thread-safe. */
final class Pace {
    /**
     * What a client has seen.
     *
     * @param again how many numbers came more than once
     * @param errors those that the application saw; empty if there were none
     */
    record Figures(String what, int numbers, int again, long longestMillis, String errors) {
        /** Of a line of {@link ClientProgram}. */
        static Figures parse(String line) {
            String[] fields = line.split("\t", -1);
            return new Figures(
                    fields[0],
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Long.parseLong(fields[3]),
                    fields[4]);
        }
    }

    private final String what;
    private final Set<Integer> numbers = new HashSet<>();
    private final Map<String, Integer> errors = new TreeMap<>();
    private int again;
    private long lastNanos;
    private long longestNanos;

    Pace(String what) {
        this.what = what;
    }

    synchronized void came(int number) {
        long now = System.nanoTime();
        if (!numbers.isEmpty()) {
            longestNanos = Math.max(longestNanos, now - lastNanos);
        }
        lastNanos = now;
        again += numbers.add(number) ? 0 : 1;
        notifyAll();
    }

    synchronized void failed(String error) {
        errors.merge(error, 1, Integer::sum);
    }

    synchronized boolean has(int count) {
        return numbers.size() >= count;
    }

    synchronized void await(int count) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
        while (!has(count)) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                return;
            }
            wait(leftMillis);
        }
    }

    synchronized Figures figures() {
        return new Figures(
                what,
                numbers.size(),
                again,
                TimeUnit.NANOSECONDS.toMillis(longestNanos),
                errors.entrySet().stream()
                        .map(error -> error.getValue() + " " + error.getKey())
                        .collect(Collectors.joining(", ")));
    }
}
