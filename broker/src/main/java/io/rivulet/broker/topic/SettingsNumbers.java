package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number for each of the settings that topics share, for as long as any topic has them. Then the number goes to others, that which
 * was free for longest first.
 *
 * <p>One thread gives and takes numbers. Any thread may ask what a number stands for; it may be something else by now, so who asks looks
 * afterwards whether its topic still has the number.
 */
final class SettingsNumbers {
    /** The object with its maps, about. */
    private static final long BYTES = 400;

    private static final long BYTES_PER_OVERRIDE = 128;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(TopicSettings[].class);

    private final Map<Map<String, String>, Integer> numbers = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    /** How many topics have each. */
    private int[] uses = new int[1];
    /** Volatile, for a reader may come upon a longer one than that in which the number it was told of was given. */
    private volatile TopicSettings[] settings = new TopicSettings[1];
    /** Numbers that were ever given. */
    private int count;
    /** Read by any thread. */
    private volatile long heapBytes;

    // ---- any thread ----

    TopicSettings of(int number) {
        return (TopicSettings) PLACE.getAcquire(settings, number);
    }

    /** What the settings take of the heap, about. */
    long heapBytes() {
        return heapBytes;
    }

    /** What settings with these overrides take, when nobody has them yet. */
    static long heapBytes(Map<String, String> overrides) {
        long bytes = overrides.isEmpty() ? 0 : BYTES;
        for (Map.Entry<String, String> override : overrides.entrySet()) {
            bytes += BYTES_PER_OVERRIDE
                    + 2L * (override.getKey().length() + override.getValue().length());
        }
        return bytes;
    }

    // ---- the writing thread ----

    /** Those that some topic has; null when none has. */
    @Nullable
    TopicSettings find(Map<String, String> overrides) {
        Integer number = numbers.get(overrides);
        return number == null ? null : of(number);
    }

    /** One topic more has these settings. */
    int take(TopicSettings one) {
        Integer there = numbers.get(one.overrides());
        int number = there == null ? add(one) : there;
        uses[number]++;
        return number;
    }

    private int add(TopicSettings one) {
        int number = free.isEmpty() ? count++ : free.remove();
        if (number == uses.length) {
            uses = Arrays.copyOf(uses, 2 * number);
            settings = Arrays.copyOf(settings, 2 * number);
        }
        PLACE.setRelease(settings, number, one);
        numbers.put(one.overrides(), number);
        addBytes(heapBytes(one.overrides()));
        return number;
    }

    /** One topic has them no more. What the number stood for can be read until it is given again. */
    void release(int number) {
        if (--uses[number] == 0) {
            Map<String, String> overrides = Objects.requireNonNull(of(number)).overrides();
            numbers.remove(overrides);
            free.add(number);
            addBytes(-heapBytes(overrides));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void addBytes(long bytes) {
        heapBytes += bytes;
    }

    /** How many are in use. */
    int size() {
        return numbers.size();
    }
}
