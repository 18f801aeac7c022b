package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of the threads that live as long as their broker. To be compared before and after an attack:
 *
 * <pre>{@code
 * ThreadCensus before = ThreadCensus.of(server);
 * ... attack ...
 * before.assertAllLive(server);
 * }</pre>
 *
 * <p>Immutable.
 */
public final class ThreadCensus {
    /** Threads that run from the start of the broker to its end. */
    private static final List<String> OF_A_BROKER = List.of(
            "log-writer", "log-io", "log-force", "log-segments", "huge-writer", "maintenance", "store-tick", "groups");

    private static final List<String> FROM_THE_START = Stream.concat(
                    OF_A_BROKER.stream(), Stream.of("collector-watch", "failstop", "failstop-halt", "log-output"))
            .toList();

    /** Threads that start at the first use and then stay. */
    private static final Pattern STAYING = Pattern.compile("reader-\\d+|event-loop-\\d+|acceptor-\\d+");

    private static final Pattern JAVA_THREAD = Pattern.compile("^\"(.+)\" #\\d+ .*", Pattern.MULTILINE);
    private static final int PATIENCE_SECONDS = 20;

    private final Set<String> names;

    private ThreadCensus(Set<String> names) {
        this.names = names;
    }

    /** Fails if a thread of every broker is missing. */
    public static ThreadCensus of(ServerProcess server) throws IOException, InterruptedException {
        String dump = dump(server.pid());
        Set<String> lasting = JAVA_THREAD
                .matcher(dump)
                .results()
                .map(thread -> thread.group(1))
                .filter(name -> FROM_THE_START.contains(name) || isStaying(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(lasting).as(dump).containsAll(FROM_THE_START).anyMatch(name -> name.startsWith("event-loop-"));
        return new ThreadCensus(lasting);
    }

    /** Fails if a thread of a broker inside this process is missing. */
    public static void assertAllLiveHere() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .containsAll(OF_A_BROKER);
    }

    /** Fails if a thread of a broker inside this process has no handler for uncaught exceptions. */
    public static void assertAllHaveHandlersHere() {
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> OF_A_BROKER.contains(thread.getName()) || isStaying(thread.getName()))
                .allSatisfy(thread -> assertThat(thread.getUncaughtExceptionHandler())
                        .as(thread.getName())
                        .isNotInstanceOf(ThreadGroup.class));
    }

    /** Fails if one of these threads has ended. */
    public void assertAllLive(ServerProcess server) throws IOException, InterruptedException {
        assertThat(of(server).names).as("threads that live").containsAll(names);
    }

    public Set<String> names() {
        return Set.copyOf(names);
    }

    /** The stacks of all threads, as jstack prints them. */
    public static String dump(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "Thread.print")
                .redirectErrorStream(true)
                .start();
        String dump = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("jcmd has ended")
                .isTrue();
        assertThat(jcmd.exitValue()).as(dump).isZero();
        return dump;
    }

    private static boolean isStaying(String name) {
        return STAYING.matcher(name).matches();
    }
}
