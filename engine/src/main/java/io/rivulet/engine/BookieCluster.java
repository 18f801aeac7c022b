package io.rivulet.engine;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.bookkeeper.bookie.BookieException;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.discover.RegistrationManager;
import org.apache.bookkeeper.meta.MetadataDrivers;
import org.apache.bookkeeper.meta.exceptions.MetadataException;
import org.apache.bookkeeper.net.BookieId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all bookies share in ZooKeeper, made once, and who is registered there. Stateless. */
final class BookieCluster {
    private static final Logger LOG = LoggerFactory.getLogger(BookieCluster.class);

    private static final int TRIES = 120;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TRIES_BETWEEN_LINES = 10;
    /** Three times as long as a session. */
    private static final int SESSION_TRIES = 30;

    private BookieCluster() {}

    /** Waits until ZooKeeper answers, which needs most of its members. Engines that start together may all try. */
    static void make(ServerConfiguration configuration) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            if (ask(configuration, BookieCluster::findOrMake, false)) {
                return;
            }
            if (i % TRIES_BETWEEN_LINES == 0) {
                LOG.info("The registry is asked: {}", configuration.getProperty("metadataServiceUri"));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException("most members of the registry do not answer: start an engine on each machine");
    }

    /**
     * Waits until the session of an earlier process of this bookie has ended. The bookie waits, too, but only as long
     * as a session lasts, and one may end later: ZooKeeper counts from its own start, in ticks.
     */
    static void awaitEndOfSession(ServerConfiguration configuration, BookieId id) throws IOException {
        for (int i = 0; i < SESSION_TRIES; i++) {
            if (!ask(configuration, registrations -> isRegistered(registrations, id), true)) {
                return;
            }
            if (i == 0) {
                LOG.info("The session of an earlier process of {} has not ended yet", id);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException(id + " is still registered: another process runs with a copy of this directory, or most"
                + " members of the registry do not answer");
    }

    /** @param otherwise the answer while the registry gives none */
    private static boolean ask(
            ServerConfiguration configuration, Function<RegistrationManager, Boolean> question, boolean otherwise) {
        try {
            return MetadataDrivers.runFunctionWithRegistrationManager(configuration, question);
        } catch (MetadataException | ExecutionException | RuntimeException e) {
            LOG.debug("The registry does not answer yet", e);
            return otherwise;
        }
    }

    private static boolean isRegistered(RegistrationManager registrations, BookieId id) {
        try {
            return registrations.isBookieRegistered(id);
        } catch (BookieException e) {
            throw new IllegalStateException("the registration of " + id + " can't be read", e);
        }
    }

    private static boolean findOrMake(RegistrationManager registrations) {
        try {
            return !registrations.getClusterInstanceId().isEmpty();
        } catch (BookieException e) {
            return make(registrations);
        }
    }

    private static boolean make(RegistrationManager registrations) {
        try {
            return registrations.initNewCluster();
        } catch (Exception e) {
            throw new IllegalStateException("the cluster can't be made", e);
        }
    }
}
