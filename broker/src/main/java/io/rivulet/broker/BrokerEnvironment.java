package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.net.EventLoops;
import io.rivulet.broker.net.Network;
import io.rivulet.broker.net.Transport;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;

/**
 * Everything that a broker gets from outside: disk, clock, threads, random ids, sockets. A simulation replaces all of
 * it, and assembles the same broker (docs/decisions/0057-whole-broker-simulation.md). Immutable.
 *
 * @param rooms what the rooms of the broker get
 */
public record BrokerEnvironment(Environment rooms, Disks disks, Network network) {
    /** Where the store of a broker is. */
    public interface Disks {
        /** Creates the data directory if it does not exist. */
        void prepare(BrokerConfig config) throws IOException;

        Store open(BrokerConfig config, Attachments attachments) throws IOException;
    }

    /**
     * The machine, with the data directory of the configuration.
     *
     * @throws ConfigException if the machine does not have the transport that is asked for
     */
    public static BrokerEnvironment local(BrokerConfig config, FailureLatch failures) {
        Transport transport = Transport.of(config.transport());
        Environment rooms = Environment.of(StoreClock.system(config.clockStepPatienceMillis()), failures);
        return new BrokerEnvironment(
                rooms,
                new LocalDisks(rooms),
                Network.sockets(
                        transport,
                        new EventLoops("acceptor", 1, transport, failures),
                        new EventLoops("event-loop", config.networkThreads(), transport, failures)));
    }

    private record LocalDisks(Environment rooms) implements Disks {
        @Override
        public void prepare(BrokerConfig config) throws IOException {
            StoreEnvironment.createDirectory(config.dataDirectory());
        }

        @Override
        public Store open(BrokerConfig config, Attachments attachments) throws IOException {
            StoreEnvironment machine = StoreEnvironment.local(config.dataDirectory(), rooms.clock(), rooms.failures());
            String cluster = config.cluster();
            return LocalStore.open(
                    config.store(), cluster.isEmpty() ? machine : inCluster(machine, cluster), attachments);
        }

        private static StoreEnvironment inCluster(StoreEnvironment machine, String cluster) throws IOException {
            try {
                return machine.withLogAt(cluster);
            } catch (IOException e) {
                throw new IOException(
                        BrokerKey.CLUSTER.key() + "=" + cluster + ": " + e.getMessage()
                                + ". docs/CLUSTER.md says how to start the machines and the broker",
                        e);
            }
        }
    }
}
