package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Engine.Versioned;
import io.rivulet.cluster.zookeeper.NodeSwap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Records as nodes of ZooKeeper. Nothing depends on a session, so one that has expired is replaced. Thread-safe.
 *
 * <p>When a connection breaks during a swap, the swap is repeated. If that is a conflict, version and bytes of what is
 * there tell whether the first one was made. A read before it could be old.
 */
class Records implements AutoCloseable {
    /** A question to ZooKeeper, asked again when the connection was lost. */
    private interface Question<T> {
        T ask(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    private static final String ROOT = "/rivulet";
    private static final int SESSION_MILLIS = 6_000;
    /** A server that does not answer is left after two thirds of a session. */
    private static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(SESSION_MILLIS);

    private final String registry;
    private ZooKeeper client;

    Records(String registry) throws IOException {
        this.registry = registry;
        this.client = connect();
    }

    /** For tests, which do something between a comparison and what follows from it. */
    void compared() {}

    private ZooKeeper connect() throws IOException {
        return new ZooKeeper(registry, SESSION_MILLIS, event -> {});
    }

    private static String path(String name) {
        return ROOT + "/" + name;
    }

    /** Never old: a majority answers the transaction before the read, and the client then sees nothing older. */
    @Nullable
    Versioned load(String name) throws IOException {
        return ask(zookeeper -> {
                    NodeSwap.catchUp(zookeeper, path(name));
                    return Optional.ofNullable(read(zookeeper, name));
                })
                .orElse(null);
    }

    private static @Nullable Versioned read(ZooKeeper zookeeper, String name)
            throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        try {
            byte[] bytes = zookeeper.getData(path(name), false, stat);
            return new Versioned(stat.getVersion(), ByteBuffer.wrap(bytes));
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    /** The names of all records. */
    List<String> names() throws IOException {
        return ask(zookeeper -> {
            try {
                return zookeeper.getChildren(ROOT, false);
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            }
        });
    }

    int swap(String name, @Nullable Versioned state, ByteBuffer record) throws IOException {
        byte[] bytes = new byte[record.remaining()];
        record.duplicate().get(bytes);
        int next = state == null ? 0 : state.version() + 1;
        boolean[] repeated = new boolean[1];
        return ask(zookeeper -> {
            boolean isRepeated = repeated[0];
            repeated[0] = true;
            boolean isMade = state == null
                    ? NodeSwap.make(zookeeper, path(name), bytes)
                    : replace(zookeeper, name, state, bytes);
            boolean wasMade =
                    !isMade && isRepeated && new Versioned(next, ByteBuffer.wrap(bytes)).equals(read(zookeeper, name));
            return isMade || wasMade ? next : Engine.NO_VERSION;
        });
    }

    private boolean replace(ZooKeeper zookeeper, String name, Versioned state, byte[] bytes)
            throws KeeperException, InterruptedException {
        return NodeSwap.replace(zookeeper, path(name), state.version(), bytes, () -> {
            boolean isSame = state.equals(read(zookeeper, name));
            if (isSame) {
                compared();
            }
            return isSame;
        });
    }

    private synchronized <T> T ask(Question<T> question) throws IOException {
        long startNanos = System.nanoTime();
        KeeperException last = null;
        while (last == null || System.nanoTime() - startNanos < REPEAT_NANOS) {
            try {
                return question.ask(client);
            } catch (KeeperException.SessionExpiredException e) {
                last = e;
                reconnect();
            } catch (KeeperException.ConnectionLossException e) {
                last = e;
            } catch (KeeperException e) {
                throw new IOException("ZooKeeper refuses: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                throw BookKeeperEngine.interrupted(e);
            }
        }
        throw new IOException("ZooKeeper can't be reached", last);
    }

    private void reconnect() throws IOException {
        close();
        client = connect();
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            client.close();
        } catch (InterruptedException e) {
            throw BookKeeperEngine.interrupted(e);
        }
    }
}
