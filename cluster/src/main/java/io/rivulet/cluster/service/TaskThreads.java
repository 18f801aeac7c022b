package io.rivulet.cluster.service;

import java.util.concurrent.Executor;

/** A thread for each task, because any of them may hang. Thread-safe. */
final class TaskThreads implements Executor {
    private final String name;
    private final Runnable taskEnded;

    // Guarded by this.
    private long started;
    private int running;
    private long lastEndNanos;

    /** @param taskEnded called after each task */
    TaskThreads(String name, Runnable taskEnded) {
        this.name = name;
        this.taskEnded = taskEnded;
        this.lastEndNanos = System.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        Thread thread = new Thread(() -> run(task), nextName());
        // One that hangs does not keep the process.
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Throwable e) {
            ended();
            throw e;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            ended();
            taskEnded.run();
        }
    }

    private synchronized String nextName() {
        running++;
        return name + "-" + ++started;
    }

    private synchronized void ended() {
        running--;
        lastEndNanos = System.nanoTime();
    }

    synchronized boolean isIdle() {
        return running == 0;
    }

    /** When a task has ended, the last time; or the start. */
    synchronized long lastEndNanos() {
        return lastEndNanos;
    }
}
