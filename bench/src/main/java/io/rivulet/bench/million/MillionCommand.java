package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.LabCommand;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "million",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Create a million queues, fill them, kill the broker, restart it, and read the queues back.",
            "Prints each figure with its goal. The Java clients need memory: RIVULET_OPTS=-Xmx10g.",
        })
public final class MillionCommand extends LabCommand {
    /** A part of the benchmark, with its own brokers. */
    enum Phase {
        /** Creation, four messages in each queue, kill -9, and a random hundredth read back. */
        RESTART,
        /** kill -9 with a GiB of log that is not in block files. */
        UNSWEPT,
        /** A fifth of the queues, read from a cold disk. */
        COLD,
        /** As COLD, on both brokers, with a number of partitions that Kafka can have. */
        COLD_KAFKA,
        /** Java producers and a group of Java consumers. */
        CLIENTS,
        /** The group of Java consumers alone. */
        GROUP,
        /** Requests about all queues at once, beside a producer. */
        WHOLE,
        /** Scrapes of metrics, when all queues have traffic. */
        SCRAPE,
        /** A share group over all queues. Of the layouts, it needs the one of one topic. */
        SHARE,
        /** As SHARE, on both brokers, with a number of partitions that Kafka can have. */
        SHARE_KAFKA
    }

    private static final int MAX_FILES = 20_000;
    private static final int MESSAGES = 4;
    /** Messages of one fill to each queue. Two fills are a gigabyte of log. */
    private static final int UNSWEPT_MESSAGES = 8;

    private static final int UNSWEPT_FILLS = 2;
    private static final int COLD_MESSAGES = 16;
    private static final int KAFKA_QUEUES = 10_000;
    private static final int KAFKA_MESSAGES = 160;
    private static final int KAFKA_HEAP_MIB = 4096;
    private static final int SHARE_MEMBERS = 100;
    private static final long SHARE_BYTES = 256L << 20;
    private static final long UNSWEPT_TAIL_BYTES = 2L << 30;
    private static final double READY_SECONDS = 2.5;
    private static final double READY_UNSWEPT_SECONDS = 5;
    private static final double READ_PER_SECOND = 1_000_000;
    private static final int READ_SHARE = 100;
    /** In the middle of these passes the broker's virtual machine still compiles. */
    private static final int READ_PASSES = 15;

    private static final int READ_PASSES_WARM = 60;
    /** Passes before the kill. They warm up the reader, so that later passes measure a cold broker only. */
    private static final int READ_PASSES_BEFORE = 15;
    /** A group waits this long for its first members, as is Kafka's default. */
    private static final Map<String, String> TOGETHER = Map.of("group.initial.rebalance.delay.ms", "3000");

    /** Half a million messages in flight need more than the default of a heap of 6 GiB. */
    private static final Map<String, String> SHARE_SETTINGS = Map.of("rivulet.share.bytes", Long.toString(SHARE_BYTES));

    @Option(names = "--queues", defaultValue = "1000000", description = "queues (default: ${DEFAULT-VALUE})")
    private int queues;

