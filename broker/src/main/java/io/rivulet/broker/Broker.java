package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.net.AnswerRule;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A broker: the network, the listeners, the pages for operators, and a {@link Shard}. Several brokers may run in one
 * process, each with its own directory.
 *
 * <p>Thread-safe. {@link #close} completes the work in progress and frees everything. Acknowledged records are durable.
 */
public final class Broker implements AutoCloseable {
    private final OpenedParts opened = new OpenedParts();
    /** Asked for the shard that is served here; null if there is none now. */
    private final Supplier<@Nullable Shard> shard;

    private final BrokerServer server;
    private final Operations operations;
    private final FailureLatch failures;
    private boolean closed;

    private Broker(BrokerConfig config, BrokerEnvironment outside) throws IOException {
        Environment environment = outside.rooms();
        this.failures = environment.failures();
        try {
            Network network = opened.add(outside.network());
            outside.disks().prepare(config);
            Encryption encryption = opened.add(new Encryption(config, failures));
            operations = opened.add(new Operations(config, encryption, network, failures));
            if (config.sharesShard()) {
                SharedShard shared = opened.add(new SharedShard(config, outside, encryption, operations));
                encryption.serve();
                shard = shared::serving;
                server = shared.server();
            } else {
                Shard own = opened.add(Shard.open(new Shard.Surroundings(
                        config,
                        Nodes.single(config),
                        environment,
                        outside.disks(),
                        encryption,
                        operations,
                        operations.replay(),
                        AnswerRule.ALWAYS)));
                encryption.serve();
                shard = () -> own;
                // Closed in this order: no new requests, no more reads, then appended records are durable and
                // acknowledged.
                server =
                        opened.add(BrokerServer.start(config, network, own.service(), operations.calls(), environment));
                own.showIn(operations, server);
            }
            failures.onFailure(server::stopServing);
        } catch (IOException | RuntimeException | Error e) {
            opened.close(e);
            throw e;
        }
    }

    /**
     * Returns when the broker serves clients.
     *
     * @param failures set when the broker fails; then it stops serving, and its owner must close it
     * @throws IOException if the directory is in use or damaged, or a listener's port is in use
     */
    public static Broker start(BrokerConfig config, FailureLatch failures) throws IOException {
        return start(config, BrokerEnvironment.local(config, failures));
    }

    /** As above, surrounded by something else than the machine. It closes the network, even if it does not start. */
    public static Broker start(BrokerConfig config, BrokerEnvironment environment) throws IOException {
        return new Broker(config, environment);
    }

    /**
     * Creates the topics that do not exist. Any thread.
     *
     * @throws IOException if one can't be created
     */
    void createTopics(List<TopicAtStart> topics) throws IOException {
        Shard own = shard.get();
        if (own == null) {
            throw new IOException("another broker owns the shard");
        }
        own.createTopics(topics);
    }

    /** The failure that stopped the broker, or null. */
    public @Nullable Throwable failure() {
        return failures.cause();
    }

    /** The addresses for clients, one for each listener. */
    public List<InetSocketAddress> addresses() {
        return server.addresses();
    }

    /** For the bootstrap.servers of a client on this machine. */
    public String bootstrapServers() {
        return "localhost:" + addresses().get(0).getPort();
    }

    /** Where pages for operators are; null if there are none. */
    public @Nullable InetSocketAddress httpAddress() {
        return operations.address();
    }

    /** Where the console alone is; null if it has no listener of its own. */
    public @Nullable InetSocketAddress consoleAddress() {
        return operations.consoleAddress();
    }

    public int queues() {
        Shard own = shard.get();
        return own == null ? 0 : own.queues();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            operations.stopping();
            opened.close("the broker was not closed cleanly");
        }
    }

    /** The name of the part that is being closed; empty before that. */
    public String closing() {
        String part = opened.closing();
        Shard own = shard.get();
        return own != null && part.equals(Shard.class.getSimpleName()) ? own.closing() : part;
    }
}
