package io.rivulet.prove.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All loads together. Owned by: one thread. */
public final class MixedLoad implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(4);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What is looked at when all loads have ended. */
    @FunctionalInterface
    public interface Ending {
        List<String> violations(Target target);
    }

    private final List<? extends Load> loads;
    private final Ending ending;

    private MixedLoad(List<? extends Load> loads, Ending ending) {
        this.loads = loads;
        this.ending = ending;
    }

    /** A broker must be there, and may go and come back afterwards. */
    public static MixedLoad start(Target target, long seed) throws ExecutionException, InterruptedException {
        KeyLoad keys = new KeyLoad(target);
        keys.createTopic();
        List<Load> loads =
                List.of(new PlainLoad(target), new TxnLoad(target, new Random(seed)), new CommitLoad(target), keys);
        return start(loads, targetAtTheEnd -> List.of());
    }

    /** Both, which have been started. */
    public static MixedLoad of(MixedLoad first, MixedLoad second) {
        List<Load> loads = new ArrayList<>(first.loads);
        loads.addAll(second.loads);
        return new MixedLoad(loads, target -> {
            List<String> found = new ArrayList<>(first.ending.violations(target));
            found.addAll(second.ending.violations(target));
            return found;
        });
    }

    /** Starts these loads. */
    public static MixedLoad start(List<? extends Load> loads, Ending ending) {
        loads.forEach(Load::start);
        return new MixedLoad(loads, ending);
    }

    /**
     * Waits until each load has made progress.
     *
     * @param more how much in all
     * @param ended ends the wait
     * @return what is wrong, or null
     */
    public @Nullable String awaitProgress(long more, BooleanSupplier ended) {
        long[] before = loads.stream().mapToLong(Load::progress).toArray();
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!hasProgress(before, more) && !ended.getAsBoolean()) {
            for (Load load : loads) {
                Throwable failure = load.failure();
                if (failure != null) {
                    return "a load failed: " + failure;
                }
            }
            if (System.nanoTime() - endNanos > 0) {
                return "a load makes no progress";
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return null;
    }

    /** How much was acknowledged so far. */
    public long progress() {
        return loads.stream().mapToLong(Load::progress).sum();
    }

    private boolean hasProgress(long[] before, long more) {
        long sum = 0;
        boolean each = true;
        for (int i = 0; i < before.length; i++) {
            long done = loads.get(i).progress() - before[i];
            sum += done;
            each &= done > 0;
        }
        return each && sum >= more;
    }

    /** Ends the loads, reads everything back, and returns what is wrong. */
    public List<String> finish(Target target) throws InterruptedException {
        List<String> found = new ArrayList<>();
        loads.forEach(Load::stop);
        for (Load load : loads) {
            String wrong = load.await();
            if (wrong != null) {
                found.add(wrong);
            }
        }
        if (found.isEmpty()) {
            loads.forEach(load -> found.addAll(load.violations(target)));
            found.addAll(ending.violations(target));
        }
        return found;
    }

    @Override
    public void close() {
        loads.forEach(Load::stop);
    }
}
