package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.LabCommand;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "hostile",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Start a broker with a small heap and attack it in many ways at once, beside a good client.",
            "Print the latencies of the good client, the memory of the broker, and the number of lost records.",
            "Exit with 1 if a record was lost or a thread of the broker has ended."
        })
public final class HostileCommand extends LabCommand {
    private static final int SAMPLE_SECONDS = 30;

    @Option(names = "--minutes", defaultValue = "10", description = "minutes of attacks (default: ${DEFAULT-VALUE})")
    private double minutes;

    @Option(
            names = "--heap-mib",
            defaultValue = "256",
            description = "maximum heap of the broker (default: ${DEFAULT-VALUE})")
    private int heapMib;

    @Option(
            names = "--files",
            defaultValue = "1024",
            description = "limit of open files of the broker (default: ${DEFAULT-VALUE})")
    private int maxFiles;

    @Option(
            names = "--rate",
            defaultValue = "200",
            description = "records a second of the good client (default: ${DEFAULT-VALUE})")
    private int recordsPerSecond;

    @Option(
            names = "--attack",
            split = ",",
            description = "only these attacks, by name or beginning of a name; none: no attack (default: all)")
    private @Nullable List<String> wanted;

    @Option(names = "--list", description = "list the attacks and end")
    private boolean list;

    @Option(names = "--override", description = "key=value of the broker's configuration; can be repeated")
    private Map<String, String> overrides = Map.of();

    @Override
    public Integer call() throws Exception {
        boolean none = wanted != null && wanted.equals(List.of("none"));
        List<Attack> attacks = none ? List.of() : select(Attack.all(), Attack::name, wanted);
        if (list) {
            attacks.forEach(attack -> out().println(attack.name()));
            return 0;
        }
        out().printf("%s; heap %d MiB, %d files, %.1f minutes%n", Machine.describe(), heapMib, maxFiles, minutes);
        try (DataDirectory data = data()) {
            Lab lab = Lab.ofRivulet(data.path(), maxFiles, "-Xmx" + heapMib + "m " + rivuletOptions())
                    .override(rivuletOverrides());
            try (RunningBroker broker = lab.start(Subject.RIVULET, overrides)) {
                createTopics(broker);
                return run(broker, attacks) ? 0 : 1;
            }
        }
    }

    private static void createTopics(RunningBroker broker) throws BrokerFailedException {
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            Topics.create(
                    admin,
                    List.of(
                            new NewTopic(GoodClient.TOPIC, GoodClient.PARTITIONS, (short) 1),
                            new NewTopic(ProduceAttacks.TOPIC, ProduceAttacks.PARTITIONS, (short) 1)
                                    .configs(Map.of("cleanup.policy", "compact"))));
        }
    }

    private boolean run(RunningBroker broker, List<Attack> attacks)
            throws IOException, InterruptedException, BrokerFailedException {
        try (GoodClient good = new GoodClient(broker, recordsPerSecond)) {
            TimeUnit.SECONDS.sleep(SAMPLE_SECONDS / 3);
            print("good client alone", good);
            Set<String> before = broker.threadNames();
            try (Attackers attackers = new Attackers(broker.port(), attacks)) {
                watch(broker, good);
                attackers.counts().forEach(out()::println);
            }
            good.finish();
            print("good client at the end", good);
            return judge(broker, good, before);
        }
    }

    private void watch(RunningBroker broker, GoodClient good)
            throws IOException, InterruptedException, BrokerFailedException {
        long untilNanos = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        while (System.nanoTime() < untilNanos) {
            long leftNanos = untilNanos - System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, TimeUnit.SECONDS.toNanos(SAMPLE_SECONDS)));
            if (!broker.isAlive()) {
                throw new BrokerFailedException("the broker has ended: " + broker.complaint());
            }
            print("under attack", good);
            out().printf("  resident %,.0f MiB, highest %,.0f%n", broker.residentMib(), broker.peakResidentMib());
            out().flush();
        }
    }

    private void print(String when, GoodClient good) {
        out().printf("%s: %,d acknowledged, %d failed%n", when, good.acknowledged(), good.notAcknowledged());
        print("produce", good.produced());
        print("produce to consume", good.delivered());
        print("commit", good.committed());
        out().flush();
    }

    private void print(String what, Latency latency) {
        out().printf(
                        "  %s: %,d, p50 %.2f ms, p99 %.2f ms, longest %.0f ms%n",
                        what, latency.count(), latency.p50(), latency.p99(), latency.longest());
    }

    /** Counts ended threads and, after a restart with the same heap, lost records. Returns whether all is well. */
    private boolean judge(RunningBroker broker, GoodClient good, Set<String> before)
            throws IOException, BrokerFailedException {
        Set<String> ended = new TreeSet<>(before);
        ended.removeAll(broker.threadNames());
        out().printf("threads that ended: %s%n", ended.isEmpty() ? "none" : ended);
        out().printf(
                        "acknowledged %,d, failed %d, not received %d, received twice %d, failed commits %d%n",
                        good.acknowledged(),
                        good.notAcknowledged(),
                        good.notReceived(),
                        good.duplicates(),
                        good.failedCommits());
        broker.kill();
        broker.startAgain();
        long lost = good.lostAfterRestart(broker);
        out().printf("after kill -9: ready in %.2f s, lost %d%n", broker.startMillis() / 1e3, lost);
        return ended.isEmpty() && lost == 0 && good.notAcknowledged() == 0 && good.notReceived() == 0;
    }
}
