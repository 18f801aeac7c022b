package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.Store;
import io.rivulet.store.failure.CheckedFuture;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Maps the limits of topics to the store's retention classes: one class for each set of retention.ms, retention.bytes
 * and terms of compaction. Class 0 has the broker's defaults, so that a changed default costs one entry, however many
 * topics there are.
 *
 * <p>A scan of all topics removes classes that no topic and no queue has any more. It runs when there are twice as many
 * classes as after the last scan, or no number is free. A caller that is about to use a class holds it.
 *
 * <p>Thread-safe, guarded by its monitor.
 */
final class RetentionClasses {
    private static final int DEFAULT_CLASS = 0;
    private static final CompletionStage<Integer> DEFAULT = CompletableFuture.completedFuture(DEFAULT_CLASS);
    private static final int MIN_SCAN_SIZE = 1024;
    /** Time between two scans while all numbers are in use, so that repeated requests do not scan each time. */
    private static final long SCAN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Store store;
    private final TopicCatalogue topics;
    private final Map<RetentionLimits, CompletionStage<Integer>> known = new HashMap<>();
    private final BitSet taken = new BitSet();
    /** The number of callers that are about to use a set of limits. */
    private final Map<RetentionLimits, Integer> held = new HashMap<>();

    /** The limits of class 0. */
    private RetentionLimits ofDefaults;
    /** The last change of the defaults. */
    private CompletionStage<Void> lastChange = CompletableFuture.completedFuture(null);

    private int scanAtSize = MIN_SCAN_SIZE;
    private long scannedNanos = System.nanoTime() - SCAN_PAUSE_NANOS;

    RetentionClasses(Store store, TopicCatalogue topics) {
        this.store = store;
        this.topics = topics;
        this.ofDefaults = limits(topics.defaults());
        known.put(ofDefaults, DEFAULT);
        taken.set(DEFAULT_CLASS);
    }

    static RetentionLimits limits(TopicSettings settings) {
        return new RetentionLimits(settings.retentionMillis(), settings.retentionBytes(), settings.compaction());
    }

    /** Runs an action with the class of the settings once its limits are durable, and holds the class until it ends. */
    <T> CompletionStage<T> using(TopicSettings settings, Function<Integer, CompletionStage<T>> action) {
        RetentionLimits limits = limits(settings);
        return hold(limits).thenCompose(action).whenComplete((done, failure) -> release(limits));
    }

    private synchronized CompletionStage<Integer> hold(RetentionLimits limits) {
        held.merge(limits, 1, Integer::sum);
        CompletionStage<Integer> there = known.get(limits);
        return there == null ? add(limits) : there;
    }

    private synchronized void release(RetentionLimits limits) {
        held.merge(limits, -1, (before, less) -> before + less == 0 ? null : before + less);
    }

