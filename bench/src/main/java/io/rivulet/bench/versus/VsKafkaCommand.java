package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.DataDirectory;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.LabCommand;
import io.rivulet.bench.lab.Machine;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "vs-kafka",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run Rivulet and Apache Kafka in turns, under the same load and limits.",
            "Maven fetches Kafka at the first run. Prints and stores a table of ratios, and plots."
        })
public final class VsKafkaCommand extends LabCommand {
    private static final List<Metric> PLOTTED = List.of(
            Metric.MESSAGES_PER_SECOND, Metric.CPU_MICROS, Metric.P99_MILLIS, Metric.RSS_MIB, Metric.RESTART_SECONDS);

    private static final List<Bars.Figure> BARS = List.of(
            new Bars.Figure("start of an empty broker, ms until it answers", "start", Metric.START_MILLIS),
            new Bars.Figure("memory of an empty broker, MiB resident", "start", Metric.RSS_MIB),
            new Bars.Figure(
                    "restart after kill -9 with 10,000 partitions, s until all take messages",
                    "restart-10000",
                    Metric.RESTART_SECONDS));

    private static final Pace QUICK = new Pace(3, 4);

    @Option(
            names = "--case",
            split = ",",
            description = "only these cases, by name or beginning of a name (default: all, see --list)")
    private @Nullable List<String> wanted;

    @Option(
            names = "--tls",
            description = {
                "load over TLS 1.3, with AES-128-GCM and a key on the curve P-256",
                "Rivulet runs with the engine of the JVM, and with BoringSSL"
            })
    private boolean overTls;

    @Option(
            names = "--cluster",
            description = "no Kafka: Rivulet with its log on three bookies of this machine, beside its own log")
    private boolean cluster;

    @Option(
            names = "--failover",
            description = {
                "three brokers each: Rivulet with rivulet.cluster.failover on three engines of this machine, and Kafka",
                "with three copies, acks=all and min.insync.replicas=2, once with an fsync for each batch"
            })
    private boolean failover;

    @Option(
            names = "--subject",
            split = ",",
            description = "only these brokers: ${COMPLETION-CANDIDATES} (default: all)")
    private @Nullable Set<Subject> subjects;

    @Option(names = "--rounds", defaultValue = "3", description = "rounds of each case (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "8", description = "seconds of warm-up (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds;

    @Option(names = "--seconds", defaultValue = "10", description = "measured seconds (default: ${DEFAULT-VALUE})")
    private int measuredSeconds;

    @Option(names = "--quick", description = "one round of a few seconds for each case")
    private boolean quick;

    @Option(names = "--list", description = "list the cases and end")
    private boolean list;

    @Option(
            names = "--heap-mib",
            defaultValue = "4096",
            description = "maximum heap of each broker (default: ${DEFAULT-VALUE})")
    private int heapMib;

    @Option(
            names = "--files",
            defaultValue = "20000",
            description = "limit of open files of each broker (default: ${DEFAULT-VALUE})")
    private int maxFiles;

    @Option(names = "--output", description = "directory for the table and the plots (default: bench/target/vs-kafka)")
    private @Nullable Path output;

    @Option(
            names = "--redraw",
            paramLabel = "TABLE",
            description = "run nothing: draw the plots from the tables in this file")
    private @Nullable Path redraw;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        if (Stream.of(cluster, failover, overTls).filter(wish -> wish).count() > 1) {
            out.println("--cluster, --failover and --tls are three comparisons: choose one");
            return 2;
        }
        List<Case> possible = Cases.all().stream()
                .filter(one ->
                        one.runs(overTls) && comparison().subjects().stream().anyMatch(one::runsOn))
                .toList();
        List<Case> cases = select(possible, Case::name, wanted);
        if (list) {
            cases.forEach(one -> out.println(one.name() + ": " + one.title()));
            return 0;
        }
        Path target = Files.createDirectories(output != null ? output : Lab.inProject("bench/target/vs-kafka"));
        if (redraw != null) {
            plot(StoredTable.read(Files.readAllLines(redraw)), target);
            return 0;
        }
        String circumstances = circumstances();
        out.println(circumstances);
        Results results;
        try (DataDirectory data = data()) {
            Lab lab = cluster
                    ? Lab.ofRivulet(data.path(), maxFiles, "-Xmx" + heapMib + "m " + rivuletOptions())
                    : Lab.withKafka(data.path(), heapMib, maxFiles, rivuletOptions());
            lab.override(rivuletOverrides());
            results = run(cases, overTls ? lab.overTls() : lab, out);
        }
        String table = Report.table(results, comparison());
        out.println(table);
        Files.writeString(target.resolve(tableName()), circumstances + "\n" + table);
        if (!overTls && !cluster && !failover) {
            plot(results, target);
        }
        out.println("stored in " + target);
        return 0;
    }

    private String tableName() {
        if (cluster) {
            return "table-cluster.md";
        }
        if (failover) {
            return "table-failover.md";
        }
        return overTls ? "table-tls.md" : "table.md";
    }

    private static void plot(Results results, Path target) throws IOException {
        for (Metric metric : PLOTTED) {
            boolean restart = metric == Metric.RESTART_SECONDS;
            String svg = Plot.svg(
                    results, metric, one -> one.queues() > 0 && one.name().startsWith("restart") == restart);
            store(svg, target.resolve(metric.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg"));
        }
        store(
                Bars.svg(results, "Start, memory and restart (shorter is better)", BARS),
                target.resolve("start-memory-restart.svg"));
    }

    private static void store(String svg, Path file) throws IOException {
        if (!svg.isEmpty()) {
            Files.writeString(file, svg);
        }
    }

    /** Runs round by round, so that other load of the machine affects all subjects. */
    private Results run(List<Case> cases, Lab lab, PrintWriter out) throws IOException {
        Results results = new Results();
        Pace pace = quick ? QUICK : new Pace(warmUpSeconds, measuredSeconds);
        for (Case one : cases) {
            for (int round = 1; round <= (quick ? 1 : rounds); round++) {
                for (Subject subject : comparison().subjects()) {
                    if (one.runsOn(subject) && (subjects == null || subjects.contains(subject))) {
                        run(one, subject, lab, pace, results, out);
                    }
                }
            }
        }
        return results;
    }

    private static void run(Case one, Subject subject, Lab lab, Pace pace, Results results, PrintWriter out)
            throws IOException {
        try {
            Figures figures = one.run(subject, lab, pace);
            results.add(one, subject, figures);
            out.println(one.name() + ", " + subject.title() + ": " + figures);
        } catch (BrokerFailedException e) {
            results.addFailure(one, subject, String.valueOf(e.getMessage()));
            out.println(one.name() + ", " + subject.title() + " failed: " + e.getMessage());
        }
        out.flush();
    }

    private Comparison comparison() {
        if (cluster) {
            return Comparison.CLUSTER;
        }
        if (failover) {
            return Comparison.FAILOVER;
        }
        return overTls ? Comparison.TLS : Comparison.PLAIN;
    }

    private String circumstances() throws IOException {
        return "%s; brokers: heap at most %d MiB, %d files; %s%s%n"
                .formatted(
                        Machine.describe(),
                        heapMib,
                        maxFiles,
                        overTls ? "TLS 1.3; " : "",
                        quick ? "quick" : rounds + " rounds of " + warmUpSeconds + " + " + measuredSeconds + " s");
    }
}
