package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Running;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of one classic group. Owned by: the command's thread. */
final class ClassicMembers implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final Running running;
    private final Rebalance rebalance = new Rebalance();
    private final List<ClassicMember> members = new ArrayList<>();

    ClassicMembers(RunningBroker broker, String group, int count, String topic, int partitions) throws IOException {
        running = new Running(broker);
        for (int i = 0; i < count; i++) {
            members.add(new ClassicMember(broker, group, topic, partitions, rebalance));
        }
    }

    List<ClassicMember> all() {
        return members;
    }

    /** Returns the milliseconds until all members are in one generation and have their assignments. */
    double join() throws IOException, BrokerFailedException {
        CompletableFuture<Double> done = rebalance.begin(members.size());
        members.forEach(running::start);
        return await(done);
    }

    /** Removes the last member. Returns the milliseconds until the others have its partitions. */
    double oneLeaves() throws IOException, BrokerFailedException {
        CompletableFuture<Double> done = rebalance.begin(members.size() - 1);
        members.get(members.size() - 1).leave();
        return await(done);
    }

    /** The newest generation. */
    int generation() {
        return rebalance.generation();
    }

    private double await(CompletableFuture<Double> done) throws IOException, BrokerFailedException {
        running.watch(done, PATIENCE_SECONDS);
        Double millis = done.getNow(null);
        if (millis == null) {
            throw new BrokerFailedException("the group is not stable after " + PATIENCE_SECONDS + " s");
        }
        return millis;
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
