package io.rivulet.bench.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the parts of a load at the same time. Stateless. */
public final class Threads {
    /** One part of the load; parts are numbered from 0. */
    @FunctionalInterface
    public interface Part {
        void run(int number) throws Exception;
    }

    private Threads() {}

    /** Returns when all parts have ended. Throws the first failure. */
    public static void run(int parts, Part part) throws BrokerFailedException {
        ExecutorService threads = Executors.newFixedThreadPool(parts);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < parts; i++) {
                int number = i;
                all.add(() -> {
                    part.run(number);
                    return null;
                });
            }
            for (Future<Void> one : threads.invokeAll(all)) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new BrokerFailedException("the load failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
