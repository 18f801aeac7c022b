package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.LabCommand;
import io.rivulet.bench.lab.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run Rivulet and other systems with many queues in turns, under the same load.",
            "Builds NATS with Go and fetches RocketMQ with Maven at the first run. Redis is Debian's package.",
            "Kills each of them under load, starts it again, and counts what it acknowledged."
        })
public final class PeersCommand extends LabCommand {
    private static final PeerPlan QUICK = new PeerPlan(500, 1, 2, 20, 4096);
    private static final List<Integer> QUICK_QUEUES = List.of(1, 1_000);

    @Option(names = "--peer", split = ",", description = "only these systems, by name or beginning of a name")
    private @Nullable List<String> wanted;

    @Option(
            names = "--queues",
            split = ",",
            defaultValue = "1,10000,100000,1000000",
            description = "numbers of queues, at most 10,000,000 (default: ${DEFAULT-VALUE})")
    private List<Integer> queues = List.of();

    @Option(names = "--window", defaultValue = "500", description = "messages in flight (default: ${DEFAULT-VALUE})")
    private int window;

    @Option(names = "--rounds", defaultValue = "3", description = "rounds of each run (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--warm-up",
            defaultValue = "5",
            description = "seconds of warm-up; the fill counts (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds;

    @Option(names = "--seconds", defaultValue = "10", description = "measured seconds (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--fill-seconds",
            defaultValue = "120",
            description = "time for a message in each queue (default: ${DEFAULT-VALUE})")
    private int fillSeconds;

    @Option(
            names = "--memory-mib",
            defaultValue = "8192",
            description = "anonymous memory that ends a server, and Redis's limit (default: ${DEFAULT-VALUE})")
    private int memoryMib;

    @Option(names = "--heap-mib", defaultValue = "4096", description = "RocketMQ's heap (default: ${DEFAULT-VALUE})")
    private int heapMib;

    @Option(
            names = "--files",
            defaultValue = "20000",
            description = "limit of open files of each server (default: ${DEFAULT-VALUE})")
    private int maxFiles;

    @Option(names = "--quick", description = "one round of a few seconds with few queues")
    private boolean quick;

    @Option(names = "--list", description = "list the systems and end")
    private boolean list;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        List<Peer> all = List.of(
                new RivuletPeer(),
                new RedisPeer(memoryMib),
                new NatsPeer(true),
                new NatsPeer(false),
                new RocketMqPeer(heapMib));
        List<Peer> peers = select(all, Peer::name, wanted);
        if (list) {
            peers.forEach(peer -> out.println(peer.name() + ": " + peer.title() + ", " + peer.promise()));
            return 0;
        }
        out.println(circumstances());
        PeerTable table = new PeerTable();
        try (DataDirectory data = data()) {
            Lab lab = Lab.ofRivulet(data.path(), maxFiles, rivuletOptions()).override(rivuletOverrides());
            run(prepared(peers, out), lab, data.path(), table, out);
        }
        out.println(table.text());
        Path target = Files.createDirectories(Lab.inProject("bench/target/peers"));
        Files.writeString(target.resolve("table.md"), circumstances() + "\n" + table.text());
        out.println("stored in " + target);
        return 0;
    }

    private static List<Peer> prepared(List<Peer> peers, PrintWriter out) throws IOException {
        List<Peer> prepared = new ArrayList<>();
        for (Peer peer : peers) {
            try {
                peer.prepare();
                prepared.add(peer);
            } catch (BrokerFailedException e) {
                out.println(peer.title() + ": " + e.getMessage());
            }
        }
        return prepared;
    }

    /** Runs round by round, so that other load of the machine affects all systems. */
    private void run(List<Peer> peers, Lab lab, Path directory, PeerTable table, PrintWriter out) throws IOException {
        PeerPlan plan = quick ? QUICK : new PeerPlan(window, warmUpSeconds, seconds, fillSeconds, memoryMib);
        for (int count : quick ? QUICK_QUEUES : queues) {
            for (int round = 1; round <= (quick ? 1 : rounds); round++) {
                for (Peer peer : peers) {
                    run(peer, lab, directory, count, plan, table, out);
                }
            }
        }
    }

    private static void run(
            Peer peer, Lab lab, Path directory, int queues, PeerPlan plan, PeerTable table, PrintWriter out)
            throws IOException {
        String run = "%,d queues, %s: ".formatted(queues, peer.title());
        try {
            Map<PeerMetric, Double> figures = PeerRun.run(peer, lab, directory, queues, plan);
            table.add(queues, peer, figures);
            out.println(run + PeerTable.line(figures));
        } catch (BrokerFailedException e) {
            String failure = String.valueOf(e.getMessage());
            table.addFailure(queues, peer, failure);
            out.println(run + "failed: " + failure);
        }
        out.flush();
    }

    private String circumstances() throws IOException {
        return "%s; %d messages in flight; %d files; at most %,d MiB; %s%n"
                .formatted(
                        Machine.describe(),
                        window,
                        maxFiles,
                        memoryMib,
                        quick ? "quick" : rounds + " rounds of " + warmUpSeconds + " + " + seconds + " s");
    }
}
