package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A process: a thread that takes the steps of its host, and clients that append and read. */
final class SimulatedBroker {
    private static final long CLIENT_NANOS = 100_000_000;
    private static final int CLIENTS = 2;
    private static final int ACTIONS = 60;
    private static final int READS = 30;
    private static final long HANG_NANOS = 1_000_000_000;

    final FakeRegistryClient client;
    final ShardHost host;
    private final ShardSimulation simulation;
    private final Registry registry;
    private final Incarnation who;
    private final SplittableRandom random;
    private final ShardBug bug;
    private @Nullable SimulatedShard shard;
    private final Runnable wakeUp;
    /** Those that run. */
    private int openings;

    private boolean hangs;
    private boolean opensNothing;
    private boolean readsOnly;
    private boolean waits;
    private boolean isLeaving;
    /** Nothing of it runs until then. */
    long pausedUntilNanos;
    /** When the registry heard of it, the last time. */
    long heardNanos;

    /** Its clock against the real one. */
    private final double rate;

    private final long startNanos;

    SimulatedBroker(ShardSimulation simulation, FakeRegistryClient client, Incarnation who, SplittableRandom random) {
        this.simulation = simulation;
        this.client = client;
        this.who = who;
        this.random = random;
        this.bug = simulation.bug();
        this.rate = bug.rate(random);
        this.heardNanos = simulation.nowNanos();
        this.startNanos = random.nextLong();
        this.registry = bug.registry(client);
        Member self = new Member(who, "PLAINTEXT://broker:" + who.brokerId());
        this.host = new ShardHost(
                registry, ShardSimulation.SHARD, self, this::open, this::execute, bug.times(), this::clock);
        this.wakeUp = simulation.start(this, this::takeSteps);
        client.listen(event -> wakeUp());
    }

    private void wakeUp() {
        if (waits) {
            wakeUp.run();
        }
    }

    private void execute(Runnable task) {
        simulation.start(this, () -> {
            task.run();
            wakeUp();
        });
    }

    int id() {
        return who.brokerId();
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /** As at a SIGTERM. */
    void leave() {
        isLeaving = true;
        host.release();
    }

    private long clock() {
        return startNanos + (long) (simulation.nowNanos() * rate);
    }

    /** Without appends, an owner does not notice that it is fenced. */
    void readsOnly(boolean only) {
        readsOnly = only;
    }

    void opensNothing(boolean nothing) {
        opensNothing = nothing;
    }

    /** Whether openings neither succeed nor fail. */
    void hangs(boolean openingsHang) {
        hangs = openingsHang;
    }

    private Tenure open(ShardNode claim, Lease lease, ShardOpener.Progress progress) throws IOException {
        openings++;
        simulation.claimed(claim.epoch(), openings);
        try {
            while (hangs) {
                simulation.sleep(HANG_NANOS);
            }
            if (opensNothing) {
                throw new IOException("no bookie answers");
            }
            simulation.sleep(random.nextBoolean() ? 0 : random.nextLong(ShardSimulation.LOAD_NANOS));
            SimulatedShard opened = new SimulatedShard(
                    registry, simulation.log(), claim, who, lease, simulation::pause, this::startClients);
            opened.load(progress, bug != ShardBug.DOES_NOT_FENCE);
            shard = opened;
            return opened;
        } finally {
            openings--;
        }
    }

    private void startClients() {
        SimulatedShard used = shard;
        for (int i = 0; used != null && i < CLIENTS; i++) {
            simulation.start(this, () -> useShard(used));
        }
    }

    private void takeSteps() {
        while (!host.hasLeft()) {
            long nanos = (long) (host.stepOrFail() / rate);
            waits = true;
            simulation.sleep(nanos);
            waits = false;
        }
        client.close();
    }

    private void useShard(SimulatedShard used) {
        while (used.serves) {
            simulation.sleep(random.nextLong(CLIENT_NANOS));
            int action = random.nextInt(ACTIONS);
            if (readsOnly || action < READS) {
                read(used);
            } else if (action < ACTIONS - 1) {
                simulation.appended(used.append());
            } else {
                used.roll();
            }
        }
    }

    /** An answer from state, which the lease allows to leave. */
    private void read(SimulatedShard used) {
        boolean early = used.lease.holds();
        if (bug == ShardBug.CHECKS_THE_LEASE_BEFORE_IT_READS) {
            simulation.pause();
        }
        long acknowledged = simulation.log().acknowledged;
        long known = used.known;
        simulation.pause();
        if (bug == ShardBug.CHECKS_THE_LEASE_BEFORE_IT_READS ? early : used.lease.holds()) {
            simulation.answered(this, known, acknowledged);
        }
    }
}
