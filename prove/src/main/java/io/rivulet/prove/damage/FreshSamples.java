package io.rivulet.prove.damage;

import io.rivulet.prove.Check;
import io.rivulet.prove.Runner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;

/**
 * Points on a sample, and on a new one after some of them: no two samples are swept, merged and compacted at the same
 * moments, and some bugs need a moment. Thread-safe.
 */
final class FreshSamples implements Check.Points {
    private static final int POINTS_OF_A_SAMPLE = 400;

    private final Path scratch;
    private final long segmentBytes;
    private final BiFunction<Sample, Path, Check.Points> pointsOn;
    /** Held for reading while a point runs. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private Check.Points current;
    private int left = POINTS_OF_A_SAMPLE;

    /** @param pointsOn the points on a sample, in a scratch directory */
    FreshSamples(Path scratch, long segmentBytes, BiFunction<Sample, Path, Check.Points> pointsOn) throws Exception {
        this.scratch = scratch;
        this.segmentBytes = segmentBytes;
        this.pointsOn = pointsOn;
        this.current = newSample();
    }

    @Override
    public Check.Found run(long seed) throws Exception {
        Check.Points points = take();
        try {
            return points.run(seed);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns with the lock held for reading. */
    private Check.Points take() throws Exception {
        lock.writeLock().lock();
        try {
            if (left == 0) {
                current = newSample();
                left = POINTS_OF_A_SAMPLE;
            }
            left--;
            lock.readLock().lock();
            return current;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private Check.Points newSample() throws Exception {
        Path directory = scratch.resolve("sample");
        Runner.delete(directory);
        Files.createDirectory(directory);
        return pointsOn.apply(Sample.make(directory, segmentBytes), directory);
    }

    @Override
    public void close() {
        // the scratch directory is deleted by the runner
    }
}
