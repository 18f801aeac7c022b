package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.limit.MapText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the settings that topics share. Settings that no topic has any more free their number; the number that was
 * free for longest is reused first.
 *
 * <p>One thread assigns and frees numbers. Any thread may look up a number. The number may have been reused meanwhile,
 * so the caller checks afterwards that its topic still has the number.
 */
final class SettingsNumbers {
    /** Estimated size of an object with its maps. */
    private static final long BYTES = 400;

    private static final long BYTES_PER_OVERRIDE = 128;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(TopicSettings[].class);

    /** By the {@link MapText} of their overrides. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private final Deque<Integer> free = new ArrayDeque<>();
    /** The number of topics that have each number. */
    private int[] uses = new int[1];
    /** Volatile: a reader may see a longer array than the one in which its number was assigned. */
    private volatile TopicSettings[] settings = new TopicSettings[1];
    /** The count of numbers that were ever assigned. */
    private int count;
    /** Read by any thread. */
    private volatile long heapBytes;

    // ---- any thread ----

    TopicSettings of(int number) {
        return (TopicSettings) PLACE.getAcquire(settings, number);
    }

    /** The heap that the settings take, estimated. */
    long heapBytes() {
        return heapBytes;
    }

    /** The heap that settings with these overrides would take, estimated. */
    static long heapBytes(Map<String, String> overrides) {
        long bytes = overrides.isEmpty() ? 0 : BYTES;
        for (Map.Entry<String, String> override : overrides.entrySet()) {
            bytes += BYTES_PER_OVERRIDE
                    + 3L * (override.getKey().length() + override.getValue().length());
        }
        return bytes;
    }

    // ---- the writing thread ----

    /** The settings with these overrides, or null if no topic has them. */
    @Nullable
    TopicSettings find(Map<String, String> overrides) {
        Integer number = numbers.get(MapText.of(overrides));
        return number == null ? null : of(number);
    }

    /** Counts one more topic with these settings. */
    int take(TopicSettings one) {
        String key = MapText.of(one.overrides());
        Integer there = numbers.get(key);
        int number = there == null ? add(key, one) : there;
        uses[number]++;
        return number;
    }

    private int add(String key, TopicSettings one) {
        int number = free.isEmpty() ? count++ : free.remove();
        if (number == uses.length) {
            uses = Arrays.copyOf(uses, 2 * number);
            settings = Arrays.copyOf(settings, 2 * number);
        }
        PLACE.setRelease(settings, number, one);
        numbers.put(key, number);
        addBytes(heapBytes(one.overrides()));
        return number;
    }

    /** Replaces the settings of all numbers in use. The overrides stay. */
    void replaceAll(UnaryOperator<TopicSettings> replacement) {
        for (int number : numbers.values()) {
            PLACE.setRelease(settings, number, replacement.apply(Objects.requireNonNull(of(number))));
        }
    }

    /** Counts one topic less. The settings can be read until the number is reused. */
    void release(int number) {
        if (--uses[number] == 0) {
            Map<String, String> overrides = Objects.requireNonNull(of(number)).overrides();
            numbers.remove(MapText.of(overrides));
            free.add(number);
            addBytes(-heapBytes(overrides));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void addBytes(long bytes) {
        heapBytes += bytes;
    }
}
