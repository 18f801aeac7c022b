package io.rivulet.cluster.zookeeper;

import io.rivulet.cluster.registry.Registry.Event;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of ZooKeeper that outlives its sessions: when one expires, the next one begins. Questions are asked again
 * when the connection was lost. Watches everything below a path, and again after each reconnection, as a server reports
 * nothing that happened meanwhile. Thread-safe.
 */
final class Session implements AutoCloseable {
    /** A question to ZooKeeper. */
    interface Question<T> {
        /** @param repeated whether an earlier attempt may have been made */
        T ask(ZooKeeper client, boolean repeated) throws KeeperException, InterruptedException, IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final String servers;
    private final int timeoutMillis;
    private final String watched;
    private final Consumer<Event> listener;
    /** Guarded by this; read anywhere. */
    private volatile ZooKeeper client;
    /** Guarded by this. */
    private boolean closed;

    Session(String servers, int timeoutMillis, String watched, Consumer<Event> listener) throws IOException {
        this.servers = servers;
        this.timeoutMillis = timeoutMillis;
        this.watched = watched;
        this.listener = listener;
        this.client = connect();
    }

    private ZooKeeper connect() throws IOException {
        Events events = new Events();
        ZooKeeper connecting = new ZooKeeper(servers, timeoutMillis, events::process);
        events.of(connecting);
        return connecting;
    }

    long id() {
        return client.getSessionId();
    }

    /** Asks until there is an answer, or the session would have expired twice. */
    <T> T ask(Question<T> question) throws IOException {
        long startNanos = System.nanoTime();
        boolean repeated = false;
        while (true) {
            ZooKeeper asked = client;
            try {
                return question.ask(asked, repeated);
            } catch (KeeperException.SessionExpiredException | KeeperException.ConnectionLossException e) {
                repeated = true;
                if (isClosed() || System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(2L * timeoutMillis)) {
                    throw new IOException("ZooKeeper at " + servers + " does not answer", e);
                }
                if (e instanceof KeeperException.SessionExpiredException) {
                    replace(asked);
                }
            } catch (KeeperException e) {
                throw new IOException("ZooKeeper refuses: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private static InterruptedIOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted while ZooKeeper was asked");
        interrupted.initCause(e);
        return interrupted;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Any thread, also the event thread of the client that has expired. */
    private void replace(ZooKeeper expired) throws IOException {
        synchronized (this) {
            if (closed || client != expired) {
                return;
            }
            client = connect();
        }
        LOG.warn("The session of ZooKeeper has expired: it has not heard of this process in time");
        listener.accept(Event.EXPIRED);
    }

    private void watch(ZooKeeper watching) {
        watching.addWatch(
                watched,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, path, context) -> {
                    // If the connection is lost again, the next one comes here, too.
                    if (code == KeeperException.Code.OK.intValue()) {
                        listener.accept(Event.CHANGED);
                    }
                },
                null);
    }

    @Override
    public void close() throws IOException {
        ZooKeeper last;
        synchronized (this) {
            closed = true;
            last = client;
        }
        try {
            last.close();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Those of one session, in order, on its event thread. */
    private final class Events {
        private final CompletableFuture<ZooKeeper> session = new CompletableFuture<>();

        void of(ZooKeeper its) {
            session.complete(its);
        }

        void process(WatchedEvent event) {
            if (event.getType() != Watcher.Event.EventType.None) {
                listener.accept(Event.CHANGED);
                return;
            }
            switch (event.getState()) {
                case SyncConnected -> watch(session.join());
                case Disconnected -> listener.accept(Event.DISCONNECTED);
                case Expired -> expired();
                default -> LOG.debug("ZooKeeper: {}", event);
            }
        }

        private void expired() {
            try {
                replace(session.join());
            } catch (IOException e) {
                LOG.warn("No new session of ZooKeeper; the next question tries again", e);
            }
        }
    }
}
