package io.rivulet.bench.takeover;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Scrape;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Ends the owner, measures the takeover, and starts what has ended again. Owned by: the command's thread. */
final class Takeovers {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long PATIENCE_SECONDS = 180;
    private static final long BETWEEN_PROBES_MILLIS = 2;
    /** Load goes on for so long before and after: a planned stop may let acknowledgements out late. */
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<RunningBroker> brokers;
    private final LightLoad load;
    /** Those whose data directories know the shard, by id. */
    private final Set<Integer> hadShard = new HashSet<>();

    /** @param brokers by id, from 1 */
    Takeovers(List<RunningBroker> brokers, LightLoad load) {
        this.brokers = brokers;
        this.load = load;
    }

    /** @param wiped whether the owner loses its data directory */
    Takeover run(Takeover.Kind kind, boolean wiped) throws IOException, BrokerFailedException {
        calm();
        int before = ownerAsSeenBy(brokers.get(0));
        hadShard.add(before);
        RunningBroker ended = broker(before);
        int[] read = new int[brokers.size()];
        for (int i = 0; i < read.length; i++) {
            read[i] = brokers.get(i).output().length();
        }
        long endMillis = OwnerLog.millisOfDay();
        long endNanos = load.begin();
        if (kind == Takeover.Kind.KILLED) {
            ended.kill();
        } else {
            ended.terminate();
            ended.awaitEnd();
        }
        awaitAcknowledged(System.nanoTime());
        calm();
        double allMillis = (load.goesOnNanos() - endNanos) / NANOS_PER_MILLI;
        int owner = ownerAsSeenBy(other(ended));
        RunningBroker now = broker(owner);
        Map<Step, Double> figures = new EnumMap<>(Step.class);
        figures.putAll(OwnerLog.of(now.output().substring(read[owner - 1])).steps(endMillis));
        figures.put(Step.ALL, allMillis);
        Double missed = figures.get(Step.MISSED);
        Double served = figures.get(Step.SERVED);
        if (missed != null && served != null) {
            figures.put(Step.ACKNOWLEDGED, Math.max(0, allMillis - missed - served));
        }
        Scrape metrics = now.scrape();
        figures.put(Step.REPLAYED, metrics.value("rivulet_replayed_bytes") / Machine.BYTES_PER_MIB);
        Takeover done = new Takeover(kind, hadShard.add(owner), owner, figures);
        startAgain(before, wiped);
        return done;
    }

    private RunningBroker broker(int id) {
        return brokers.get(id - 1);
    }

    private RunningBroker other(RunningBroker broker) {
        return brokers.get(broker == brokers.get(0) ? 1 : 0);
    }

    private static int ownerAsSeenBy(RunningBroker broker) throws IOException, BrokerFailedException {
        int owner = broker.description().controllerId();
        if (owner < 1) {
            throw new BrokerFailedException("nobody owns the shard");
        }
        return owner;
    }

    private void calm() throws IOException, BrokerFailedException {
        awaitAcknowledged(System.nanoTime() + CALM_NANOS);
    }

    /** Waits for the acknowledgement of a record that is sent later than this. */
    private void awaitAcknowledged(long nanos) throws IOException, BrokerFailedException {
        Await.until(
                () -> load.isAcknowledged(nanos),
                PATIENCE_SECONDS,
                BETWEEN_PROBES_MILLIS,
                () -> "nothing is acknowledged: " + complaints());
    }

    private String complaints() throws IOException {
        StringBuilder text = new StringBuilder();
        for (RunningBroker each : brokers) {
            text.append(each.complaint()).append("; ");
        }
        return text.toString();
    }

    private void startAgain(int id, boolean wiped) throws IOException, BrokerFailedException {
        RunningBroker broker = broker(id);
        if (wiped) {
            broker.wipe();
            hadShard.remove(id);
        }
        broker.startAgain();
        broker.awaitKnows(brokers.size());
    }
}
