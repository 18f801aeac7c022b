package io.rivulet.simulation;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.rivulet.broker.Broker;
import io.rivulet.broker.BrokerEnvironment;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.net.Transport;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.TappedDisk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One life of a broker, from its start to the end of its power. */
final class SimulatedBroker {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_MICROS_OF_A_STEP = 200;

    private static final Map<String, String> CONFIG = Map.ofEntries(
            Map.entry("log.dirs", "simulated"),
            Map.entry("node.id", "1"),
            Map.entry("rivulet.http.listener", ""),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
            Map.entry("super.users", "User:ANONYMOUS"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.share.delivery.count.limit", "10"),
            Map.entry("offsets.topic.num.partitions", "2"),
            Map.entry("transaction.state.log.num.partitions", "2"),
            Map.entry("rivulet.disk.headroom", "0"));

    /** Small, so that segments, groups and block files fill up and roll within a life. */
    private static StoreConfig small(StoreConfig config, long maxReplayBytes) {
        return config.withLog(LocalLogConfig.DEFAULT
                        .withGroups(3, 64 << 10)
                        .withSegmentBytes(128 << 10)
                        .withSpareSegments(1)
                        .withInPlace(4 << 10))
                .withMemory(256 << 10, 1 << 20)
                .withMaxReplayBytes(maxReplayBytes)
                .withMerge(new MergeConfig(
                        new MergePolicy(2, 3, 4, 32 << 10), new BlockFileLimits(4 << 10, 24 << 10, 1000), 8 << 10, 0))
                .withCompaction(
                        new CompactionConfig(256 << 10, 1, 16 << 10, new BlockFileLimits(4 << 10, 24 << 10, 1000)));
    }

    private static final BrokerConfig BROKER = BrokerConfig.of(CONFIG);
    private static final StoreMetric[] WORK = {
        StoreMetric.LOG_GROUPS, StoreMetric.SWEEP_CYCLES, StoreMetric.MERGES, StoreMetric.COMPACTIONS
    };
    private static final long[] MAX_REPLAY_BYTES = {1, 32 << 10, 128 << 10};

    final SimulatedTime time;
    final Power power;
    final Trace trace;
    private final SplittableRandom random;
    private final SimulatedWorkers workers;
    private final SimulatedThreads threads;
    private final SimulatedLoops loops;
    private final FailureLatch failures = new FailureLatch();
    private @Nullable Broker broker;
    private @Nullable Store store;
    private @Nullable ChannelInitializer<Channel> connections;
    private @Nullable RuntimeException found;
    private int connected;
    private long nextTickNanos;

    SimulatedBroker(SimulatedTime time, Power power, Trace trace, SplittableRandom random) {
        this.time = time;
        this.power = power;
        this.trace = trace;
        this.random = random;
        this.workers = new SimulatedWorkers(random.nextLong(), 1 + random.nextInt(6));
        this.threads = new SimulatedThreads(workers, time);
        this.loops = new SimulatedLoops(Stream.of("event-loop-1", "event-loop-2")
                .map(name -> new SimulatedLoop(name, time, workers, failures))
                .toList());
        this.nextTickNanos = time.nanos() + SECOND;
    }

    /** Returns when the broker serves, or the power is cut. */
    void start(CrashDisk disk, Tampering tampering) {
        StoreConfig config = small(BROKER.store(), MAX_REPLAY_BYTES[random.nextInt(MAX_REPLAY_BYTES.length)]);
        Environment rooms = new Environment(time.clock(), failures, threads, ids());
        BrokerEnvironment.Disks disks = new BrokerEnvironment.Disks() {
            @Override
            public void prepare(BrokerConfig ignored) {}

            @Override
            public Store open(BrokerConfig ignored, Attachments attachments) throws IOException {
                StoreEnvironment environment = new StoreEnvironment(
                        new TappedDisk(trace.of(tampering.disk(disk)), SimulatedBroker.this::io),
                        workers,
                        rooms.clock(),
                        failures);
                store = tampering.store(LocalStore.open(config, environment, tampering.attachments(attachments)));
                return store;
            }
        };
        try {
            broker = Broker.start(BROKER, new BrokerEnvironment(rooms, disks, network()));
        } catch (IOException | RuntimeException e) {
            if (!power.isOff()) {
                throw Promise.STARTS_AND_WORKS.broken("the broker does not start", e);
            }
        }
        requireNotFailed();
    }

    private Network network() {
        return new Network() {
            @Override
            public EventLoopGroup eventLoops() {
                return loops;
            }

            @Override
            public EventLoopGroup acceptors() {
                return loops;
            }

            @Override
            public Transport transport() {
                return Transport.NIO;
            }

            @Override
            public @Nullable Channel listen(
                    ServerBootstrap server, InetSocketAddress address, ChannelInitializer<Channel> initializer) {
                connections = initializer;
                return null;
            }

            @Override
            public void close() {}
        };
    }

    private RandomIds ids() {
        SplittableRandom own = random.split();
        return new RandomIds() {
            @Override
            public UUID uuid() {
                return new UUID(own.nextLong(), own.nextLong());
            }

            @Override
            public int positive() {
                return own.nextInt(1, Integer.MAX_VALUE);
            }
        };
    }

    private void io() {
        power.io();
        if (!threads.isInExecutor() && !power.isOff()) {
            workers.duringIo();
        }
    }

    // ---- clients ----

    /** Starts work of a client: it runs when it is signalled, as the threads of the broker. */
    Runnable actor(String name, Runnable work) {
        return workers.start(name, () -> {
            if (!power.isOff()) {
                act(work);
            }
        })::signal;
    }

    /** What a client finds must not look like a failure of the thread of the broker that it runs in. */
    private void act(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            found = found == null ? e : found;
        }
    }