    @Option(
            names = "--layout",
            split = ",",
            defaultValue = "ONE_TOPIC,TOPICS",
            description = "how queues are made: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Set<Layout> layouts = EnumSet.allOf(Layout.class);

    @Option(
            names = "--phase",
            split = ",",
            defaultValue = "RESTART,UNSWEPT,COLD,COLD_KAFKA,CLIENTS,WHOLE,SCRAPE,SHARE,SHARE_KAFKA",
            description = "phases to run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Set<Phase> phases = EnumSet.allOf(Phase.class);

    @Override
    public Integer call() throws Exception {
        out().println(Machine.describe());
        try (DataDirectory data = data()) {
            Lab lab = Lab.ofRivulet(data.path(), MAX_FILES, rivuletOptions()).override(rivuletOverrides());
            for (Layout layout : layouts) {
                run(lab, layout);
            }
            if (phases.contains(Phase.COLD_KAFKA)) {
                coldBesideKafka(Lab.withKafka(data.path(), KAFKA_HEAP_MIB, MAX_FILES, rivuletOptions()));
            }
            if (phases.contains(Phase.SHARE_KAFKA)) {
                shareBesideKafka(Lab.withKafka(data.path(), KAFKA_HEAP_MIB, MAX_FILES, rivuletOptions()));
            }
        }
        return 0;
    }

    private void run(Lab lab, Layout layout) throws IOException, BrokerFailedException {
        out().printf("%n%,d queues, %s%n%n", queues, layout.title());
        GoalTable figures = new GoalTable(out());
        for (Phase phase : EnumSet.copyOf(phases)) {
            switch (phase) {
                case RESTART -> restart(lab, layout, figures);
                case UNSWEPT -> unswept(lab, layout, figures);
                case COLD -> cold(lab, layout, figures);
                case CLIENTS -> clients(lab, layout, figures);
                case GROUP -> group(lab, layout, figures);
                case WHOLE -> whole(lab, layout, figures);
                case SCRAPE -> scrape(lab, layout, figures);
                case SHARE -> share(lab, layout, figures);
                default -> {} // those beside Kafka run once for both layouts
            }
        }
        print(figures);
    }

    private void print(GoalTable figures) {
        out().println();
        out().println(figures.table());
    }

    private void restart(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(layout, queues);
        try (RunningBroker broker = lab.start(Subject.RIVULET)) {
            figures.plain("RSS, empty", "MB", broker.residentMegabytes());
            Meter meter = new Meter(broker);
            figures.atMost("created", "s", Creation.run(broker, layout, queues), layout.creationSeconds());
            figures.plain("broker CPU of it", "s", meter.cpuSeconds());
            figures.atMost("RSS, created", "MB", broker.residentMegabytes(), layout.residentMegabytes());
            fill(broker, frames, MESSAGES, figures);
            figures.atMost(
                    "RSS, " + MESSAGES + " messages in each",
                    "MB",
                    broker.residentMegabytes(),
                    layout.residentMegabytes());
            readPasses(broker, layout, READ_PASSES_BEFORE, new SplittableRandom(0));
            broker.kill();
            broker.startAgain();
            figures.atMost("ready after kill -9", "s", broker.startMillis() / 1e3, READY_SECONDS);
            figures.atMost("RSS, ready again", "MB", broker.residentMegabytes(), layout.residentMegabytes());
            readBack(broker, layout, figures);
            figures.atMost("RSS, read from", "MB", broker.residentMegabytes(), layout.residentMegabytes());
        }
    }

    private void fill(RunningBroker broker, Frames frames, int messages, GoalTable figures)
            throws IOException, BrokerFailedException {
        double seconds = Filling.run(broker, frames, (long) messages * frames.count());
        figures.plain(
                messages + " messages to each queue, one by one", "messages/s", (double) queues * messages / seconds);
    }

    /** The first pass measures a cold virtual machine, later passes a warm one. */
    private void readBack(RunningBroker broker, Layout layout, GoalTable figures)
            throws IOException, BrokerFailedException {
        double[] perSecond = readPasses(broker, layout, READ_PASSES_WARM, new SplittableRandom(queues));
        figures.atLeast("a random 1 % read back and verified, at once", "messages/s", perSecond[0], READ_PER_SECOND);
        for (int passes : new int[] {READ_PASSES, READ_PASSES_WARM}) {
            double[] first = Arrays.copyOf(perSecond, passes);
            Arrays.sort(first);
            figures.atLeast(
                    "  another 1 %, median of " + passes + " passes", "messages/s", first[passes / 2], READ_PER_SECOND);
        }
    }

    /** Reads other queues in each pass. Returns the messages a second of each pass. */
    private double[] readPasses(RunningBroker broker, Layout layout, int passes, SplittableRandom random)
            throws IOException, BrokerFailedException {
        ReadBack reading = new ReadBack(broker.port(), layout, MESSAGES);
        double[] perSecond = new double[passes];
        for (int pass = 0; pass < passes; pass++) {
            int[] some = random.ints(0, queues)
                    .distinct()
                    .limit(Math.max(1, queues / READ_SHARE))
                    .sorted()
                    .toArray();
            perSecond[pass] = reading.run(some).perSecond();
        }
        return perSecond;
    }

    private void unswept(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(layout, queues);
        try (RunningBroker broker =
                lab.start(Subject.RIVULET, Map.of("rivulet.tail.bytes", Long.toString(UNSWEPT_TAIL_BYTES)))) {
            Creation.run(broker, layout, queues);
            for (int fills = 1; fills <= UNSWEPT_FILLS; fills++) {
                fill(broker, frames, UNSWEPT_MESSAGES, figures);
                broker.kill();
                broker.startAgain();
                figures.plain("log, to a whole segment", "MiB", broker.logBytes() / Machine.BYTES_PER_MIB);
                figures.atMost(
                        "ready after kill -9 with " + fills * UNSWEPT_MESSAGES
                                + " messages in each, none in block files",
                        "s",
                        broker.startMillis() / 1e3,
                        READY_UNSWEPT_SECONDS);
                figures.plain("RSS of that, with 2 GiB for the tail", "MB", broker.residentMegabytes());
            }
        }
    }

    private void cold(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(layout, queues);
        try (RunningBroker elsewhere = lab.start(Subject.RIVULET);
                RunningBroker broker = lab.start(Subject.RIVULET)) {
            for (RunningBroker each : List.of(elsewhere, broker)) {
                Creation.run(each, layout, queues);
                fill(each, frames, COLD_MESSAGES, figures);
            }
            new ColdReads(broker, elsewhere, layout, queues, COLD_MESSAGES, figures).run();
        }
    }

    private void coldBesideKafka(Lab lab) throws IOException, BrokerFailedException {
        GoalTable figures = new GoalTable(out());
        Layout layout = Layout.ONE_TOPIC;
        Frames frames = QueueFrames.of(layout, KAFKA_QUEUES);
        for (Subject subject : List.of(Subject.RIVULET, Subject.KAFKA)) {
            figures.begin("%s, %,d partitions".formatted(subject.title(), KAFKA_QUEUES));
            try (RunningBroker broker = lab.start(subject)) {
                Topics.create(broker, layout.topic(0), KAFKA_QUEUES);
                Topics.awaitEnds(broker, layout.topic(0), KAFKA_QUEUES);
                double seconds = Filling.run(broker, frames, (long) KAFKA_MESSAGES * frames.count());
                figures.plain(
                        KAFKA_MESSAGES + " messages to each queue, one by one",
                        "messages/s",
                        (double) KAFKA_QUEUES * KAFKA_MESSAGES / seconds);
                new ColdReads(broker, null, layout, KAFKA_QUEUES, KAFKA_MESSAGES, figures).run();
            }
        }
        print(figures);
    }

    private void clients(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(Subject.RIVULET, TOGETHER)) {
            Creation.run(broker, layout, queues);
            JavaClients.run(broker, layout, queues, figures, out());
        }
    }

    private void group(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(layout, queues);
        try (RunningBroker broker = lab.start(Subject.RIVULET, TOGETHER)) {
            Creation.run(broker, layout, queues);
            fill(broker, frames, Message.PER_QUEUE, figures);
            JavaClients.readFilled(broker, layout, queues, figures, out());
        }
    }

    private void whole(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(Subject.RIVULET)) {
            new WholeRequests(broker, layout, queues, figures).run();
        }
    }

