package io.rivulet.bench.takeover;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.LabCommand;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Scrape;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "takeover",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Kill the owner of a cluster with a million queues again and again, under a light load.",
            "Three brokers and three engines on this machine. Prints how long each step of a takeover takes."
        })
public final class TakeoverCommand extends LabCommand {
    private static final String TOPIC = "queues";
    private static final int BATCHES_PER_REQUEST = 500;
    private static final int MAX_FILES = 20_000;
    /** Requests between two looks at the tail. */
    private static final int REQUESTS_AT_ONCE = 200;
    /** The sweep begins at three quarters. */
    private static final double FULL = 0.7;

    @Option(
            names = "--queues",
            defaultValue = "1000000",
            description = "queues, with a message or more in each (default: ${DEFAULT-VALUE})")
    private int queues;

    @Option(names = "--kills", defaultValue = "50", description = "kills of the owner (default: ${DEFAULT-VALUE})")
    private int kills;

    @Option(names = "--stops", defaultValue = "10", description = "planned stops of it (default: ${DEFAULT-VALUE})")
    private int stops;

    @Option(
            names = "--wipe-every",
            defaultValue = "5",
            description = {
                "one of so many owners that end loses its data directory,",
                "so that its next takeover reads the whole log",
                "(default: ${DEFAULT-VALUE}; 0: none)"
            })
    private int wipeEvery;

    @Option(
            names = "--heap-mib",
            defaultValue = "1024",
            description = "maximum heap of each broker (default: ${DEFAULT-VALUE})")
    private int heapMib;

    @Override
    public Integer call() throws IOException, BrokerFailedException {
        String circumstances = String.format(
                "%s; %,d queues, %d kills, %d stops, one of %d owners is wiped, heap of each broker %d MiB%n",
                Machine.describe(), queues, kills, stops, wipeEvery, heapMib);
        out().println(circumstances);
        List<Takeover> done = new ArrayList<>();
        long failed;
        try (DataDirectory data = data()) {
            Lab lab = Lab.ofRivulet(data.path(), MAX_FILES, "-Xmx" + heapMib + "m " + rivuletOptions());
            try (RunningBroker first = lab.start(Subject.RIVULET_FAILOVER)) {
                fill(first);
                failed = run(first, done);
            }
        }
        String table = TakeoverTable.of(done);
        out().println(table);
        out().println("records of the light load that were not acknowledged: " + failed);
        Path target = Files.createDirectories(Lab.inProject("bench/target/takeover"));
        Files.writeString(target.resolve("table.md"), circumstances + "\n" + table);
        out().println("stored in " + target);
        return 0;
    }

    /** A message in each queue, and more until the tail is full. */
    private void fill(RunningBroker owner) throws IOException, BrokerFailedException {
        Topics.create(owner, LightLoad.TOPIC, LightLoad.PARTITIONS);
        double created = Topics.create(owner, TOPIC, queues);
        Frames frames = ProduceFrames.of(TOPIC, new LoadShape(queues, Math.min(queues, BATCHES_PER_REQUEST), 1));
        double seconds = Filling.run(owner, frames, frames.count());
        int more = 0;
        while (tailShare(owner) < FULL) {
            seconds += Filling.run(owner, frames, REQUESTS_AT_ONCE);
            more += REQUESTS_AT_ONCE;
        }
        out().printf(
                        "created in %.1f s, filled in %.1f s: %,d requests of %d messages; tail full to %.0f %%%n",
                        created, seconds, frames.count() + more, frames.messagesPerFrame(), 100 * tailShare(owner));
        out().flush();
    }

    private static double tailShare(RunningBroker owner) throws IOException {
        Scrape metrics = owner.scrape();
        return metrics.value("rivulet_tail_used_chunks") / metrics.value("rivulet_tail_capacity_chunks");
    }

    /** Returns how many records of the load have failed. */
    private long run(RunningBroker first, List<Takeover> done) throws IOException, BrokerFailedException {
        List<RunningBroker> brokers = new ArrayList<>(List.of(first));
        brokers.addAll(first.fellows());
        String servers =
                brokers.stream().map(each -> "localhost:" + each.port()).collect(Collectors.joining(","));
        try (LightLoad load = new LightLoad(servers)) {
            Takeovers takeovers = new Takeovers(brokers, load);
            for (int i = 0; i < kills + stops; i++) {
                Takeover.Kind kind = i < kills ? Takeover.Kind.KILLED : Takeover.Kind.STOPPED;
                boolean wiped = wipeEvery > 0 && i % wipeEvery == 0;
                Takeover takeover = takeovers.run(kind, wiped);
                done.add(takeover);
                out().println((i + 1) + ". " + takeover);
                out().flush();
            }
            return load.failed();
        }
    }
}
