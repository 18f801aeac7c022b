package io.rivulet.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.replication.AutoRecoveryMain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the entries of lost bookies: BookKeeper's stock daemon, which ends for good when it was cut off from ZooKeeper
 * for seconds, and here starts again. As a part of the stock bookie it would end that, too.
 *
 * <p>Threads: its own.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ServerConfiguration configuration;

    Recovery(ServerConfiguration configuration) {
        this.configuration = configuration;
    }

    void start() {
        Thread thread = new Thread(this::run, "recovery");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (true) {
            try {
                runOnce();
                LOG.warn("Copying of lost entries has ended, and starts again");
            } catch (Exception e) {
                LOG.warn("Copying of lost entries does not start: {}", e.toString());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void runOnce() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        AutoRecoveryMain daemon = new AutoRecoveryMain(configuration);
        daemon.setExceptionHandler((thread, failure) -> ended.countDown());
        try {
            daemon.start();
            ended.await();
        } finally {
            daemon.shutdown();
        }
    }
}
