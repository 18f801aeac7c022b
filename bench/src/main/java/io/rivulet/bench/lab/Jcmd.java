package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs {@code jcmd} on a virtual machine. Stateless. */
final class Jcmd {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)");

    /** Matches Java threads: a number follows their name. Threads of the garbage collector have none. */
    private static final Pattern THREAD = Pattern.compile("(?m)^\"(.+)\" #[0-9]+ ");

    private Jcmd() {}

    private static String run(long pid, String command) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        command)
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Names of all threads except those of the compilers, which start and end at any time. */
    static Set<String> threadNames(long pid) throws IOException {
        return THREAD.matcher(run(pid, "Thread.print"))
                .results()
                .map(thread -> thread.group(1))
                .filter(name -> !name.contains("CompilerThread"))
                .collect(Collectors.toSet());
    }

    /** Bytes of all reachable objects. The histogram begins with a full collection. */
    static long liveHeapBytes(long pid) throws IOException {
        String output = run(pid, "GC.class_histogram");
        Matcher total = TOTAL.matcher(output);
        if (!total.find()) {
            throw new IOException(
                    "jcmd printed no histogram: " + output.lines().findFirst().orElse("no output"));
        }
        return Long.parseLong(total.group(1));
    }
}
