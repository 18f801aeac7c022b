package io.rivulet.engine;

import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine ends when a part of it has failed: one that lives and serves nothing would not be started again. It is not
 * closed first, since that may need what just failed, and what it has acknowledged is on its disk.
 */
final class EngineEnd {
    private static final Logger LOG = LoggerFactory.getLogger(EngineEnd.class);

    private static final int FAILED = 1;
    /** The exit code after SIGTERM. */
    private static final int TERMINATED = 128 + 15;

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(8);

    private EngineEnd() {}

    /** Also for threads that nobody watches. */
    static void watchThreads() throws IllegalAccessException {
        // It installs a handler that logs only.
        MethodHandles.lookup().ensureInitialized(NIOServerCnxnFactory.class);
        UncaughtExceptionHandler logs = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (failure instanceof Error) {
                fail(thread.getName(), failure);
            }
            logs.uncaughtException(thread, failure);
        });
    }

    static void fail(String part, Throwable failure) {
        try {
            LOG.error("The engine ends: {} has failed", part, failure);
        } finally {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    /** Without the registry, a bookie closes for minutes. */
    static void boundClosing() {
        Thread watch = new Thread(
                () -> {
                    LockSupport.parkNanos(CLOSE_NANOS);
                    Runtime.getRuntime().halt(TERMINATED);
                },
                "engine-end");
        watch.setDaemon(true);
        Runtime.getRuntime().addShutdownHook(new Thread(watch::start, "engine-ends"));
    }
}