    /** A connection that the broker has accepted. */
    SimulatedChannel connect(SimulatedChannel.Peer peer) {
        SimulatedChannel channel = new SimulatedChannel(connected++, peer);
        channel.pipeline().addLast(Objects.requireNonNull(connections));
        var unused = loops.next().register(channel);
        return channel;
    }

    // ---- the course of time ----

    /** Something happens; if nothing can, time passes until a timer is due, but not beyond the given time. */
    void step(long untilNanos) {
        time.pass(TimeUnit.MICROSECONDS.toNanos(1 + random.nextInt(MOST_MICROS_OF_A_STEP)));
        wakeDue();
        if (!workers.runOne()) {
            long next = Math.min(nextTickNanos, untilNanos);
            next = Math.min(next, threads.nextDueNanos());
            for (SimulatedLoop loop : loops.all()) {
                next = Math.min(next, loop.nextDueNanos());
            }
            time.pass(Math.max(0, next - time.nanos()));
        }
        requireNotFailed();
    }

    private void wakeDue() {
        threads.wakeDue();
        for (SimulatedLoop loop : loops.all()) {
            if (loop.nextDueNanos() <= time.nanos()) {
                loop.wakeIfDue();
            }
        }
        if (time.nanos() >= nextTickNanos) {
            nextTickNanos = time.nanos() + SECOND;
            Objects.requireNonNull(store).tick();
        }
    }

    private void requireNotFailed() {
        RuntimeException wrong = found;
        if (wrong != null) {
            throw wrong;
        }
        Throwable failure = failures.cause();
        if (failure != null && !power.isOff()) {
            throw Promise.STARTS_AND_WORKS.broken("the broker has failed", failure);
        }
    }

    /** The life is over: what the store has done in it. */
    void countWork() {
        Store used = store;
        if (used != null) {
            for (StoreMetric metric : WORK) {
                trace.count(metric.name(), used.metric(metric));
            }
        }
        trace.count("lives that served", connections == null ? 0 : 1);
        trace.count("I/Os", power.operations());
    }

    /** Closes the broker, as after SIGTERM; the power is still on. */
    void close() {
        try {
            Objects.requireNonNull(broker).close();
        } catch (IOException | RuntimeException e) {
            throw Promise.STARTS_AND_WORKS.broken("the broker can't be closed", e);
        }
        requireNotFailed();
    }
}
