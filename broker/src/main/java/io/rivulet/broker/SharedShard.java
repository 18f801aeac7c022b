package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.health.Health;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.ClusterFacts.Role;
import io.rivulet.broker.metrics.ClusterFacts.Steps;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.Relay;
import io.rivulet.broker.node.Endpoints;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardService.Membership;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a broker in a shard that several brokers own by turns (docs/decisions/0061-failover.md): opens and serves
 * it while this one does, and relays clients to the owner while another one does.
 *
 * <p>Thread-safe.
 */
final class SharedShard implements Tenant, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedShard.class);

    private final BrokerConfig config;
    private final Encryption encryption;
    private final Operations operations;
    private final Relay relay;
    private final BrokerServer server;
    private final Membership membership;
    private final Takeovers takeovers = new Takeovers();
    private volatile Overview overview = new Overview(List.of(), Overview.NOBODY, 0);
    /** Null while clients are relayed. */
    private volatile @Nullable Shard serving;

    SharedShard(BrokerConfig config, BrokerEnvironment outside, Encryption encryption, Operations operations)
            throws IOException {
        this.config = config;
        this.encryption = encryption;
        this.operations = operations;
        Environment process = outside.rooms();
        Shard.check(config, process.failures()); // or a mistake would be found when this broker has claimed the shard
        relay = new Relay(
                outside.network().transport(),
                process.failures(),
                config.connections().idleMillis());
        operations.following(Health.NOBODY);
        server = BrokerServer.start(config, outside.network(), encryption, relay, operations.calls(), process);
        operations.inCluster(this::facts, server);
        try {
            membership = ServiceLoader.load(ShardService.class)
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of the class path can share a shard"))
                    .join(
                            config.cluster(),
                            new Peer(config.nodeId(), endpoints()),
                            config.clusterSessionMillis(),
                            this);
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        } catch (IOException e) {
            server.close();
            throw new IOException(
                    BrokerKey.CLUSTER.key() + "=" + config.cluster() + ": " + e.getMessage()
                            + ". docs/CLUSTER.md says how to start the machines and the brokers",
                    e);
        }
    }

    /** Those of the listeners, and the console if others can reach it. */
    private String endpoints() {
        String ofListeners = PeerEndpoints.of(config, server.addresses());
        String console = operations.consoleFor(config.listeners().get(0).advertisedHost());
        return console.isEmpty() ? ofListeners : ofListeners + "," + console;
    }

    BrokerServer server() {
        return server;
    }

    /** The shard, while clients are served here. */
    @Nullable
    Shard serving() {
        return serving;
    }

    // ---- as the owner ----

    @Override
    public Tenure open(Claim claim) throws IOException {
        takeovers.begun(claim);
        try {
            return opened(claim);
        } catch (Throwable e) {
            takeovers.ended(claim, false);
            throw e;
        }
    }

    private Tenure opened(Claim claim) throws IOException {
        FailureLatch failures = new FailureLatch();
        Environment environment = Environment.of(StoreClock.system(config.clockStepPatienceMillis()), failures);
        opening(claim);
        Shard shard = Shard.open(new Shard.Surroundings(
                config,
                Nodes.cluster(config, () -> overview, Math.toIntExact(claim.epoch())),
                environment,
                new DisksOf(claim, environment),
                encryption,
                operations,
                (done, total) -> {
                    operations.replay().replaying(done, total);
                    goOn(claim);
                },
                key -> key == ApiKey.PRODUCE || claim.mayAnswer()));
        return new Tenure() {
            private volatile boolean mayBeCalled;
            private volatile boolean hasServed;

            @Override
            public void serve(Takeover steps) {
                long startNanos = System.nanoTime();
                mayBeCalled = true;
                show(shard);
                hasServed = true;
                Steps all = new Steps(steps, System.nanoTime() - startNanos);
                takeovers.completed(all);
                LOG.info("This broker serves the shard, epoch {}, {}", claim.epoch(), Takeovers.text(all));
            }

            @Override
            public boolean hasFailed() {
                return failures.isSet();
            }

            @Override
            public void close() throws IOException {
                hide();
                takeovers.ended(claim, hasServed);
                if (mayBeCalled) { // otherwise clients wait for the next owner
                    server.closeConnections(); // as in a broker by itself: no call runs when the store is closed
                }
                shard.close();
            }
        };
    }

    /**
     * Nothing is relayed from now on: the owner before may relay to this broker, and clients would go round. Unless
     * this broker has already heard of the owner after.
     */
    private synchronized void opening(Claim claim) {
        if (overview.epoch() <= claim.epoch()) {
            relay.owner(null);
            operations.opening();
        }
    }

    private synchronized void show(Shard shard) {
        serving = shard;
        shard.showIn(operations, server);
        server.show(shard.service());
    }

    private synchronized void hide() {
        serving = null;
        operations.following(owner());
        server.show(relay);
    }

    private static void goOn(Claim claim) {
        try {
            claim.progress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The data directory, with the log of the claim. */
    private record DisksOf(Claim claim, Environment environment) implements BrokerEnvironment.Disks {
        @Override
        public void prepare(BrokerConfig config) {
            // The process has done it.
        }

        @Override
        public Store open(BrokerConfig config, Attachments attachments) throws IOException {
            StoreEnvironment machine =
                    StoreEnvironment.local(config.dataDirectory(), environment.clock(), environment.failures());
            return LocalStore.open(config.store(), machine.withLogOf(claim), attachments);
        }
    }

    // ---- for operators ----

    private ClusterFacts facts() {
        Overview now = overview;
        boolean isOwner = serving != null;
        return new ClusterFacts(
                isOwner ? Role.OWNER : takeovers.isOpening() ? Role.OPENING : Role.FOLLOWER,
                isOwner ? config.nodeId() : now.ownerId(),
                Math.max(now.epoch(), takeovers.epoch()),
                Math.max(1, now.peers().size()),
                consoleOf(now),
                takeovers.counts(),
                takeovers.log(),
                new ClusterFacts.Relayed(relay.open(), relay.waiting(), relay.total()));
    }

    /** The address of the owner's console; empty if it is not known. */
    private static String consoleOf(Overview now) {
        return now.peers().stream()
                .filter(peer -> peer.id() == now.ownerId())
                .findFirst()
                .map(peer -> Operations.consoleAt(Endpoints.parse(peer.endpoints())))
                .orElse("");
    }

    // ---- as a follower ----

    @Override
    public synchronized void changed(Overview now) {
        Overview before = overview;
        overview = now;
        if (serving == null && before.ownerId() != now.ownerId()) {
            if (now.ownerId() != config.nodeId()) { // otherwise it is opened here
                operations.following(owner());
            }
            relay.owner(null);
            server.show(relay); // leaves the owner before
        }
        relay.owner(ownerOf(now));
    }

    private String owner() {
        int id = overview.ownerId();
        return id == Overview.NOBODY || id == config.nodeId() ? Health.NOBODY : "broker " + id;
    }

    private Relay.@Nullable Owner ownerOf(Overview now) {
        return now.peers().stream()
                .filter(peer -> peer.id() == now.ownerId() && peer.id() != config.nodeId())
                .findFirst()
                .map(peer -> PeerEndpoints.ownerAt(peer.endpoints()))
                .orElse(null);
    }

    /** Gives the shard to others first. */
    @Override
    public void close() throws IOException {
        try {
            membership.close();
        } finally {
            server.close();
        }
    }
}
