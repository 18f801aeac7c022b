package io.rivulet.cluster.registry;

import java.io.IOException;

/** The contract with the registry in memory. {@code -Drivulet.seed} repeats a run. */
final class FakeRegistryTest extends RegistryContractTest {
    private static final int MOST_EVENTS = 10_000;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final FakeRegistry registry = new FakeRegistry(seed, FakeRegistry.Bug.NONE);

    @Override
    protected Registry open() {
        return registry.client();
    }

    @Override
    protected void expire(Registry client) {
        registry.expire((FakeRegistryClient) client);
    }

    @Override
    protected void deleteNode(int shard) {
        registry.deleteNode(shard);
    }

    @Override
    protected void deleteMember(int brokerId) {
        registry.deleteMember(brokerId);
    }

    @Override
    protected void await(Condition condition) throws IOException {
        for (int i = 0; i < MOST_EVENTS; i++) {
            if (condition.holds()) {
                return;
            }
            registry.deliverOne();
        }
        throw new AssertionError("seed " + seed + ": it never holds");
    }
}