    private void scrape(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(layout, queues);
        String http = "localhost:" + Lab.freePort();
        try (RunningBroker broker = lab.start(Subject.RIVULET, Map.of("rivulet.http.listener", http))) {
            Creation.run(broker, layout, queues);
            fill(broker, frames, Scrapes.MESSAGES, figures);
            new Scrapes(broker, http, figures).run(layout, queues);
        }
    }

    private void share(Lab lab, Layout layout, GoalTable figures) throws IOException, BrokerFailedException {
        if (layout == Layout.TOPICS) {
            return;
        }
        try (RunningBroker broker = lab.start(Subject.RIVULET, SHARE_SETTINGS)) {
            Creation.run(broker, layout, queues);
            share(broker, queues, figures);
        }
    }

    private void shareBesideKafka(Lab lab) throws IOException, BrokerFailedException {
        GoalTable figures = new GoalTable(out());
        for (Subject subject : List.of(Subject.RIVULET, Subject.KAFKA)) {
            figures.begin("%s, a share group over %,d partitions".formatted(subject.title(), KAFKA_QUEUES));
            Map<String, String> settings = subject == Subject.RIVULET ? SHARE_SETTINGS : Map.of();
            try (RunningBroker broker = lab.start(subject, settings)) {
                Topics.create(broker, Layout.ONE_TOPIC.topic(0), KAFKA_QUEUES);
                Topics.awaitEnds(broker, Layout.ONE_TOPIC.topic(0), KAFKA_QUEUES);
                share(broker, KAFKA_QUEUES, figures);
            }
        }
        print(figures);
    }

    private void share(RunningBroker broker, int count, GoalTable figures) throws IOException, BrokerFailedException {
        Frames frames = QueueFrames.of(Layout.ONE_TOPIC, count);
        double seconds = Filling.run(broker, frames, frames.count());
        figures.plain("a message to each queue, one by one", "messages/s", count / seconds);
        ShareGroup.run(broker, frames, count, SHARE_MEMBERS, figures);
    }
}
