package io.rivulet.bench.protocol;

import io.rivulet.bench.lab.BenchCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "codec",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Decode and encode Produce requests and Fetch responses of 500 partitions, beside kafka-clients (JMH).",
            "Each side of each version runs in its own processes, with a warm-up of three seconds. The benchmark takes"
                    + " about ten minutes. Nothing else should run on the machine.",
        })
public final class CodecCommand extends BenchCommand {
    private static final int WINDOWS = 30;

    @Option(names = "--forks", defaultValue = "3", description = "processes for each row (default: ${DEFAULT-VALUE})")
    private int forks;

    @Option(
            names = "--include",
            defaultValue = "io.rivulet.bench.protocol",
            description = "a regular expression over the names of the benchmarks (default: ${DEFAULT-VALUE})")
    private String include;

    @Override
    public Integer call() throws Exception {
        Options options = new OptionsBuilder()
                .include(include)
                .forks(forks)
                .warmupIterations(15)
                .warmupTime(TimeValue.milliseconds(200))
                .measurementIterations(WINDOWS)
                .measurementTime(TimeValue.milliseconds(25))
                .addProfiler(GCProfiler.class)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        Map<String, RunResult> ours = new TreeMap<>();
        Map<String, RunResult> theirs = new TreeMap<>();
        for (RunResult result : results) {
            boolean isOurs = result.getParams().getBenchmark().matches(".*\\.rivulet[A-Z]\\w*");
            (isOurs ? ours : theirs).put(row(result), result);
        }
        print(ours, theirs, out());
        return 0;
    }

    /** The name of a row, for example {@code FetchBenchmark Decode v12}: the same for both sides. */
    private static String row(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String name = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
        String version = result.getParams().getParam("version");
        return "%s v%2s".formatted(name.replaceAll("\\.(rivulet|kafka)", " "), version);
    }

    private void print(Map<String, RunResult> ours, Map<String, RunResult> theirs, PrintWriter out) {
        out.printf("%nMedians of %d windows of 25 ms; in brackets JMH's scores, which are means.%n", forks * WINDOWS);
        out.printf("| | ours, us | kafka-clients, us | ratio of medians | of means | bytes, ours to theirs |%n");
        out.printf("|---|---|---|---|---|---|%n");
        ours.forEach((row, mine) -> {
            RunResult other = theirs.get(row);
            if (other != null) {
                out.printf(
                        "| %s | %.2f (%.2f) | %.2f (%.2f) | %.2f | %.2f | %.2f |%n",
                        row,
                        median(mine),
                        mean(mine),
                        median(other),
                        mean(other),
                        median(other) / median(mine),
                        mean(other) / mean(mine),
                        allocated(mine) / allocated(other));
            }
        });
        out.flush();
    }

    private static double median(RunResult result) {
        double[] scores = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(window -> window.getPrimaryResult().getScore())
                .toArray();
        Arrays.sort(scores);
        return (scores[(scores.length - 1) / 2] + scores[scores.length / 2]) / 2;
    }

    private static double mean(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    private static double allocated(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return bytes == null ? Double.NaN : bytes.getScore();
    }
}
