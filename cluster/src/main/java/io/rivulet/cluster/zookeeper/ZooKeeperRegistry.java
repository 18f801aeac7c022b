package io.rivulet.cluster.zookeeper;

import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of one cluster: {@code /rivulet-cluster/NAME/shards/N} and {@code .../members/ID}. Thread-safe.
 *
 * <p>When an answer is lost, the question is asked again. If it meets a conflict then, the node is read: version and
 * bytes tell whether the first attempt was made. The read comes after the conflict, so it can't be older than that.
 */
public class ZooKeeperRegistry implements Registry {
    private static final String ROOT = "/rivulet-cluster";
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRegistry.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(1);

    private final String path;
    private final Session session;
    private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param servers host:port, separated by commas
     * @param cluster its name
     * @param timeoutMillis how long a client may be silent and stay a member
     */
    public ZooKeeperRegistry(String servers, String cluster, int timeoutMillis) throws IOException {
        this.path = ROOT + "/" + cluster;
        this.session = new Session(servers, timeoutMillis, path, event -> listeners.forEach(l -> l.accept(event)));
    }

    /** For tests, which lose an answer here. */
    void answered() throws KeeperException {}

    /** For tests, which do something between a comparison and what follows from it. */
    void compared() {}

    /** For tests, which end it. */
    long sessionId() {
        return session.id();
    }

    private String shard(int shard) {
        return shardsPath() + "/" + shard;
    }

    private String shardsPath() {
        return path + "/shards";
    }

    private String membersPath() {
        return path + "/members";
    }

    @Override
    public @Nullable Versioned load(int shard) throws IOException {
        return session.ask((client, repeated) -> Optional.ofNullable(read(client, shard)))
                .orElse(null);
    }

    private @Nullable Versioned read(ZooKeeper client, int shard)
            throws KeeperException, InterruptedException, IOException {
        Stat stat = new Stat();
        try {
            byte[] bytes = client.getData(shard(shard), false, stat);
            return new Versioned(stat.getVersion(), ShardNode.decode(ByteBuffer.wrap(bytes)));
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    @Override
    public int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException {
        byte[] bytes = node.encode().array();
        int next = state == null ? 0 : state.version() + 1;
        return session.ask((client, repeated) -> {
            boolean isMade =
                    state == null ? NodeSwap.make(client, shard(shard), bytes) : replace(client, shard, state, bytes);
            answered();
            boolean wasMade = !isMade && repeated && new Versioned(next, node).equals(read(client, shard));
            return isMade || wasMade ? next : NO_VERSION;
        });
    }

    private boolean replace(ZooKeeper client, int shard, Versioned state, byte[] bytes)
            throws KeeperException, InterruptedException, IOException {
        return NodeSwap.replace(client, shard(shard), state.version(), bytes, () -> {
            boolean isSame = state.equals(read(client, shard));
            if (isSame) {
                compared();
            }
            return isSame;
        });
    }

    private static int set(ZooKeeper client, String path, int version, byte[] bytes)
            throws KeeperException, InterruptedException {
        try {
            return client.setData(path, bytes, version).getVersion();
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            return NO_VERSION;
        }
    }

    /** Creates the nodes above, too. */
    private static int create(ZooKeeper client, String path, byte[] bytes, CreateMode mode)
            throws KeeperException, InterruptedException {
        try {
            client.create(path, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
            return 0;
        } catch (KeeperException.NodeExistsException e) {
            return NO_VERSION;
        } catch (KeeperException.NoNodeException e) {
            NodeSwap.makeAbove(client, path);
            return create(client, path, bytes, mode);
        }
    }

    /**
     * A transaction before the read, so that a majority answers; a member of ZooKeeper by itself may answer with what
     * was. After that answer, its client sees nothing older.
     */
    @Override
    public boolean confirm(int shard, @Nullable Versioned state) throws IOException {
        return session.ask((client, repeated) -> {
            NodeSwap.catchUp(client, shard(shard));
            answered();
            return Objects.equals(read(client, shard), state);
        });
    }

    @Override
    public boolean join(Member self) throws IOException {
        String node = membersPath() + "/" + self.who().brokerId();
        byte[] bytes = MemberBytes.encode(self);
        return session.ask((client, repeated) -> {
            int made = create(client, node, bytes, CreateMode.EPHEMERAL);
            answered();
            return made != NO_VERSION || renew(client, node, bytes);
        });
    }

    /** Whether it is a node of this session. */
    private static boolean renew(ZooKeeper client, String node, byte[] bytes)
            throws KeeperException, InterruptedException {
        Stat stat = client.exists(node, false);
        // If it was removed meanwhile, the next attempt creates it.
        return stat != null
                && stat.getEphemeralOwner() == client.getSessionId()
                && set(client, node, stat.getVersion(), bytes) != NO_VERSION;
    }

    @Override
    public List<Member> members() throws IOException {
        return session.ask((client, repeated) -> {
            List<Member> found = new ArrayList<>();
            for (String name : children(client, membersPath())) {
                Member member = member(client, name);
                if (member != null) {
                    found.add(member);
                }
            }
            found.sort(Comparator.comparingInt(member -> member.who().brokerId()));
            return found;
        });
    }

    /** Null if it has left meanwhile, or if somebody has made this node by hand: no broker may wait for that. */
    private @Nullable Member member(ZooKeeper client, String name) throws KeeperException, InterruptedException {
        try {
            return MemberBytes.decode(name, client.getData(membersPath() + "/" + name, false, null));
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (IOException e) {
            LIMIT.log(more -> LOG.warn("A node in {} is left out: {}{}", membersPath(), e.getMessage(), more));
            return null;
        }
    }

    /** The names of all clusters of these servers. */
    public List<String> clusters() throws IOException {
        return session.ask((client, repeated) -> children(client, ROOT));
    }

    private static List<String> children(ZooKeeper client, String path) throws KeeperException, InterruptedException {
        try {
            return client.getChildren(path, false);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    @Override
    public void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
