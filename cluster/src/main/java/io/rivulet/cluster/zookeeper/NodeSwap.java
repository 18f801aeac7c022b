package io.rivulet.cluster.zookeeper;

import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Makes and replaces nodes of ZooKeeper that are below the same node. ZooKeeper compares only versions, and those of a
 * node that was deleted and made again begin anew. So the caller compares the state. If the node was made again
 * afterwards, the node above has another version.
 */
public final class NodeSwap {
    private static final byte[] EMPTY = {};
    private static final int ANY_VERSION = -1;

    /** Compares the node with the state that is to be replaced. */
    @FunctionalInterface
    public interface Comparison<E extends Exception> {
        boolean isSame() throws KeeperException, InterruptedException, E;
    }

    private NodeSwap() {}

    /**
     * Raises the version of the node above, too: so others see that a node was made. Makes that one if there is none.
     *
     * @return false if the node exists
     */
    public static boolean make(ZooKeeper client, String path, byte[] bytes)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                client.multi(List.of(
                        Op.create(path, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                        Op.setData(above(path), EMPTY, ANY_VERSION)));
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            } catch (KeeperException.NoNodeException e) {
                makeAbove(client, path);
            }
        }
    }

    private static String above(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** Makes the nodes above that do not exist. */
    static void makeAbove(ZooKeeper client, String path) throws KeeperException, InterruptedException {
        boolean isMade = false;
        while (!isMade) {
            try {
                client.create(above(path), EMPTY, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                isMade = true;
            } catch (KeeperException.NodeExistsException e) {
                isMade = true;
            } catch (KeeperException.NoNodeException e) {
                makeAbove(client, above(path));
            }
        }
    }

    /**
     * Replaces the node if it has the state.
     *
     * @param version of that state
     * @return false if it has another one
     */
    public static <E extends Exception> boolean replace(
            ZooKeeper client, String path, int version, byte[] bytes, Comparison<E> state)
            throws KeeperException, InterruptedException, E {
        while (true) {
            catchUp(client, path);
            Stat above = client.exists(above(path), false);
            if (above == null || !state.isSame()) {
                return false;
            }
            try {
                client.multi(List.of(Op.check(above(path), above.getVersion()), Op.setData(path, bytes, version)));
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                // It has another state, or another node was made: the next comparison shows which.
            }
        }
    }

    /**
     * A majority answers: after that, this client sees nothing older. A member of ZooKeeper that is cut off from the
     * others can't answer.
     */
    public static void catchUp(ZooKeeper client, String path) throws KeeperException, InterruptedException {
        try {
            client.multi(List.of(Op.check(path, ANY_VERSION)));
        } catch (KeeperException.NoNodeException e) {
            // That is an answer, too.
        }
    }
}
