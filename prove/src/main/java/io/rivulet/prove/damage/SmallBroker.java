package io.rivulet.prove.damage;

import io.rivulet.broker.Broker;
import io.rivulet.broker.BrokerEnvironment;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.environment.Environment;
import io.rivulet.store.Store;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A broker in this JVM whose store is so small that each kind of file is there several times in two megabytes.
 *
 * <p>Owned by: one thread.
 */
public final class SmallBroker implements AutoCloseable {
    static final String SERVERS_ADMIN = "User:ANONYMOUS";

    private static final int KIB = 1 << 10;
    private static final int TAIL_BYTES = 512 * KIB;

    private final Broker broker;

    private SmallBroker(Broker broker) {
        this.broker = broker;
    }

    /**
     * @param segmentBytes of the log; large ones are never trimmed
     * @throws IOException if the start refuses the directory
     */
    public static SmallBroker start(Path directory, long segmentBytes) throws IOException {
        return new SmallBroker(Broker.start(config(directory, segmentBytes), new FailureLatch()));
    }

    /**
     * As above, at another time: what is in the directory is not older than it should be.
     *
     * @param millis the time now
     */
    public static SmallBroker start(Path directory, long segmentBytes, LongSupplier millis) throws IOException {
        BrokerConfig config = config(directory, segmentBytes);
        FailureLatch failures = new FailureLatch();
        Environment rooms = Environment.of(StoreClock.trusting(millis), failures);
        BrokerEnvironment machine = BrokerEnvironment.local(config, failures);
        BrokerEnvironment.Disks disks = new BrokerEnvironment.Disks() {
            @Override
            public void prepare(BrokerConfig of) throws IOException {
                machine.disks().prepare(of);
            }

            @Override
            public Store open(BrokerConfig of, Attachments attachments) throws IOException {
                return LocalStore.open(
                        of.store(), StoreEnvironment.local(of.dataDirectory(), rooms.clock(), failures), attachments);
            }
        };
        return new SmallBroker(Broker.start(config, new BrokerEnvironment(rooms, disks, machine.network())));
    }

    private static BrokerConfig config(Path directory, long segmentBytes) {
        Map<String, String> properties = Map.ofEntries(
                Map.entry("listeners", "PLAINTEXT://localhost:0"),
                Map.entry("log.dirs", directory.toString()),
                Map.entry("rivulet.http.listener", "none"),
                Map.entry("rivulet.read.threads", "1"),
                Map.entry("num.network.threads", "1"),
                Map.entry("node.id", "0"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("transaction.max.timeout.ms", String.valueOf(Integer.MAX_VALUE)),
                // it may live in the past, and its clients do not
                Map.entry("log.message.timestamp.after.max.ms", String.valueOf(Long.MAX_VALUE)),
                Map.entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                Map.entry("super.users", SERVERS_ADMIN));
        return with(BrokerConfig.of(properties), store(segmentBytes));
    }

    private static StoreConfig store(long segmentBytes) {
        LocalLogConfig log = LocalLogConfig.DEFAULT
                .withGroups(6, 64 * KIB)
                .withSegmentBytes(segmentBytes)
                .withSpareSegments(1)
                .withInPlace(4 * KIB);
        MergeConfig merge = new MergeConfig(
                new MergePolicy(3, 3, 6, 32 * KIB), new BlockFileLimits(4 * KIB, 48 * KIB, 1000), 64 * KIB, 0);
        return new StoreConfig(
                log,
                TAIL_BYTES,
                1 << 20,
                new StoreConfig.Waiting(4096, 8 << 20),
                TAIL_BYTES,
                merge,
                new CompactionConfig(1 << 20, 50, 1 << 20, BlockFileLimits.MERGE),
                StoreConfig.DEFAULT.setAsideMillis());
    }

    /** The properties have no such small sizes. */
    private static BrokerConfig with(BrokerConfig config, StoreConfig store) {
        RecordComponent[] parts = BrokerConfig.class.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                values[i] = parts[i].getType() == StoreConfig.class
                        ? store
                        : parts[i].getAccessor().invoke(config);
            }
            Class<?>[] types =
                    Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return BrokerConfig.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return broker.addresses().get(0).getPort();
    }

    public String servers() {
        return broker.bootstrapServers();
    }

    /** Null if it has not failed. */
    public @Nullable Throwable failure() {
        return broker.failure();
    }

    @Override
    public void close() throws IOException {
        broker.close();
    }
}