    private CompletionStage<Integer> add(RetentionLimits limits) {
        boolean full = taken.cardinality() > Store.MAX_RETENTION_CLASS;
        if (known.size() >= scanAtSize || (full && System.nanoTime() - scannedNanos > SCAN_PAUSE_NANOS)) {
            removeUnused();
            scannedNanos = System.nanoTime();
        }
        int free = taken.nextClearBit(0);
        if (free > Store.MAX_RETENTION_CLASS) {
            return CompletableFuture.failedFuture(new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "topics have " + taken.cardinality()
                            + " different sets of retention and compaction configs, which is the limit; use"
                            + " one of them"));
        }
        taken.set(free);
        CompletionStage<Integer> added = store.setRetention(free, limits).thenApply(bytes -> free);
        known.put(limits, added);
        CompletionStage<?> unused = added.whenComplete((number, failure) -> {
            if (failure != null) {
                forget(limits, free);
            }
        });
        return added;
    }

    /** While a queue changes its class, both the old class and the new one are in use. */
    private void removeUnused() {
        Set<RetentionLimits> wanted = new HashSet<>(held.keySet());
        BitSet used = new BitSet();
        used.set(DEFAULT_CLASS);
        topics.forEach(topic -> {
            wanted.add(limits(topic.settings()));
            topic.forEachRange((first, count) -> used.set(store.retentionClass(first)));
        });
        known.entrySet().removeIf(entry -> {
            Integer number = entry.getValue().toCompletableFuture().getNow(null);
            boolean unused = number != null && !used.get(number) && !wanted.contains(entry.getKey());
            if (unused) {
                taken.clear(number);
                // Changes are ordered, so the limits of the next owner of the number come later.
                CompletionStage<?> ignored = store.setRetention(number, RetentionLimits.NONE);
            }
            return unused;
        });
        scanAtSize = Math.max(MIN_SCAN_SIZE, 2 * known.size());
    }

    synchronized int size() {
        return known.size();
    }

    private synchronized void forget(RetentionLimits limits, int number) {
        known.remove(limits);
        taken.clear(number);
    }

    /** Moves the topic's queues to the class of its settings. */
    CompletionStage<Void> settle(Topic topic) {
        return using(topic.settings(), number -> {
            CompletableFuture<?>[] moves = {CompletableFuture.completedFuture(null)};
            topic.forEachRange((first, count) -> {
                if (store.exists(first) && store.retentionClass(first) != number) {
                    moves[0] = CompletableFuture.allOf(
                            moves[0], store.classQueues(first, count, number).toCompletableFuture());
                }
            });
            return moves[0].<Void>thenApply(done -> null);
        });
    }

    /** Moves the topic's queues if they have another class than that of its settings. */
    CompletionStage<Void> settleIfNeeded(Topic topic) {
        return isSettled(topic) ? CompletableFuture.completedFuture(null) : settle(topic);
    }

    /** Reads the store's classes and settles all topics. Called once, at a start. */
    CompletionStage<Void> settleAll() {
        synchronized (this) {
            Map<Integer, RetentionLimits> stored = store.retention();
            if (topics.anyOverrides() || hasOtherClasses()) {
                topics.forEach(topic -> keep(topic, stored));
            }
            known.remove(ofDefaults, DEFAULT);
            ofDefaults = stored.getOrDefault(DEFAULT_CLASS, RetentionLimits.NONE);
        }
        return defaultsChanged(Runnable::run);
    }

    /**
     * Gives class 0 the present defaults, and all topics the classes of their settings. One change after the other.
     *
     * @param scans runs the walks over all topics
     */
    CompletionStage<Void> defaultsChanged(Executor scans) {
        CompletableFuture<Void> ended = new CheckedFuture<>();
        CompletionStage<Void> before;
        synchronized (this) {
            before = lastChange;
            lastChange = ended;
        }
        CompletionStage<?> unused = before.handle((done, failure) -> null)
                .thenComposeAsync(done -> settleDefaults(scans), scans)
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        ended.complete(null);
                    } else {
                        ended.completeExceptionally(failure);
                    }
                });
        return ended;
    }

    /**
     * At no time does a topic have shorter limits than both before and after the change: a topic that keeps the old
     * limits leaves class 0 before the class changes, and one that has the new limits enters it afterwards.
     */
    private CompletionStage<Void> settleDefaults(Executor scans) {
        RetentionLimits defaults = limits(topics.defaults());
        if (hasDefaultClass(defaults)) {
            return settleWhere(topic -> true);
        }
        return settleWhere(topic -> !limits(topic.settings()).equals(defaults))
                .thenCompose(done -> store.setRetention(DEFAULT_CLASS, defaults))
                .thenComposeAsync(
                        bytes -> {
                            giveDefaultClass(defaults);
                            return settleWhere(topic -> true);
                        },
                        scans);
    }

    /** If not, no topic gets class 0 until it has these limits. */
    private synchronized boolean hasDefaultClass(RetentionLimits defaults) {
        if (defaults.equals(ofDefaults)) {
            giveDefaultClass(defaults);
            return true;
        }
        known.remove(ofDefaults, DEFAULT);
        return false;
    }

    private synchronized void giveDefaultClass(RetentionLimits defaults) {
        ofDefaults = defaults;
        known.put(defaults, DEFAULT);
    }

    /** Scans the topics, unless all topics and queues have defaults. */
    private CompletionStage<Void> settleWhere(Predicate<Topic> condition) {
        CompletableFuture<?>[] all = {CompletableFuture.completedFuture(null)};
        if (topics.anyOverrides() || hasOtherClasses()) {
            topics.forEach(topic -> {
                if (condition.test(topic) && !isSettled(topic)) {
                    all[0] = CompletableFuture.allOf(all[0], settle(topic).toCompletableFuture());
                }
            });
        }
        return all[0].thenApply(done -> null);
    }

    /** Whether any queue has another class than the default. Cheap even for a million queues. */
    private boolean hasOtherClasses() {
        int live = store.liveQueues();
        for (int queueId = 0, seen = 0; seen < live; queueId++) {
            if (store.exists(queueId)) {
                seen++;
                if (store.retentionClass(queueId) != DEFAULT_CLASS) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A class that a queue has keeps its limits, so that no queue is trimmed by the limits of another. */
    private void keep(Topic topic, Map<Integer, RetentionLimits> stored) {
        RetentionLimits limits = limits(topic.settings());
        topic.forEachRange((first, count) -> {
            int number = store.retentionClass(first);
            taken.set(number);
            if (number != DEFAULT_CLASS && limits.equals(stored.getOrDefault(number, RetentionLimits.NONE))) {
                known.putIfAbsent(limits, CompletableFuture.completedFuture(number));
            }
        });
    }

    private boolean isSettled(Topic topic) {
        boolean[] settled = {true};
        CompletionStage<Integer> wanted;
        synchronized (this) {
            wanted = known.get(limits(topic.settings()));
        }
        Integer number = wanted == null ? null : wanted.toCompletableFuture().getNow(null);
        topic.forEachRange((first, count) -> settled[0] &= number != null && store.retentionClass(first) == number);
        return settled[0];
    }
}
